import CSodium
import Messages

/// How the records of an archive hold on to each other: each has the hash of the one before it in
/// its own, so that none can be changed, taken out or moved without the next one telling.
package enum ArchiveChain {
    /// On what the first record of a site follows: SHA-256 of the site's id.
    package static func beginning(site: String) -> [UInt8] { sha256(Array(site.utf8)) }

    /// The hash of a record: SHA-256 of the hash before it and the packed operation.
    package static func hash(after previous: [UInt8], _ operation: [UInt8]) -> [UInt8] {
        sha256(previous + operation)
    }

    /// SHA-256 (FIPS 180-4), 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }
}
