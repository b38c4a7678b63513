import CSodium
import Checksum

/// A browser's cookie, and what is derived from it: the name under which the store keeps the
/// log-in, and the key that opens its refresh token. Whoever has the store has neither the cookie
/// nor the key.
public struct BrowserSeal: Sendable {
    /// The size of a cookie in bytes.
    public static let cookieSize = 32
    /// The random bytes that the browser has.
    public let cookie: [UInt8]
    /// The SHA-256 of the cookie.
    public let name: [UInt8]
    private let key: [UInt8]

    /// True when the library was initialized.
    private static let isReady = sodium_init() >= 0

    /// A cookie of random bytes.
    public static func fresh() -> BrowserSeal {
        let bytes = random(cookieSize)
        guard let seal = BrowserSeal(cookie: bytes) else {
            preconditionFailure("a cookie has \(cookieSize) bytes")
        }
        return seal
    }

    /// Cryptographically secure random bytes.
    public static func random(_ count: Int) -> [UInt8] {
        precondition(isReady, "libsodium can't be made ready: the system gives no random numbers")
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// The cookie as 64 hexadecimal digits.
    public var text: String { Checksum.digits(cookie) }

    /// The seal of a cookie as hexadecimal digits; nil if it can't be one.
    public init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.cookieSize else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard !pair.hasPrefix("+"), !pair.hasPrefix("-"), let byte = UInt8(pair, radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        self.init(cookie: bytes)
    }

    /// The seal of a cookie that a browser sent; nil if it can't be one.
    public init?(cookie: [UInt8]) {
        guard cookie.count == Self.cookieSize else { return nil }
        precondition(Self.isReady, "libsodium can't be made ready")
        self.cookie = cookie
        name = Checksum.of(cookie)
        // BLAKE2b with the cookie as its key: independent of the SHA-256 that the store has.
        var key = [UInt8](repeating: 0, count: Int(crypto_secretbox_KEYBYTES))
        let purpose = Array("steward web refresh token".utf8)
        let code = crypto_generichash(
            &key, key.count, purpose, UInt64(purpose.count), cookie, cookie.count)
        precondition(code == 0, "BLAKE2b takes a key of 32 bytes")
        self.key = key
    }

    /// Seals a secret: a nonce, and the secret encrypted and authenticated (XSalsa20-Poly1305).
    public func seal(_ secret: [UInt8]) -> [UInt8] {
        let nonce = Self.random(Int(crypto_secretbox_NONCEBYTES))
        var box = [UInt8](repeating: 0, count: secret.count + Int(crypto_secretbox_MACBYTES))
        let code = crypto_secretbox_easy(&box, secret, UInt64(secret.count), nonce, key)
        precondition(code == 0, "a secret of any size can be sealed")
        return nonce + box
    }

    /// Opens what was sealed; nil if it was sealed with another cookie, or altered.
    public func open(_ sealed: [UInt8]) -> [UInt8]? {
        let nonceSize = Int(crypto_secretbox_NONCEBYTES)
        let overhead = nonceSize + Int(crypto_secretbox_MACBYTES)
        guard sealed.count >= overhead else { return nil }
        let (nonce, box) = (Array(sealed[..<nonceSize]), Array(sealed[nonceSize...]))
        var secret = [UInt8](repeating: 0, count: sealed.count - overhead)
        let code = crypto_secretbox_open_easy(&secret, box, UInt64(box.count), nonce, key)
        return code == 0 ? secret : nil
    }
}
