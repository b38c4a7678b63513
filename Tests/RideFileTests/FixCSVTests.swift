import Foundation
import RideFile
import RideTracking
import Testing

@Suite struct FixCSVTests {
    @Test func `a table of fixes is read`() throws {
        let text = """
            time,latitude,longitude,accuracy,speed
            2026-02-16T17:58:35.250Z,38.9,-77.03,12,8.5
            1771264716,38.91,-77.03,,
            1771264717000,38.92,-77.03,5,0
            """

        let fixes = try FixCSV.fixes(from: text.utf8)

        #expect(
            fixes == [
                RideFix(
                    time: 1_771_264_715_250, latitude: 38.9, longitude: -77.03, accuracy: 12,
                    speed: 8.5),
                RideFix(time: 1_771_264_716_000, latitude: 38.91, longitude: -77.03),
                RideFix(
                    time: 1_771_264_717_000, latitude: 38.92, longitude: -77.03, accuracy: 5,
                    speed: 0),
            ])
    }

    @Test func `columns may be in any order, and lines may end with CR LF`() throws {
        let text = "\u{FEFF}Longitude, note ,TIME,latitude\r\n-77.03,hello,100,38.9\r\n\r\n"

        let fixes = try FixCSV.fixes(from: text.utf8)

        #expect(fixes == [RideFix(time: 100_000, latitude: 38.9, longitude: -77.03)])
    }

    @Test(arguments: [
        ("", 1, "time"),
        ("time,latitude\n1,2", 1, "longitude"),
        ("time,latitude,longitude\nyesterday,1,2", 2, "time"),
        ("time,latitude,longitude\n1,1,2\n2,91,2", 3, "latitude"),
        ("time,latitude,longitude\n1,1,2\n\n2,9,east", 4, "longitude"),
        ("time,latitude,longitude\n1,1", 2, "longitude"),
        ("time,latitude,longitude,accuracy\n1,1,2,-3", 2, "accuracy"),
        ("time,latitude,longitude,speed\n1,1,2,nan", 2, "speed"),
    ])
    func `a bad cell is refused with its line and column`(
        text: String, line: Int, column: String
    ) {
        let error = #expect(throws: RideFileError.self) { try FixCSV.fixes(from: text.utf8) }

        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test func `a refusal is a sentence that says how to fix the file`() {
        let error = #expect(throws: RideFileError.self) {
            try FixCSV.fixes(from: "time,latitude,longitude\n1,north,2".utf8)
        }

        #expect(
            error?.description == "line 2, column latitude: \"north\" isn't a latitude; "
                + "write decimal degrees from -90 to 90")
    }

    @Test func `a table with a text that is slow to compare is refused`() {
        let name = "e" + String(repeating: "\u{301}", count: 31)
        let error = #expect(throws: RideFileError.self) {
            try FixCSV.fixes(from: "time,latitude,longitude,\(name)\n1,2,3,4".utf8)
        }
        #expect(error?.reason == "has more than 30 combining marks in a row")
    }

    @Test func `a table without fixes is refused, and so are bytes that aren't text`() {
        #expect(throws: RideFileError.self) {
            try FixCSV.fixes(from: "time,latitude,longitude\n".utf8)
        }
        #expect(throws: RideFileError.self) { try FixCSV.fixes(from: [0xFF, 0xFE, 0x00]) }
    }
}

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00+01:00", 951_822_000_000),
        ("2026-02-16 17:58:35.25-0500", 1_771_282_715_250), ("12.5", 12_500),
        ("1771264717000", 1_771_264_717_000), ("1969-12-31T23:59:59.999Z", -1),
        ("2023-03-11T20:36:56,123456Z", 1_678_567_016_123),
    ])
    func `a time is read`(text: String, expected: Int64) {
        #expect(Timestamp.milliseconds(text) == expected)
    }

    @Test(arguments: [
        "", "now", "2026-02-30T00:00:00Z", "2026-02-16T17:58:35", "2026-13-01T00:00:00Z",
        "2026-02-16T24:00:00Z", "2026-02-16T17:58:35+25:00", "-5", "inf", "1e300",
        "2026-02-16T17:58:35.Z",
    ])
    func `text that isn't a time is refused`(text: String) {
        #expect(Timestamp.milliseconds(text) == nil)
    }
}
