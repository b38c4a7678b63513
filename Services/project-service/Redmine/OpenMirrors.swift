import ServiceRuntime
import Synchronization

/// The links of the mirrors with the most recent rounds, as they are in the store.
///
/// They are identified by a mark that is drawn whenever they are written. So what a transaction put
/// here before it was rolled back is never used.
final class OpenMirrors: Sendable {
    static let shared = OpenMirrors()

    private static let mostMirrors = 100
    private static let mostBytes = 20_000_000

    private struct Entry {
        let mark: Int64
        let links: MirrorLinks
    }

    private let entries = Mutex(
        BoundedCache<String, Entry>(mostEntries: mostMirrors, mostWeight: mostBytes))

    /// The links of a project with a mark.
    func links(of project: String, mark: Int64) -> MirrorLinks? {
        let entry = entries.withLock { $0[project] }
        return entry?.mark == mark ? entry?.links : nil
    }

    /// Keeps links as they were read or written.
    func put(_ links: MirrorLinks, of project: String, mark: Int64) {
        let entry = Entry(mark: mark, links: links.written)
        entries.withLock { $0.put(entry, for: project, weight: links.bytes) }
    }
}
