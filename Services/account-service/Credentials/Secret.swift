import CSodium
import Foundation

/// A secret that is handed out and of which only the hash is kept: whoever reads the store can't
/// use it.
package enum Secret {
    /// A refresh token has so many bytes.
    package static let tokenSize = 32

    /// A refresh token: random bytes.
    package static func token() -> [UInt8] { Sodium.randomBytes(tokenSize) }

    /// The hash under which a secret is kept: BLAKE2b of 32 bytes. A secret of 100 random bits
    /// can't be guessed from it, so it need not be slow.
    package static func hash(_ secret: [UInt8]) -> [UInt8] {
        Sodium.prepare()
        var hash = [UInt8](repeating: 0, count: 32)
        let code = crypto_generichash(
            &hash, hash.count, secret, UInt64(secret.count), nil, 0)
        precondition(code == 0, "BLAKE2b takes every length")
        return hash
    }

    /// The hash of a text, in hexadecimal digits.
    package static func fingerprint(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: hash(Array(text.utf8)).flatMap {
                [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
            },
            as: UTF8.self)
    }

    /// The letters of a code: those that no one takes for another (Crockford's base 32).
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A code for a person to read and to type: 20 letters, 100 random bits, in four groups.
    package static func code() -> String {
        let random = Sodium.randomBytes(20).map { letters[Int($0 & 31)] }
        return stride(from: 0, to: 20, by: 5)
            .map { String(decoding: random[$0..<$0 + 5], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// The hash under which a code is kept, however it was typed; nil when it can't be a code.
    package static func hash(code typed: String) -> [UInt8]? {
        guard typed.utf8.count <= 100 else { return nil }
        var plain: [UInt8] = []
        for byte in typed.uppercased().utf8 {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            case UInt8(ascii: "O"): plain.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "L"): plain.append(UInt8(ascii: "1"))
            default:
                guard letters.contains(byte) else { return nil }
                plain.append(byte)
            }
        }
        return plain.count == 20 ? hash(plain) : nil
    }
}
