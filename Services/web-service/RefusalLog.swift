import Bus
import HTTPExchange
import ServiceRuntime
import Synchronization

/// Logs requests that are refused before anyone is asked about them. Anyone can send as many as the
/// network carries, so only some of each kind are logged, and then how many were not.
final class RefusalLog: Sendable {
    private struct State {
        var limit = SpeedLimit<Status>(burst: 20, perSecond: 1.0 / 3)
        /// How many were not logged.
        var unlogged: [Status: Int] = [:]
    }

    private let log: Log
    private let state = Mutex(State())

    /// Makes a log without entries.
    init(_ log: Log) { self.log = log }

    /// Notes a refusal.
    ///
    /// - Parameters:
    ///   - status: how it is answered.
    ///   - line: the method and the route; `-` for what isn't known.
    func note(_ status: Status, _ line: String) {
        let unlogged = state.withLock { state -> Int? in
            guard state.limit.count(status, at: WallClock.milliseconds()) == nil else {
                state.unlogged[status, default: 0] += 1
                return nil
            }
            return state.unlogged.removeValue(forKey: status) ?? 0
        }
        guard let unlogged else { return }
        log.write(
            .info, "refused",
            [.message: line, .code: "\(status.rawValue)", .count: "\(unlogged)"])
    }
}
