import Foundation
import Speech

/// A file that a command reads. It may be of any kind, even a pipe or an endless device.
enum InputFile {
    /// The bytes of a file. For one that is too large, or endless, one byte more than the maximum,
    /// so that its reader refuses it.
    ///
    /// - Parameters:
    ///   - path: the path; `-` for the standard input.
    ///   - most: the maximum number of bytes.
    /// - Throws: ``Failure`` for a file that can't be read.
    static func bytes(_ path: String, upTo most: Int) throws -> [UInt8] {
        do {
            let file =
                path == "-"
                ? FileHandle.standardInput
                : try FileHandle(forReadingFrom: URL(filePath: path))
            return [UInt8](try file.read(upToCount: most + 1) ?? Data())
        } catch { throw Failure(.file, "\(path) can't be read: \(error.reason)") }
    }

    /// The bytes of a file whose reader has no limit of its own.
    ///
    /// - Parameters:
    ///   - path: the path; `-` for the standard input.
    ///   - most: the maximum number of bytes, whole MiB.
    ///   - cure: what to do about a larger one.
    /// - Throws: ``Failure`` for a file that can't be read or is larger.
    static func bytes(_ path: String, atMost most: Int, cure: String) throws -> [UInt8] {
        let bytes = try bytes(path, upTo: most)
        guard bytes.count <= most else {
            throw Failure(.refused, "\(path) has more than \(most >> 20) MiB", advice: cure)
        }
        return bytes
    }
}
