import Messages

/// Files of issues, which other programs read and write too.
package enum ProjectFile {
    /// The maximum size of a file in bytes.
    package static let largest = 32 << 20
    /// The maximum size of the issues of a file as they are sent, in bytes; a message may have
    /// 1 MiB.
    package static let mostBytes = 900_000

    /// Reads the issues of a file.
    ///
    /// - Throws: a refusal that names the file, the line and the column of what can't be read.
    package static func read(
        _ bytes: [UInt8], named file: String
    ) throws(Refusal) -> ImportedIssues {
        guard bytes.count <= largest else {
            throw .invalid("\(file) has more than \(largest >> 20) MiB; split it")
        }
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        let mark = marks.first { bytes.starts(with: $0) } ?? []
        let first = bytes.dropFirst(mark.count).first { ![0, 9, 10, 13, 32].contains($0) }
        if first == UInt8(ascii: "<") { return try ProjectXMLReader.read(bytes, named: file) }
        do {
            return try IssueTableReader.read(bytes)
        } catch {
            throw .invalid("\(file): \(error)")
        }
    }
}
