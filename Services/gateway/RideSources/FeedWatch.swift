import Foundation
import Synchronization

/// Watches a GTFS-Realtime feed, on a thread of its own, so that nobody waits for the server.
package final class FeedWatch<News: Sendable>: Sendable {
    private struct State {
        var news: News?
        /// The fault of the feed that was fetched last, which lasts for as long as the feed doesn't
        /// change.
        var faultOfFeed: String? = "not fetched yet"
        /// Why the feed could not be fetched the last time.
        var faultOfFetch: String?
        var isEnded = false
    }

    /// Shared with the thread, so that the thread doesn't keep the watch alive.
    private final class Shared: Sendable {
        let state = Mutex(State())
        /// Ends the pause of the thread.
        let end = DispatchSemaphore(value: 0)
        var isEnded: Bool { state.withLock(\.isEnded) }
    }

    private let shared = Shared()

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - feed: where the feed is: a URL or a path.
    ///   - isFile: whether it is a path.
    ///   - interval: the time from one fetch to the next.
    ///   - read: finds in a packed feed what is wanted; its error is a clause for a person.
    package init(
        _ feed: String, isFile: Bool, interval: Duration,
        read: @escaping @Sendable ([UInt8]) throws -> News
    ) {
        let shared = shared
        Thread.detachNewThread {
            var fetch = FeedFetch(feed, isFile: isFile, largest: VehicleReport.largest)
            while !shared.isEnded {
                Self.look(&fetch, shared, read)
                let pause = Int(interval / .milliseconds(1))
                _ = shared.end.wait(timeout: .now() + .milliseconds(pause))
            }
        }
    }

    deinit {
        shared.state.withLock { $0.isEnded = true }
        shared.end.signal()
    }

    /// Why there is no new data; nil while there is some.
    package var fault: String? {
        shared.state.withLock { $0.faultOfFetch ?? $0.faultOfFeed }
    }

    /// The newest data, once; nil if there is none since the last call.
    package func newest() -> News? {
        shared.state.withLock { state in
            defer { state.news = nil }
            return state.news
        }
    }

    private static func look(
        _ fetch: inout FeedFetch, _ shared: Shared, _ read: ([UInt8]) throws -> News
    ) {
        let bytes: [UInt8]?
        do throws(FeedFetch.Failure) { bytes = try fetch.next() } catch {
            return shared.state.withLock { $0.faultOfFetch = "\(error)" }
        }
        shared.state.withLock { $0.faultOfFetch = nil }
        guard let bytes else { return }
        do {
            let news = try read(bytes)
            shared.state.withLock { ($0.news, $0.faultOfFeed) = (news, nil) }
        } catch {
            shared.state.withLock { $0.faultOfFeed = "\(error)" }
        }
    }
}

/// How often agencies' feeds are fetched: they renew theirs every 10 to 30 seconds (GTFS Realtime
/// best practices).
package enum FeedPause {
    /// The time from one fetch to the next.
    package static let usual: Duration = .seconds(10)
}
