import Foundation
import Speech

/// A file that a command writes, where a person wants it. It may be of any kind, even a pipe or a
/// device.
enum OutputFile {
    /// Writes a file. An existing file is replaced as a whole if its folder is writable, so that it
    /// survives a full disk or a kill. A pipe, a device or a link stays, and the bytes go where it
    /// leads, unless another account has made the link: it could lead to a file that only this
    /// account may write.
    ///
    /// - Throws: ``Failure`` for a file that can't be written.
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard !isForeignLink(path) else {
            throw Failure(
                .file, "\(path) is a link that another account has made; nothing was written",
                advice: "remove the link, or choose another name")
        }
        // Replacing a device would take it from every other program, and root may do so.
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let isReplaced = !isSpecial(path) && access(folder, W_OK) == 0
        let options: Data.WritingOptions = isReplaced ? .atomic : []
        do { try Data(bytes).write(to: URL(filePath: path), options: options) } catch {
            throw Failure(.file, "\(path) can't be written: \(error.reason)")
        }
    }

    /// True for a link of an account that is neither this one nor root, whose links everyone uses,
    /// such as `/dev/stdout`.
    private static func isForeignLink(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
            && facts.st_uid != geteuid() && facts.st_uid != 0
    }

    /// True if something is there that is not an ordinary file.
    private static func isSpecial(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    }
}

/// A new folder for what a command writes about a person, which only that person may read.
struct OutputFolder {
    private let path: String

    /// Makes the folder.
    ///
    /// - Throws: ``Failure`` if it can't be made, or isn't empty.
    init(_ path: String) throws {
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            guard try manager.contentsOfDirectory(atPath: path).isEmpty else {
                throw Failure(.file, "\(path) is not empty", advice: "choose another folder")
            }
        } catch let failure as Failure { throw failure } catch {
            throw Failure(.file, "\(path) can't be made: \(error.localizedDescription)")
        }
        self.path = path
    }

    /// Writes a file into the folder.
    ///
    /// - Returns: its path.
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name).path
        try OutputFile.write(bytes, to: file)
        return file
    }

    /// Writes a file of JSON into the folder.
    ///
    /// - Returns: its path.
    func write(json content: some Encodable, _ name: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try write([UInt8](encoder.encode(content)), name)
    }
}
