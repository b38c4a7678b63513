import Foundation
import TestSupport
import Testing

@testable import TransitFeed

@Suite struct CSVReaderTests {
    @Test(arguments: Seed.some(200))
    func `fields are read back as written`(_ seed: Seed) throws {
        var seed = seed
        let width = Int.random(in: 2...6, using: &seed)
        let rows = (0..<Int.random(in: 0...40, using: &seed)).map { _ in
            (0..<width).map { _ in Self.field(&seed) }
        }
        let end = ["\n", "\r\n", "\r"].randomElement(using: &seed) ?? "\n"
        let header = (0..<width).map { "c\($0)" }.joined(separator: ",")
        var lines =
            [header]
            + rows.map { row in
                row.map { Self.written($0, &seed) }.joined(separator: ",")
            }
        if Bool.random(using: &seed) { lines.append("") }

        let read = try Self.read(lines.joined(separator: end))

        // A row of one empty field is a blank line; rows here are wider, so none is lost.
        #expect(read == rows)
    }

    @Test func `a record longer than the buffer is read whole`() throws {
        let long = (0..<8).map { _ in String(repeating: "ab\"\n", count: 15_000) }
        let text =
            "a,b,c,d,e,f,g,h\n"
            + long.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
            .joined(separator: ",")

        #expect(try Self.read(text) == [long])
    }

    @Test func `the name of a column that is slow to compare is refused`() throws {
        let name = "stop_code" + String(repeating: "\u{301}", count: 31)

        let refusal = try SmallFeed().replacing("stop_code", name, in: "stops.txt").refusal()

        #expect(
            refusal == "stops.txt, line 1: column 2 has more than 30 combining marks in a row; "
                + "remove them")
    }

    @Test func `line numbers count the lines inside quoted fields`() throws {
        var csv = try Self.reader("a,b\n1,\"x\ny\"\n\n2,z\n")

        #expect(try csv.next() && csv.line == 2)
        #expect(try csv.next() && csv.line == 5)
        #expect(try !csv.next())
    }

    @Test(arguments: [
        ("0", 0), ("-0.5", -5_000_000), ("12.34567894", 123_456_789), ("+1.5", 15_000_000),
        ("1e1", 100_000_000), ("52.12345678901234567", 521_234_568), (".5", 5_000_000),
    ])
    func `degrees are rounded to whole units`(_ text: String, _ units: Int32) throws {
        var csv = try Self.reader("a,b\n\(text),x\n")
        _ = try csv.next()

        #expect(try csv.degrees(0, limit: 90) == units)
    }

    @Test(arguments: [
        "", " ", "1", "0:00:00", "24:00:00", "123:59:59", "1:60:00", "1:00:60", "a:00:00",
        "1:00", "-1:00:00", "1:00:00:00", "1.00.00", "99999:00:00",
    ])
    func `a time is hours, minutes and seconds`(_ text: String) throws {
        var csv = try Self.reader("a,b\n\(text),x\n")
        _ = try csv.next()
        let expected: [String: Int32?] = [
            "": nil, " ": nil, "0:00:00": 0, "24:00:00": 86_400, "123:59:59": 446_399,
        ]

        if let time = expected[text] {
            #expect(try csv.time(0) == time)
        } else {
            #expect(throws: FeedError.self) { try csv.time(0) }
        }
    }

    /// Text without surrounding spaces, which are not part of a field.
    private static func field(_ seed: inout Seed) -> String {
        let letters = Array("ab1 ,\"\n'é東😀;\t")
        let count = Int.random(in: 0...8, using: &seed)
        let text = String((0..<count).map { _ in letters.randomElement(using: &seed) ?? "a" })
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func written(_ field: String, _ seed: inout Seed) -> String {
        let mustQuote = field.contains { ",\"\n".contains($0) }
        guard mustQuote || Bool.random(using: &seed) else {
            return Bool.random(using: &seed) ? field : " \(field)\t"
        }
        return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    private static func reader(_ text: String) throws -> CSVReader {
        let folder = try Scratch()
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("stops.txt"))
        let archive = try FeedArchive(folder.url, limits: FeedLimits())
        return try CSVReader("stops.txt", in: archive, limits: FeedLimits())
    }

    private static func read(_ text: String) throws -> [[String]] {
        var csv = try reader(text)
        var rows: [[String]] = []
        while try csv.next() { rows.append(csv.header.indices.map { csv.string($0) }) }
        return rows
    }
}
