import Foundation
import Synchronization

/// Whether the person at the terminal wants a long command to end: Ctrl-C, or SIGTERM.
package enum Interruption {
    private static let presses = Atomic<Int>(0)
    private static let isWatched = Atomic<Bool>(false)

    /// Starts counting such requests instead of ending immediately. If they are counted already,
    /// those that came before still count.
    ///
    /// - Returns: false if they are counted already.
    @discardableResult
    package static func watch() -> Bool {
        guard !isWatched.exchange(true, ordering: .relaxed) else { return false }
        presses.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.presses.add(1, ordering: .relaxed) }
        }
        return true
    }

    /// Lets such a request end the program again, which is the default.
    package static func unwatch() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        isWatched.store(false, ordering: .relaxed)
    }

    /// The number of requests since `watch`, also after `unwatch`.
    package static var count: Int { presses.load(ordering: .relaxed) }

    /// True if there was a request.
    package static var isWanted: Bool { count > 0 }
}
