import Synchronization

/// How long one look at a plan may take. The searches of this library and of its rules ask it as
/// they go on, and end soon when it is over: what they have found until then counts for nothing.
package final class WorkLimit: Sendable {
    /// The limit of what runs on this thread; none when there is none.
    @TaskLocal package static var current: WorkLimit?

    private let isReached: @Sendable () -> Bool
    private let latch = Atomic(false)

    /// - Parameter isReached: tells whether the time is over; asked often, by the working thread.
    package init(_ isReached: @escaping @Sendable () -> Bool) { self.isReached = isReached }

    /// Does some work within the limit.
    ///
    /// - Returns: nil when the limit was reached.
    package func run<R>(_ work: () throws -> R) rethrows -> R? {
        let result = try Self.$current.withValue(self) { try work() }
        return latch.load(ordering: .relaxed) ? nil : result
    }

    /// True when the time is over, and from then on.
    var isOver: Bool {
        if latch.load(ordering: .relaxed) { return true }
        guard isReached() else { return false }
        latch.store(true, ordering: .relaxed)
        return true
    }

    /// True when the limit of this thread is over.
    package static var isOver: Bool { current?.isOver ?? false }
}
