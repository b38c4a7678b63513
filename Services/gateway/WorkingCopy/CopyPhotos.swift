import Disk
import Foundation

/// The photos of the operations that this device has made: files next to that of the working copy,
/// named by their SHA-256. They stay as long as the copy, which may have to send everything again.
extension WorkingCopy {
    /// Saves a photo. When this returns, it is on the disk.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - name: the SHA-256 of the file in hexadecimal digits.
    public func keepPhoto(_ file: [UInt8], named name: String) throws(WorkingCopyError) {
        let target = "\(photoFolder)/\(name)"
        guard FileManager.default.contents(atPath: target) != Data(file) else { return }
        try Self.makeFolder(photoFolder)
        let partial = target + ".part"
        try Self.write(file, partial)
        guard rename(partial, target) == 0 else {
            throw .system(action: "written", path: target, code: errno)
        }
        try Self.flush(photoFolder)
    }

    /// The file of a photo; nil if it isn't here.
    ///
    /// - Throws: a ``WorkingCopyError`` when it can't be read now, such as because too many files
    ///   are open, although it may be here.
    public func photo(named name: String) throws(WorkingCopyError) -> [UInt8]? {
        let path = "\(photoFolder)/\(name)"
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else {
                throw .system(action: "opened", path: path, code: errno)
            }
            return nil
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count > 0 {
                bytes += part.prefix(count)
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw .system(action: "read", path: path, code: errno)
            }
        }
    }

    /// Deletes the photos.
    func removePhotos() throws(WorkingCopyError) {
        guard FileManager.default.fileExists(atPath: photoFolder) else { return }
        do { try FileManager.default.removeItem(atPath: photoFolder) } catch {
            throw .system(action: "removed", path: photoFolder, code: errno)
        }
    }

    private static func makeFolder(_ path: String) throws(WorkingCopyError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(action: "made", path: path, code: errno)
        }
        try flush((path as NSString).deletingLastPathComponent)
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws(WorkingCopyError) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(action: "opened", path: path, code: errno) }
        defer { close(file) }
        guard OpenFile.write(bytes, to: file), fdatasync(file) == 0 else {
            throw .system(action: "written", path: path, code: errno)
        }
    }

    /// Flushes a folder: a new file survives a power cut only if its folder was flushed too.
    static func flush(_ path: String) throws(WorkingCopyError) {
        guard Folder.flush(path) else {
            throw .system(action: "written", path: path, code: errno)
        }
    }
}
