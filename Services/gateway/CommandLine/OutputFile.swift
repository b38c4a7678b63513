import Foundation
import Speech

/// A file that a command writes, where a person wants it. It may be of any kind, even a pipe or a
/// device.
enum OutputFile {
    /// Writes a file. An existing file is replaced as a whole if its folder is writable, so that it
    /// survives a full disk or a kill. A pipe, a device or a link stays, and the bytes go where it
    /// leads.
    ///
    /// - Throws: ``Failure`` for a file that can't be written.
    static func write(_ bytes: [UInt8], to path: String) throws {
        // Replacing a device would take it from every other program, and root may do so.
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let isReplaced = !isSpecial(path) && access(folder, W_OK) == 0
        let options: Data.WritingOptions = isReplaced ? .atomic : []
        do { try Data(bytes).write(to: URL(filePath: path), options: options) } catch {
            throw Failure(.file, "\(path) can't be written: \(error.reason)")
        }
    }

    /// True if something is there that is not an ordinary file.
    private static func isSpecial(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    }
}
