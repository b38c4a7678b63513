import Bus
import Foundation
import Messages
import Speech
import Terminal

/// The stop where someone wants to get off, named by its id or by words.
enum DestinationSearch {
    /// The maximum distance of a recorded ride from its stop where it is nearest, in metres. A ride
    /// may end long before its stop, but one that never comes this near is in another city.
    static let farthest = 100_000.0

    /// Finds out which stop is meant.
    ///
    /// - Throws: ``Failure`` if no stop or several match; it lists those.
    static func find(_ text: String, feed: FeedName?, _ session: Session) throws -> Stop {
        let reply = try session.ask(
            .transitAlert, FindStops(text: text, feed: feed?.text ?? "", limit: 20), for: Stops.self
        )
        if let gap = reply.gap { session.printer.remark("steward: \(gap)") }
        let found = reply.stops
        if let stop = choose(text, among: found) { return stop }
        guard !found.isEmpty else {
            throw Failure(
                .refused, "no stop is called “\(text)”, nor is that a stop's id",
                advice: "find it with steward transit stops, and give its id")
        }
        session.printer.remark(StopsCommand.table(found))
        let byID = found.filter { $0.id == text }
        throw Failure(
            .refused, "“\(text)” may be any of \(Wording.count(found.count, "stop"))",
            advice: byID.count > 1
                ? "say which timetable is meant with --feed"
                : "give the id of one of them")
    }

    /// The stop that is meant without doubt: by its id, by its whole name, or because it is the
    /// only one found.
    static func choose(_ text: String, among stops: [Stop]) -> Stop? {
        let byID = stops.filter { $0.id == text }
        guard byID.isEmpty else { return byID.count == 1 ? byID.first : nil }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        let byName = stops.filter {
            $0.name.compare(text, options: options) == .orderedSame
        }
        if byName.count == 1 { return byName.first }
        return stops.count == 1 ? stops.first : nil
    }

    /// Refuses a recorded ride that never comes near its stop.
    ///
    /// - Throws: ``Failure`` that says how far away it stays.
    static func check(_ schedule: RideSchedule, in file: String, to stop: Stop) throws {
        guard let place = stop.place, let nearest = schedule.nearest(to: place),
            nearest.metres > farthest
        else { return }
        throw Failure(
            .refused,
            "\(file) stays \(Wording.distance(UInt32(nearest.metres))) away from "
                + "\(stop.name.printable)",
            advice: "choose a stop of the city that was ridden through, or its timetable with "
                + "--feed")
    }
}
