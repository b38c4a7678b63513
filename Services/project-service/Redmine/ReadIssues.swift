import RedmineMirror
import ServiceRuntime
import Synchronization

/// The issues of mirrors that both sides last had, by the bytes from which they were read: a round
/// needs all issues of a project again and again, and reading one takes longer than looking it up.
final class ReadIssues: Sendable {
    static let shared = ReadIssues()

    /// The maximum number of issues, and of their bytes altogether.
    private static let mostIssues = 20_000
    private static let mostBytes = 20_000_000

    /// Bytes that are hashed and compared as a whole. An array is compared element by element if
    /// its type isn't known at compile time.
    private struct Key: Hashable {
        let bytes: [UInt8]

        static func == (left: Key, right: Key) -> Bool { left.bytes == right.bytes }

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private let issues = Mutex(
        BoundedCache<Key, RemoteIssue>(mostEntries: mostIssues, mostWeight: mostBytes))

    /// The issue that these bytes describe; nil if they describe none.
    func issue(_ bytes: [UInt8]) -> RemoteIssue? {
        let key = Key(bytes: bytes)
        if let known = issues.withLock({ $0[key] }) { return known }
        let issue: RemoteIssue
        do { issue = try RedmineReader.issue(bytes) } catch { return nil }
        issues.withLock { $0.put(issue, for: key, weight: 2 * bytes.count) }
        return issue
    }
}
