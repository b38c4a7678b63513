import CSodium
import Foundation

/// Thrown when there isn't enough memory to hash a password.
package struct HashFailure: Error, CustomStringConvertible {
    package let description = "there isn't enough memory to hash a password"
}

/// The stored form of a password: argon2id, with its salt and cost in the text.
package struct PasswordHash: Hashable, Sendable {
    /// The cost of trying one password.
    package struct Cost: Hashable, Sendable {
        let passes: UInt64
        let bytes: Int

        /// The minimum that OWASP recommends for argon2id: 2 passes over 19 MiB.
        package static let standard = Cost(passes: 2, bytes: 19 << 20)
        /// The minimum that libsodium allows. Tests use it to show that cheaper hashes are
        /// replaced.
        package static let least = Cost(passes: 1, bytes: 8 << 10)
    }

    /// The text that libsodium writes and reads.
    package let text: String

    /// Makes a hash from its stored text.
    package init(_ text: String) { self.text = text }

    /// Hashes a password with a fresh salt, which takes tens of milliseconds.
    package init(of password: String, cost: Cost = .standard) throws(HashFailure) {
        Sodium.prepare()
        let characters = Self.characters(password)
        var out = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
        let code = crypto_pwhash_str_alg(
            &out, characters, UInt64(characters.count), cost.passes, cost.bytes,
            crypto_pwhash_alg_argon2id13())
        guard code == 0 else { throw HashFailure() }
        text = String(
            decoding: out.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// True when the password is right; takes tens of milliseconds either way.
    package func accepts(_ password: String) -> Bool {
        Sodium.prepare()
        let characters = Self.characters(password)
        return crypto_pwhash_str_verify(text, characters, UInt64(characters.count)) == 0
    }

    /// True when the hash was made at a cost other than today's.
    package func needsRehash(cost: Cost = .standard) -> Bool {
        Sodium.prepare()
        return crypto_pwhash_str_needs_rehash(text, cost.passes, cost.bytes) != 0
    }

    /// The bytes of a password, the same however the keyboard composes its letters.
    private static func characters(_ password: String) -> [CChar] {
        password.precomposedStringWithCompatibilityMapping.utf8
            .map { CChar(truncatingIfNeeded: $0) }
    }
}
