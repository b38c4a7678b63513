import Calendars
import WebClient

/// Fetches a calendar, and finds out when its owner is busy. It waits for the server, so it runs
/// outside the loop.
package struct CalendarFetch: Sendable {
    /// Where calendars may be fetched from.
    package enum Reach: Hashable, Sendable {
        /// From the Internet, only encrypted.
        case outside
        /// From the Internet, and from the server in the address even if it is in a private
        /// network, also unencrypted there. A redirect to another server may lead only to the
        /// Internet.
        case everywhere
    }

    /// What is known about the file from the last time.
    package typealias Version = WebExchange.Version

    /// What is in a calendar.
    package struct Contents: Hashable, Sendable {
        /// When its owner is busy, and whether that isn't certain; in order of beginning.
        package var times: [(span: TimeSpan, isTentative: Bool)] {
            zip(spans, tentative).map { ($0, $1) }
        }
        package let version: Version
        /// The first things that could not be read.
        package let problems: [String]
        private let spans: [TimeSpan]
        private let tentative: [Bool]

        init(_ times: [(TimeSpan, Bool)], _ version: Version, _ problems: [String]) {
            (spans, tentative) = (times.map(\.0), times.map(\.1))
            (self.version, self.problems) = (version, problems)
        }
    }

    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        case read(Contents)
        /// It is the same as before.
        case unchanged
        /// Why it can't be read, and how many seconds the server asks to wait.
        case failed(String, after: Int?)
    }

    /// The limits for fetched calendars.
    package enum Limit {
        /// The maximum number of times kept from a calendar.
        package static let times = 10_000
        /// How many times a server may redirect.
        static let redirections = 5
        /// How many problems are described.
        static let problems = 10
    }

    private let address: CalendarAddress
    private let reach: Reach
    private let known: Version
    private let window: TimeSpan
    private let zone: Zone

    /// - Parameters:
    ///   - address: where it is.
    ///   - reach: where it may lead.
    ///   - known: what is known about it from the last time; nil to read it in any case.
    ///   - window: the period of interest, in seconds since 1970.
    ///   - zone: the zone of its owner.
    package init(
        _ address: CalendarAddress, _ reach: Reach, known: Version?, window: TimeSpan, zone: Zone
    ) {
        (self.address, self.reach, self.known) = (address, reach, known ?? Version())
        (self.window, self.zone) = (window, zone)
    }

    /// Fetches the calendar.
    package func run() -> Outcome {
        var place = address
        for _ in 0...Limit.redirections {
            switch ask(place) {
            case .outOfReach: return .failed(refusal(of: place), after: nil)
            case .failure(let reason, _): return .failed(reason, after: nil)
            case .answer(let answer):
                guard answer.isRedirection else { return judge(answer) }
                do throws(CalendarAddress.Fault) {
                    place = try place.redirected(to: answer.redirect ?? "")
                } catch { return .failed("it redirects to something other than a URL", after: nil) }
            }
        }
        return .failed("it redirects more than \(Limit.redirections) times", after: nil)
    }

    private func ask(_ place: CalendarAddress) -> WebExchange.Outcome {
        var limits = WebExchange.Limits(bytes: CalendarLimits.bytes)
        (limits.connect, limits.whole, limits.patience, limits.slowest) = (5_000, 30_000, 8, 500)
        let headers = ["Accept: text/calendar, */*;q=0.5"] + known.conditions
        var exchange = WebExchange("GET", place.text, headers: headers, limits: limits)
        exchange.reach = place.isEncrypted ? .outside : []
        if reach == .everywhere, isNamed(place) { exchange.reach.insert(.inside) }
        // A name that may not be reached, whatever it resolves to, is not looked up.
        guard !exchange.reach.isEmpty else { return .outOfReach }
        exchange.mayBePacked = true
        return exchange.perform()
    }

    /// Whether a place is the server that somebody has named, rather than another that it redirects
    /// to.
    private func isNamed(_ place: CalendarAddress) -> Bool {
        place.server == address.server || place.host == address.host && place.isEncrypted
    }

    private func refusal(of place: CalendarAddress) -> String {
        guard isNamed(place) else {
            return "it redirects to \(place.server), which is in a private network or isn't "
                + "encrypted"
        }
        return place.isEncrypted || reach == .outside
            ? "its address is a private one, which the operator has not allowed"
            : "its address is a public one; use https"
    }

    private func judge(_ answer: WebExchange.Answer) -> Outcome {
        switch answer.code {
        case 200: break
        case 304 where known != Version(): return .unchanged
        case 401, 403:
            return .failed(
                "it answers \(answer.code): it wants another user, password or address", after: nil)
        case 404, 410: return .failed("it answers \(answer.code): it isn't there", after: nil)
        default: return .failed("it answers \(answer.code)", after: answer.retryAfter)
        }
        // Captive portals and log-in pages answer everything with status 200.
        guard !answer.type.hasPrefix("text/html") else {
            return .failed("it sends a web page, not a calendar", after: nil)
        }
        do throws(CalendarProblem) { return .read(try contents(of: answer)) } catch {
            return .failed("it sends no calendar that can be read: \(error)", after: nil)
        }
    }

    private func contents(
        of answer: WebExchange.Answer
    ) throws(CalendarProblem) -> Contents {
        let calendar = try CalendarFile(answer.body)
        var sure: [TimeSpan] = []
        var unsure: [TimeSpan] = []
        for time in try calendar.busyTimes(in: window, zone: zone) {
            if time.kind == .tentative { unsure.append(time.span) } else { sure.append(time.span) }
        }
        sure = TimeSpan.union(sure)
        unsure = TimeSpan.subtracting(sure, from: TimeSpan.union(unsure))
        guard sure.count + unsure.count <= Limit.times else {
            throw CalendarProblem(
                reason: "it makes its owner busy more than \(Limit.times) times",
                cure: "export a calendar without these")
        }
        let times = sure.map { ($0, false) } + unsure.map { ($0, true) }
        return Contents(
            times.sorted { $0.0 < $1.0 },
            answer.version,
            calendar.problems.first.prefix(Limit.problems).map { "\($0)" })
    }
}
