import Foundation
import RideTracking

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads a ride from a GPX 1.1 file: the timed points of its tracks (`trkpt` with `time`).
///
/// GPX knows neither accuracy in metres nor speed; waypoints and routes are passed over. See the
/// schema at https://www.topografix.com/GPX/1/1/.
package enum GPXReader {
    /// The fixes of a file's bytes, in the order of its points.
    package static func fixes(from bytes: some Sequence<UInt8>) throws(RideFileError) -> [Fix] {
        let parser = XMLParser(data: Foundation.Data(bytes))
        let points = TrackPoints()
        parser.delegate = points
        let isWhole = parser.parse()
        if let error = points.error { throw error }
        guard isWhole else {
            throw RideFileError(
                line: max(1, parser.lineNumber), reason: "is not well-formed XML",
                cure: "export the ride as GPX 1.1 again")
        }
        guard points.isGPX else {
            throw RideFileError(
                line: 1, reason: "is not a GPX file", cure: "export the ride as GPX 1.1")
        }
        // XMLParser does not complain about a file that breaks off after a whole element.
        guard points.isClosed else {
            throw RideFileError(
                line: max(1, parser.lineNumber), reason: "the file breaks off before its end",
                cure: "copy or export the whole file again")
        }
        guard !points.fixes.isEmpty else {
            throw RideFileError(
                line: 0, reason: "has no track points", cure: "export the track, not the route")
        }
        return points.fixes
    }
}

/// Collects the track points while `XMLParser` goes through the file.
private final class TrackPoints: NSObject, XMLParserDelegate {
    private(set) var fixes: [Fix] = []
    private(set) var error: RideFileError?
    private(set) var isGPX = false
    private(set) var isClosed = false

    /// The point that is open, with the line that it starts on.
    private var open: (latitude: Double, longitude: Double, line: Int)?
    private var time: Int64?
    /// The text of the `time` element that is open.
    private var text: String?

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        switch Self.plain(element) {
        case "gpx":
            isGPX = true
        case "trkpt":
            time = nil
            guard let latitude = attributes["lat"].flatMap(Double.init), abs(latitude) <= 90,
                let longitude = attributes["lon"].flatMap(Double.init), abs(longitude) <= 180
            else {
                fail(parser, "the track point has no lat and lon in degrees")
                return
            }
            open = (latitude, longitude, parser.lineNumber)
        case "time" where open != nil:
            text = ""
        default:
            break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        text?.append(characters)
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        switch Self.plain(element) {
        case "gpx":
            isClosed = true
        case "time":
            guard let text else { return }
            self.text = nil
            time = Timestamp.milliseconds(text.trimmingCharacters(in: .whitespacesAndNewlines))
            if time == nil { fail(parser, "\"\(text.prefix(40))\" is not a moment") }
        case "trkpt":
            guard let open else { return }
            self.open = nil
            guard let time else {
                fail(parser, "the track point has no time", line: open.line)
                return
            }
            fixes.append(
                Fix(time: time, latitude: open.latitude, longitude: open.longitude))
        default:
            break
        }
    }

    /// The name without the prefix of its namespace.
    private static func plain(_ element: String) -> Substring {
        element.split(separator: ":").last ?? ""
    }

    private func fail(_ parser: XMLParser, _ reason: String, line: Int? = nil) {
        // The first one is told: what follows comes from it.
        guard error == nil else { return }
        error = RideFileError(
            line: line ?? parser.lineNumber, reason: reason,
            cure: "record the ride again with times, or export it as a track with times")
        parser.abortParsing()
    }
}
