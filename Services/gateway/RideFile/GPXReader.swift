import CExpat
import Foundation
import RideTracking
import Texts

/// Reads a ride from a GPX 1.1 file: the timed points of its tracks (`trkpt` with `time`).
///
/// GPX has neither accuracy in metres nor speed; waypoints and routes are ignored. See the schema
/// at https://www.topografix.com/GPX/1/1/.
package enum GPXReader {
    /// The fixes in a file's bytes, in the order of its points.
    package static func fixes(from bytes: some Sequence<UInt8>) throws(RideFileError) -> [RideFix] {
        let parser: XML_Parser = XML_ParserCreate(nil)
        defer { XML_ParserFree(parser) }
        let points = TrackPoints(parser)
        let isWhole = points.parse(Array(bytes))
        if let error = points.error { throw error }
        guard isWhole else {
            let breaksOff = [
                XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
            ]
            .contains(XML_GetErrorCode(parser))
            throw breaksOff && points.isGPX
                ? RideFileError(
                    line: points.line, reason: "the file breaks off before its end",
                    cure: "copy or export the whole file again")
                : RideFileError(
                    line: points.line, reason: "is not well-formed XML",
                    cure: "export the ride as GPX 1.1 again")
        }
        guard points.isGPX else {
            throw RideFileError(
                line: 1, reason: "is not a GPX file", cure: "export the ride as GPX 1.1")
        }
        guard !points.fixes.isEmpty else {
            throw RideFileError(
                line: 0, reason: "has no track points", cure: "export the track, not the route")
        }
        return points.fixes
    }
}

/// Collects the track points while expat parses the file.
private final class TrackPoints {
    private(set) var fixes: [RideFix] = []
    private(set) var error: RideFileError?
    private(set) var isGPX = false

    /// The creator of this object frees the parser afterwards.
    private let parser: XML_Parser
    /// The open point, with the line on which it starts.
    private var open: (latitude: Double, longitude: Double, line: Int)?
    private var time: Int64?
    /// The text of the open `time` element.
    private var text: [UInt8]?

    init(_ parser: XML_Parser) { self.parser = parser }

    /// The parser's line, counted from 1.
    var line: Int { max(1, Int(XML_GetCurrentLineNumber(parser))) }

    /// Parses a whole file; returns false if it isn't well formed.
    func parse(_ bytes: [UInt8]) -> Bool {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { TrackPoints.of($0)?.start($1, $2) }, { TrackPoints.of($0)?.end($1) })
        XML_SetCharacterDataHandler(parser) { TrackPoints.of($0)?.characters($1, $2) }
        let most = 1 << 20
        return withExtendedLifetime(self) {
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while true {
                    let part = rest.prefix(most)
                    rest = rest.dropFirst(part.count)
                    let isLast: Int32 = rest.isEmpty ? 1 : 0
                    let start = UnsafeRawBufferPointer(rebasing: part)
                        .assumingMemoryBound(to: CChar.self).baseAddress
                    guard XML_Parse(parser, start, Int32(part.count), isLast) == XML_STATUS_OK
                    else { return false }
                    guard isLast == 0 else { return true }
                }
            }
        }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> TrackPoints? {
        data.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(
        _ element: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        switch Self.plain(element) {
        case "gpx":
            isGPX = true
        case "trkpt":
            time = nil
            let attributes = Self.dictionary(attributes)
            guard let latitude = attributes["lat"].flatMap(Double.init), abs(latitude) <= 90,
                let longitude = attributes["lon"].flatMap(Double.init), abs(longitude) <= 180
            else {
                fail("the track point has no lat and lon in degrees")
                return
            }
            open = (latitude, longitude, line)
        case "time" where open != nil:
            text = []
        default:
            break
        }
    }

    private func characters(_ characters: UnsafePointer<CChar>?, _ count: Int32) {
        guard text != nil else { return }
        text?.append(
            contentsOf: UnsafeRawBufferPointer(start: characters, count: Int(count)))
    }

    private func end(_ element: UnsafePointer<CChar>?) {
        switch Self.plain(element) {
        case "time":
            guard let bytes = text else { return }
            text = nil
            let text = String(decoding: bytes, as: UTF8.self)
            time = Timestamp.milliseconds(text.trimmingCharacters(in: .whitespacesAndNewlines))
            if time == nil { fail("\"\(text.prefix(40))\" is not a moment") }
        case "trkpt":
            guard let open else { return }
            self.open = nil
            guard let time else {
                fail("the track point has no time", line: open.line)
                return
            }
            fixes.append(
                RideFix(time: time, latitude: open.latitude, longitude: open.longitude))
        default:
            break
        }
    }

    /// The name without the prefix of its namespace; empty for one that is slow to compare.
    private static func plain(_ element: UnsafePointer<CChar>?) -> Substring {
        guard let name = element.map({ String(cString: $0) }), !name.hasEndlessMarks else {
            return ""
        }
        return name.split(separator: ":").last ?? ""
    }

    /// Attributes from a null-terminated list of alternating names and values, without those whose
    /// names are slow to compare.
    private static func dictionary(
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> [String: String] {
        var found: [String: String] = [:]
        var rest = attributes
        while let pair = rest, let name = pair[0], let value = pair[1] {
            let name = String(cString: name)
            if !name.hasEndlessMarks { found[name] = String(cString: value) }
            rest = pair + 2
        }
        return found
    }

    private func fail(_ reason: String, line: Int? = nil) {
        // Report only the first error: later ones follow from it.
        guard error == nil else { return }
        error = RideFileError(
            line: line ?? self.line, reason: reason,
            cure: "record the ride again with times, or export it as a track with times")
        XML_StopParser(parser, 0)
    }
}
