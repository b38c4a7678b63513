import Foundation
import Speech

/// A file of a catalogue, which is read twice: first to validate all of it, then to import it.
/// Input from a pipe is copied to the disk first.
final class CatalogueFile {
    /// The name that the person gave.
    let name: String
    /// Its size, bytes.
    let size: Int
    private let file: Int32

    /// The number of bytes read at a time.
    static let pieceSize = 1 << 18

    /// Opens a file; `-` is the standard input.
    ///
    /// - Throws: ``Failure`` if it can't be read.
    init(_ path: String) throws {
        name = path == "-" ? "the standard input" : path
        let source = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw Self.failure(name) }
        var status = stat()
        guard fstat(source, &status) == 0 else {
            close(source)
            throw Self.failure(name)
        }
        if status.st_mode & S_IFMT == S_IFREG, lseek(source, 0, SEEK_SET) == 0 {
            (file, size) = (source, Int(status.st_size))
        } else {
            defer { close(source) }
            (file, size) = try Self.putAside(source, name)
        }
    }

    deinit { close(file) }

    /// Goes back to the beginning.
    func rewind() { lseek(file, 0, SEEK_SET) }

    /// The next piece; empty at the end.
    func piece() throws -> [UInt8] { try Self.read(file, name) }

    /// Copies the contents of a pipe into a file without a name, which disappears with this
    /// process.
    private static func putAside(_ pipe: Int32, _ name: String) throws -> (Int32, Int) {
        var path = Array((NSTemporaryDirectory() + "/steward-XXXXXX").utf8CString)
        let copy = mkstemp(&path)
        guard copy >= 0 else { throw failure("a temporary file") }
        unlink(path)
        var size = 0
        do {
            while case let piece = try read(pipe, name), !piece.isEmpty {
                var rest = piece[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
                    guard count > 0 || errno == EINTR else {
                        throw failure("a temporary file")
                    }
                    rest = rest.dropFirst(max(0, count))
                }
                size += piece.count
            }
        } catch {
            close(copy)
            throw error
        }
        lseek(copy, 0, SEEK_SET)
        return (copy, size)
    }

    private static func read(_ file: Int32, _ name: String) throws -> [UInt8] {
        while true {
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, count in
                let got = Foundation.read(file, buffer.baseAddress, buffer.count)
                code = got < 0 ? errno : 0
                count = max(0, got)
            }
            if code == 0 { return bytes }
            guard code == EINTR else { throw failure(name, code) }
        }
    }

    private static func failure(_ name: String, _ code: Int32 = errno) -> Failure {
        Failure(.file, "\(name) can't be read: \(String(cString: strerror(code)))")
    }
}
