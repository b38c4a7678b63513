import Bus
import Foundation
import Messages
import Speech
import Terminal

/// The stop where someone wants to get off, named by its id or by words.
struct Destination {
    /// The timetable.
    let feed: String
    /// The stop's id in it.
    let stopID: String
    /// The failure to report if the text, which is assumed to be an id, turns out not to be one.
    let otherwise: Failure?
    /// The stops that the text may mean if it isn't an id.
    let candidates: [Stop]

    /// Finds out which stop is meant.
    ///
    /// - Throws: ``Failure`` if no stop or several match; it lists those.
    init(_ text: String, feed: FeedName?, _ session: Session) throws {
        let found = try session.ask(
            .transitAlert, FindStops(text: text, feed: feed?.text ?? "", limit: 20), for: Stops.self
        )
        if let stop = Self.choose(text, among: found.stops) {
            self.init(feed: stop.feed, stopID: stop.id, otherwise: nil, [])
            return
        }
        // The search doesn't know ids; only starting a journey does.
        let isWord = !text.contains(" ")
        let feeds = isWord ? try session.ask(.transitAlert, ListFeeds(), for: Feeds.self).feeds : []
        let only = feed?.text ?? (feeds.count == 1 ? feeds.first?.name : nil)
        if isWord, let only {
            let unclear = Self.unclear(text, found.stops)
            self.init(feed: only, stopID: text, otherwise: unclear, found.stops)
            return
        }
        Self.list(found.stops, session.printer)
        throw Self.unclear(text, found.stops)
    }

    private init(feed: String, stopID: String, otherwise: Failure?, _ candidates: [Stop]) {
        self.candidates = candidates
        self.feed = feed
        self.stopID = stopID
        self.otherwise = otherwise
    }

    /// The stop that is meant without doubt: by its id, by its whole name, or because it is the
    /// only one found.
    static func choose(_ text: String, among stops: [Stop]) -> Stop? {
        let byID = stops.filter { $0.id == text }
        if byID.count == 1 { return byID.first }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        let byName = stops.filter {
            $0.name.compare(text, options: options) == .orderedSame
        }
        if byName.count == 1 { return byName.first }
        return stops.count == 1 ? stops.first : nil
    }

    /// Shows the stops to choose from.
    static func list(_ stops: [Stop], _ printer: Printer) {
        if !stops.isEmpty { printer.remark(StopsCommand.table(stops)) }
    }

    private static func unclear(_ text: String, _ stops: [Stop]) -> Failure {
        stops.isEmpty
            ? Failure(
                .refused, "no stop is called “\(text)”",
                advice: "find it with steward transit stops, and give its id with --to")
            : Failure(
                .refused, "“\(text)” may be any of \(Wording.count(stops.count, "stop"))",
                advice: "give the id of one of them with --to")
    }
}
