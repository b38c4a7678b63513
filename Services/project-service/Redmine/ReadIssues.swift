import RedmineMirror
import ServiceRuntime
import Synchronization

/// Issues of mirrors as both sides had them last, by the bytes of which they were read: a round
/// needs all of a project again and again, and reading one takes longer than looking it up.
final class ReadIssues: Sendable {
    static let shared = ReadIssues()

    /// The maximum number of issues, and of bytes of all.
    private static let mostIssues = 20_000
    private static let mostBytes = 20_000_000

    /// Bytes that are hashed and compared as a whole; an array is one element at a time where its
    /// type isn't known when it is compiled.
    private struct Key: Hashable {
        let bytes: [UInt8]

        static func == (left: Key, right: Key) -> Bool { left.bytes == right.bytes }

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private let issues = Mutex(
        BoundedCache<Key, RemoteIssue>(mostEntries: mostIssues, mostWeight: mostBytes))

    /// The issue that some bytes say; nil when they say none.
    func issue(_ bytes: [UInt8]) -> RemoteIssue? {
        let key = Key(bytes: bytes)
        if let known = issues.withLock({ $0[key] }) { return known }
        let issue: RemoteIssue
        do { issue = try RedmineReader.issue(bytes) } catch { return nil }
        issues.withLock { $0.put(issue, for: key, weight: 2 * bytes.count) }
        return issue
    }
}
