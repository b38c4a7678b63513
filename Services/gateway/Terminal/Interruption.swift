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
        for number in signals where !isIgnored(number) {
            signal(number) { _ in Interruption.presses.add(1, ordering: .relaxed) }
        }
        return true
    }

    /// Lets such a request end the program again, which is the default.
    package static func unwatch() {
        for number in signals where !isIgnored(number) { signal(number, SIG_DFL) }
        isWatched.store(false, ordering: .relaxed)
    }

    /// The signals that are such requests. One that the program was started to ignore, as with
    /// nohup, is ignored all the time.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        let handler: (@convention(c) (Int32) -> Void)? = action.__sigaction_handler.sa_handler
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The number of requests since `watch`, even after `unwatch`.
    package static var count: Int { presses.load(ordering: .relaxed) }

    /// True if there was a request.
    package static var isWanted: Bool { count > 0 }
}
