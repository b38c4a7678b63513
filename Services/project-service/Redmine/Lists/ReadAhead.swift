import Foundation
import RedmineMirror
import Synchronization

/// Reads the next part of a list while the last one is put into the project. Otherwise the server
/// would be idle meanwhile, and a large mirror would take the sum of both times.
///
/// What was read ahead is only in memory, and is used only for a short time, for the same place in
/// the same reading. Otherwise that place is read again.
final class ReadAhead<Item: Identifiable & Sendable>: Sendable where Item.ID == Int {
    /// Where a part begins, and in which reading of which list.
    struct Place: Hashable, Sendable {
        let project: String
        let logIn: String
        /// The number of the project at the server.
        let remote: Int
        let sweep: Int
        let offset: Int
        let last: Int

        init(_ mirror: MirrorRow, sweep: Int, offset: Int, last: Int) {
            (project, logIn, remote) = (mirror.project, mirror.logIn, mirror.remote)
            (self.sweep, self.offset, self.last) = (sweep, offset, last)
        }

        private init(_ place: Place, at walk: PartWalk) {
            (project, logIn, remote) = (place.project, place.logIn, place.remote)
            (sweep, offset, last) = (place.sweep, walk.offset, walk.last)
        }

        var walk: PartWalk { PartWalk(offset: offset, last: last) }

        /// Where the next part begins.
        func going(to walk: PartWalk) -> Place { Place(self, at: walk) }
    }

    /// A part that is being read, or was read.
    private final class Reading: Sendable {
        private let part = Mutex<ListPart<Item>?>(nil)
        private let isRead = DispatchSemaphore(value: 0)

        func end(_ part: ListPart<Item>) {
            self.part.withLock { $0 = part }
            isRead.signal()
        }

        /// Waits until it is read. Call this only once.
        func wait() -> ListPart<Item>? {
            isRead.wait()
            return part.withLock(\.self)
        }
    }

    /// The maximum number of parts that are read ahead; for one project, only one is.
    private let most: Int
    /// How long a part may wait to be used.
    private let patience: Duration
    private let readings = Mutex<
        [(place: Place, begun: ContinuousClock.Instant, reading: Reading)]
    >([])

    init(most: Int = 2, patience: Duration = .seconds(60)) {
        (self.most, self.patience) = (most, patience)
    }

    /// The part at a place, which was read ahead or is read now. Then the next one is begun.
    func part(
        at place: Place, read: @escaping @Sendable (PartWalk) -> ListPart<Item>
    ) -> ListPart<Item> {
        let part = take(place)?.wait() ?? read(place.walk)
        if part.problem == nil, !part.walk.isDone {
            begin(place.going(to: part.walk), read)
        }
        return part
    }

    private func take(_ place: Place) -> Reading? {
        readings.withLock { readings in
            let found = readings.first { $0.place == place && .now - $0.begun < patience }
            readings.removeAll { $0.place.project == place.project }
            return found?.reading
        }
    }

    private func begin(
        _ place: Place, _ read: @escaping @Sendable (PartWalk) -> ListPart<Item>
    ) {
        let reading = Reading()
        readings.withLock { readings in
            if readings.count >= most { readings.removeFirst() }
            readings.append((place, .now, reading))
        }
        Thread.detachNewThread { reading.end(read(place.walk)) }
    }
}
