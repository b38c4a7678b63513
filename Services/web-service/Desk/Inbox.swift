import Bus
import Synchronization

/// Work that other threads leave for the thread of a reader.
final class Inbox<Reader>: Sendable {
    /// Work to be done on the thread of the reader.
    typealias Work = @Sendable (Reader) -> Void

    private let works = Mutex<[Work]>([])
    private let ringing = Mutex<Bell?>(nil)

    /// Leaves work. It waits until the reader has started.
    func put(_ work: @escaping Work) {
        works.withLock { $0.append(work) }
        ringing.withLock { $0?.ring() }
    }

    /// The work that was left, in order; each is returned once.
    func take() -> [Work] {
        works.withLock { works in
            defer { works.removeAll(keepingCapacity: true) }
            return works
        }
    }

    /// From now on, wakes the thread that waits for this bell.
    func connect(_ bell: Bell) { ringing.withLock { $0 = bell } }
}
