import Foundation
import Synchronization

/// Whether the person at the terminal wants a long command to end: Ctrl-C, or SIGTERM.
package enum Interruption {
    private static let presses = Atomic<Int>(0)

    /// Starts counting such requests instead of ending immediately.
    package static func watch() {
        presses.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.presses.add(1, ordering: .relaxed) }
        }
    }

    /// Lets such a request end the program again, which is the default.
    static func unwatch() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }

    /// The number of requests since `watch`.
    package static var count: Int { presses.load(ordering: .relaxed) }

    /// True if there was a request.
    package static var isWanted: Bool { count > 0 }
}
