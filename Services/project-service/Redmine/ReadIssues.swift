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

    private let issues = Mutex(
        BoundedCache<[UInt8], RemoteIssue>(mostEntries: mostIssues, mostWeight: mostBytes))

    /// The issue that some bytes say; nil when they say none.
    func issue(_ bytes: [UInt8]) -> RemoteIssue? {
        if let known = issues.withLock({ $0[bytes] }) { return known }
        let issue: RemoteIssue
        do { issue = try RedmineReader.issue(bytes) } catch { return nil }
        issues.withLock { $0.put(issue, for: bytes, weight: 2 * bytes.count) }
        return issue
    }
}
