import Bus
import HTTPExchange
import ServiceRuntime
import Synchronization

/// A request that is being answered. It is logged once, when its answer is there.
final class Flight: Sendable {
    private struct State {
        var session = ""
        var isOver = false
    }

    private let line: String
    private let log: Log
    private let landed: @Sendable (_ isKnown: Bool) -> Void
    private let begun = WallClock.milliseconds()
    private let state = Mutex(State())

    /// A request that has just come.
    ///
    /// - Parameters:
    ///   - line: its method and its route.
    ///   - log: where it is logged.
    ///   - landed: called once, when its answer is there, with true if it came with a log-in.
    init(_ line: String, _ log: Log, landed: @escaping @Sendable (_ isKnown: Bool) -> Void) {
        (self.line, self.log, self.landed) = (line, log, landed)
    }

    /// Notes the session of the log-in that sent it.
    func belongs(to session: String) { state.withLock { $0.session = session } }

    /// Notes that its answer, or its stream, is there. Only the first counts.
    func land(_ status: Status, bytes: Int) {
        let session = state.withLock { state -> String? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.session
        }
        guard let session else { return }
        landed(!session.isEmpty)
        log.write(
            .info, "request",
            [
                .message: line, .id: session.isEmpty ? "-" : session, .code: "\(status.rawValue)",
                .ms: "\(max(0, WallClock.milliseconds() - begun))", .count: "\(bytes)",
            ])
    }
}
