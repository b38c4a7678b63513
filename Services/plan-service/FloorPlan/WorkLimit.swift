import Messages
import Synchronization

/// A time limit for one examination of a plan. The searches of this library and of the rules check
/// it as they go, and end soon after it is reached: their results are then meaningless.
package final class WorkLimit: Sendable {
    /// The limit of the work on this thread; nil for none.
    @TaskLocal package static var current: WorkLimit?

    private let isReached: @Sendable () -> Bool
    private let latch = Atomic(false)

    /// - Parameter isReached: returns whether the time is over; called often, by the working
    ///   thread.
    package init(_ isReached: @escaping @Sendable () -> Bool) { self.isReached = isReached }

    /// Runs work within the limit.
    ///
    /// - Returns: nil if the limit was reached.
    package func run<R>(_ work: () throws -> R) rethrows -> R? {
        let result = try Self.$current.withValue(self) { try work() }
        return latch.load(ordering: .relaxed) ? nil : result
    }

    /// Runs work, and gives it up when it takes longer than `seconds` by a clock.
    ///
    /// - Throws: `refusal` if it takes longer, and what the work throws.
    package static func run<R>(
        for seconds: Double, by clock: @escaping @Sendable () -> Double,
        orThrow refusal: Refusal, _ work: () throws -> R
    ) throws -> R {
        let begin = clock()
        let limit = WorkLimit { clock() - begin > seconds }
        guard let result = try limit.run(work) else { throw refusal }
        return result
    }

    /// How many times longer work may take in a debug build, which is slower.
    package static var debugFactor: Double {
        #if DEBUG
            10
        #else
            1
        #endif
    }

    /// True once the time is over.
    var isOver: Bool {
        if latch.load(ordering: .relaxed) { return true }
        guard isReached() else { return false }
        latch.store(true, ordering: .relaxed)
        return true
    }

    /// Ends the work on this thread as if its time were over, because it would take too much
    /// memory. Work without a limit goes on.
    package static func giveUp() { current?.latch.store(true, ordering: .relaxed) }

    /// True if the limit of this thread was reached.
    package static var isOver: Bool { current?.isOver ?? false }
}
