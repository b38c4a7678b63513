import Checksum
import Messages

/// The chain of hashes that ties each record of a site's archive to all before it. They are
/// SHA-256.
package enum ArchiveChain {
    /// The hash that the first record follows on: that of the site's id.
    package static func beginning(of site: String) -> [UInt8] { Checksum.of(Array(site.utf8)) }

    /// The hash of a record: that of the hash before it and the packed operation, with every field
    /// that the service sets.
    package static func hash(after previous: [UInt8], _ packed: [UInt8]) -> [UInt8] {
        Checksum.of(previous, packed)
    }

    /// The hash of a packed template, by which a shift names the version that it works with.
    package static func digest(_ packed: [UInt8]) -> [UInt8] { Checksum.of(packed) }

    /// The hash of a template as it is packed.
    package static func digest(of template: ChecklistTemplate) -> [UInt8] {
        digest(template.packed())
    }
}
