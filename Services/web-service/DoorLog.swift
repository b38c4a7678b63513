import Bus
import HTTPExchange
import ServiceRuntime
import Synchronization

/// Logs requests that are answered before anyone is asked about them: files, and what is refused.
/// Anyone can send as many as the network carries, so only some of each kind are logged, and then
/// how many were not.
final class DoorLog: Sendable {
    private struct State {
        var refusals = SpeedLimit<Status>(burst: 20, perSecond: 1.0 / 3)
        /// A page has some twenty files, which its browser keeps.
        var files = SpeedLimit<Status>(burst: 200, perSecond: 1.0 / 3)
        /// How many were not logged. A file is never answered as a refusal is.
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
    func refused(_ status: Status, _ line: String) {
        guard let unlogged = count(status) else { return }
        log.write(
            .info, "refused",
            [.message: line, .code: "\(status.rawValue)", .count: "\(unlogged)"])
    }

    /// Notes that a file is served, or that the browser has it. That takes no time worth noting.
    func served(_ response: Response, _ line: String) {
        guard let unlogged = count(response.status) else { return }
        let code = "\(response.status.rawValue)"
        log.write(
            .info, "request",
            [
                .message: line, .id: "-", .code: code, .ms: "0",
                .count: "\(response.body.count)",
            ])
        guard unlogged > 0 else { return }
        log.write(.info, "unlogged", [.message: line, .code: code, .count: "\(unlogged)"])
    }

    /// Counts one more.
    ///
    /// - Returns: nil if it isn't logged, else how many were not since the last one.
    private func count(_ status: Status) -> Int? {
        let now = WallClock.milliseconds()
        return state.withLock { state -> Int? in
            let wait =
                status.isRefusal
                ? state.refusals.count(status, at: now) : state.files.count(status, at: now)
            guard wait == nil else {
                state.unlogged[status, default: 0] += 1
                return nil
            }
            return state.unlogged.removeValue(forKey: status) ?? 0
        }
    }
}
