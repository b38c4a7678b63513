import Foundation

/// The room on a disk.
package enum DiskRoom {
    /// What a copy leaves free, in bytes, unless the disk is small: enough for services to go on.
    private static let reserve = Double(64 << 20)

    /// True if a disk is so full that a copy must stop, because those who keep stores there could
    /// soon write nothing more.
    ///
    /// - Parameter path: a file or a folder on the disk.
    package static func isLow(at path: String) -> Bool {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return false }
        let block = Double(facts.f_frsize)
        let (free, size) = (Double(facts.f_bavail) * block, Double(facts.f_blocks) * block)
        return free < min(reserve, size / 20)
    }
}
