import CSodium
import Messages

/// The chain of hashes that ties each record of a site's archive to all before it.
package enum ArchiveChain {
    /// The hash that the first record follows on: SHA-256 of the site's id.
    package static func beginning(of site: String) -> [UInt8] { hash(Array(site.utf8)) }

    /// The hash of a record: SHA-256 of the hash before it and the packed operation, with every
    /// field that the service sets.
    package static func hash(after previous: [UInt8], _ packed: [UInt8]) -> [UInt8] {
        prepare()
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        crypto_hash_sha256_update(&state, previous, UInt64(previous.count))
        crypto_hash_sha256_update(&state, packed, UInt64(packed.count))
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256_final(&state, &hash)
        return hash
    }

    /// SHA-256 of a packed template: by what a shift names the version that it works with.
    package static func digest(_ packed: [UInt8]) -> [UInt8] { hash(packed) }

    /// SHA-256 of a template as it is packed.
    package static func digest(of template: ChecklistTemplate) -> [UInt8] {
        hash(template.packed())
    }

    /// SHA-256 (FIPS 180-4).
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        prepare()
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    private static let isReady = sodium_init() >= 0

    /// Makes libsodium ready, once for the process.
    static func prepare() {
        precondition(isReady, "libsodium can't be made ready: the system gives no random numbers")
    }
}
