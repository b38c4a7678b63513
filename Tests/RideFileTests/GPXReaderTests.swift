import Foundation
import RideFile
import RideTracking
import Testing

@Suite struct GPXReaderTests {
    static func gpx(_ points: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
         <metadata><time>2020-01-01T00:00:00Z</time></metadata>
         <trk><trkseg>
        \(points)
         </trkseg></trk>
        </gpx>
        """
    }

    @Test func `the timed points of a track are read`() throws {
        let text = Self.gpx(
            """
            <trkpt lat="54.5967450" lon="-5.9332070"><ele>8.1</ele>
             <time> 2023-03-11T20:36:56Z </time></trkpt>
            <trkpt lat="54.6" lon="-5.9"><time>2023-03-11T20:36:57Z</time></trkpt>
            """)

        let fixes = try GPXReader.fixes(from: text.utf8)

        #expect(
            fixes == [
                RideFix(time: 1_678_567_016_000, latitude: 54.596745, longitude: -5.933207),
                RideFix(time: 1_678_567_017_000, latitude: 54.6, longitude: -5.9),
            ])
    }

    @Test(arguments: [
        (#"<trkpt lat="54" lon="-5"></trkpt>"#, "has no time"),
        (#"<trkpt lat="x" lon="-5"><time>2023-03-11T20:36:56Z</time></trkpt>"#, "no lat and lon"),
        (#"<trkpt lat="54" lon="181"><time>2023-03-11T20:36:56Z</time></trkpt>"#, "no lat and lon"),
        (#"<trkpt lat="54" lon="5"><time>noon</time></trkpt>"#, "is not a moment"),
    ])
    func `a bad point is refused with its line`(point: String, reason: String) {
        let error = #expect(throws: RideFileError.self) {
            try GPXReader.fixes(from: Self.gpx(point).utf8)
        }

        #expect(error?.line == 5)
        #expect(error?.reason.contains(reason) == true)
    }

    @Test(arguments: ["", "<gpx><trk>", "<html></html>", "hello", Self.gpx("")])
    func `a file without a track is refused`(text: String) {
        #expect(throws: RideFileError.self) { try GPXReader.fixes(from: text.utf8) }
    }

    @Test func `names that are slow to compare are ignored`() throws {
        let name = "e" + String(repeating: "\u{301}", count: 300_000)
        let point =
            "<trkpt lat='54' \(name)='1' lon='5'><\(name)/>"
            + "<time>1970-01-01T00:00:01Z</time></trkpt>"

        let fixes = try GPXReader.fixes(from: Self.gpx(point).utf8)

        #expect(fixes == [RideFix(time: 1_000, latitude: 54, longitude: 5)])
    }

    @Test func `any truncated file is refused or read`() throws {
        let text = Self.gpx(#"<trkpt lat="54" lon="5"><time>2023-03-11T20:36:56Z</time></trkpt>"#)
        let bytes = Array(text.utf8)

        for length in bytes.indices {
            #expect(throws: RideFileError.self) { try GPXReader.fixes(from: bytes[..<length]) }
        }
    }
}
