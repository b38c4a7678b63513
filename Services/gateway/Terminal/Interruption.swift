import Foundation
import Synchronization

/// Whether the person at the terminal wants a long command to end: ctrl-C, or a polite kill.
package enum Interruption {
    private static let presses = Atomic<Int>(0)

    /// Begins to count instead of ending at once.
    package static func watch() {
        presses.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.presses.add(1, ordering: .relaxed) }
        }
    }

    /// Lets it end the program again, as it does by itself.
    static func unwatch() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }

    /// How often it was asked for since `watch`.
    package static var count: Int { presses.load(ordering: .relaxed) }

    /// True when it was asked for.
    package static var isWanted: Bool { count > 0 }
}
