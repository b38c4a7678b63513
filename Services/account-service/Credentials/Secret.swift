import CSodium
import Foundation

/// A secret that is given out, while only its hash is kept: someone who reads the store can't use
/// it.
package enum Secret {
    /// The size of a refresh token in bytes.
    package static let tokenSize = 32

    /// Makes a refresh token of random bytes.
    package static func token() -> [UInt8] { Sodium.randomBytes(tokenSize) }

    /// The stored hash of a secret: 32 bytes of BLAKE2b. A secret of 100 random bits can't be
    /// guessed from its hash, so hashing need not be slow.
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

    /// The letters of a code, none of which is easily mistaken for another (Crockford's base 32).
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The number of letters of a code that is valid for hours or days: 100 random bits.
    package static let longCode = 20
    /// The number of letters of a code that is valid for minutes: 40 random bits. Attempts are
    /// slowed after a few, so it can't be guessed in that time.
    package static let shortCode = 8

    /// Makes a code for a person to read and type, in four groups, or two of a short one.
    package static func code(letters count: Int = longCode) -> String {
        let random = Sodium.randomBytes(count).map { letters[Int($0 & 31)] }
        let group = count == longCode ? 5 : 4
        return stride(from: 0, to: count, by: group)
            .map { String(decoding: random[$0..<min(count, $0 + group)], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// The stored hash of a code, however it was typed; nil when it can't be a code.
    package static func hash(code typed: String, letters count: Int = longCode) -> [UInt8]? {
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
        return plain.count == count ? hash(plain) : nil
    }
}
