import Foundation
import Speech

/// A file with a secret, which keeps the secret off the command line.
enum SecretFile {
    private static let most = 4_000

    /// The only line of a file.
    ///
    /// - Parameters:
    ///   - path: the path; `-` for the standard input.
    ///   - name: what the line is, such as `secret`.
    /// - Throws: ``Failure`` if the file can't be read or has another form.
    static func line(_ path: String, _ name: String) throws -> String {
        let bytes = try InputFile.bytes(path, upTo: most)
        let line = bytes.last == 10 ? bytes.dropLast() : bytes
        guard (1...most).contains(line.count), !line.contains(10),
            let text = String(validating: line, as: UTF8.self)
        else {
            throw Failure(.usage, "the \(name) must be one line of at most \(most) bytes")
        }
        return text
    }
}
