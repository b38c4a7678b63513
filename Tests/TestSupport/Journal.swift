import Foundation
import Messages

/// A command in a client's journal.
public struct JournalEntry: Hashable, Sendable {
    /// The id of the command.
    public let id: MessageID
    /// What the command asks for, or what was answered.
    public let text: String

    /// Creates an entry.
    public init(id: MessageID, _ text: String) {
        self.id = id
        self.text = text
    }
}

/// A file that records which commands a client has sent and which were acknowledged. Each line is
/// written in one system call, so that it survives the end of the process.
public final class Journal {
    /// The kind of a line.
    public enum Kind: String, Sendable {
        case sent
        case acknowledged
    }

    private let file: Int32
    private let path: String

    /// Opens the journal in a file; creates the file if needed.
    public init(path: String) throws {
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Complaint.system("open \(path)") }
    }

    deinit { close(file) }

    /// Appends a line.
    public func write(_ kind: Kind, _ entry: JournalEntry) throws {
        let line = Array("\(kind.rawValue) \(entry.id) \(entry.text)\n".utf8)
        guard Foundation.write(file, line, line.count) == line.count else {
            throw Complaint.system("write \(path)")
        }
    }

    /// Returns the lines of a kind. A command that was sent several times has several lines.
    public func entries(_ wanted: Kind) throws -> [JournalEntry] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
            line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, words[0] == wanted.rawValue, let id = MessageID(words[1]) else {
                return nil
            }
            return JournalEntry(id: id, String(words[2]))
        }
    }

    /// Returns the commands that were sent but not acknowledged, in order and each once.
    public func unfinished() throws -> [JournalEntry] {
        var known = Set(try entries(.acknowledged).map(\.id))
        return try entries(.sent).filter { known.insert($0.id).inserted }
    }
}
