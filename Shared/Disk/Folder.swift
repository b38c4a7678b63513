import Foundation

/// A folder of the file system.
package enum Folder {
    /// Makes the names in a folder durable, if it may be read and its file system can do that. A
    /// file that is new, renamed or deleted may be as before after a loss of power otherwise.
    ///
    /// - Parameter path: the folder; an empty path is the current one.
    /// - Returns: false if that failed; then `errno` says why.
    package static func flush(_ path: String) -> Bool {
        let file = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return errno == EACCES }
        defer { close(file) }
        return fsync(file) == 0 || [EINVAL, ENOSYS, ENOTSUP].contains(errno)
    }

    /// Makes the name of a file or a folder durable, by flushing the folder that it is in.
    ///
    /// - Parameter path: the file or folder.
    /// - Returns: false if that failed; then `errno` says why.
    package static func flushName(of path: String) -> Bool {
        flush((path as NSString).deletingLastPathComponent)
    }
}
