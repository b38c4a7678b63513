/// A vehicle of a GTFS-Realtime feed, as it is typed: `vehicle:ID@URL`, or `trip:ID@URL` for
/// whichever vehicle runs that trip. The URL begins with `http://` or `https://`; a path of a file
/// begins with `/`, `./` or `../`.
package struct VehiclePlace: Hashable, Sendable {
    /// What the id identifies.
    package enum Kind: Hashable, Sendable {
        case vehicle, trip
    }

    /// What the id identifies.
    package let kind: Kind
    /// The id of the vehicle, or its label; or the id of a trip.
    package let id: String
    /// Where the feed is: a URL or a path.
    package let feed: String
    /// True if the feed is a file.
    package var isFile: Bool { !feed.hasPrefix("http") }

    /// Reads what was typed; nil if it has another form.
    package init?(_ text: String) {
        let form = #/(vehicle|trip):([^@]{1,200})@((?:https?://|/|\.\.?/)[^@\s]{1,2000})/#
        guard let match = text.wholeMatch(of: form) else { return nil }
        kind = match.1 == "trip" ? .trip : .vehicle
        (id, feed) = (String(match.2), String(match.3))
    }
}
