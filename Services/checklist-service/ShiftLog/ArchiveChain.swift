import Checksum
import Messages

/// The chain of SHA-256 hashes that ties each record of a site's archive to all before it.
package enum ArchiveChain {
    /// The hash before the first record: that of the site's id.
    package static func beginning(of site: String) -> [UInt8] { Checksum.of(Array(site.utf8)) }

    /// The hash of a record: that of the previous hash and the packed operation, with every field
    /// that the service sets.
    package static func hash(after previous: [UInt8], _ packed: [UInt8]) -> [UInt8] {
        Checksum.of(previous, packed)
    }

    /// The hash of a packed template, by which a shift identifies the version that it uses.
    package static func digest(_ packed: [UInt8]) -> [UInt8] { Checksum.of(packed) }

    /// The hash of a template in packed form.
    package static func digest(of template: ChecklistTemplate) -> [UInt8] {
        digest(template.packed())
    }
}
