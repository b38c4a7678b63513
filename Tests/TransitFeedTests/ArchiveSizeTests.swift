import Foundation
import Testing

@testable import TransitFeed

/// Tests archives that state sizes which their files don't have, and files of too many rows.
@Suite struct ArchiveSizeTests {
    @Test(arguments: [UInt64(Int64.max), .max, 1 << 62])
    func `an archive whose files state sizes without bounds is refused`(size: UInt64) throws {
        let zip = Array(try SmallFeed().zipped())
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reversed().reduce(0) { $0 << 8 | Int(zip[place + $1]) }
        }
        let end = try #require(zip.indices.last { zip[$0...].starts(with: [80, 75, 5, 6]) })
        var place = number(end + 16, 4)
        var lying = Array(zip[..<place])
        while place < end {
            // After its name each entry of the directory states the size as ZIP64.
            let name = place + 46 + number(place + 28, 2)
            let extra = name + number(place + 30, 2)
            var entry = Array(zip[place..<name])
            entry.replaceSubrange(24..<28, with: [255, 255, 255, 255])
            entry[30] += 12
            lying += entry
            lying += [1, 0, 8, 0]
            lying += withUnsafeBytes(of: size.littleEndian) { Array($0) }
            let next = extra + number(place + 32, 2)
            lying += zip[name..<next]
            place = next
        }
        let directory = UInt32(lying.count - number(end + 16, 4)).littleEndian
        lying += zip[end...]
        let length = lying.count - (zip.count - end) + 12
        lying.replaceSubrange(
            length..<(length + 4), with: withUnsafeBytes(of: directory) { Array($0) })

        let error = #expect(throws: FeedError.self) { try readFeed(Data(lying)) }

        #expect(error?.description.contains("unpacks to more than") == true)
    }

    @Test(
        arguments: [
            ("stops.txt", 4), ("routes.txt", 1), ("trips.txt", 2), ("calendar.txt", 1),
            ("calendar_dates.txt", 2), ("shapes.txt", 3),
        ])
    func `a file of more rows than the limit is refused with the line of the first of them`(
        file: String, rows: Int
    ) throws {
        let few = FeedLimits(rows: [file: rows - 1])
        let enough = FeedLimits(rows: [file: rows])

        #expect(try SmallFeed().refusal(limits: enough).isEmpty)
        // The last row is one too many. The header is the first line.
        #expect(
            try SmallFeed().refusal(limits: few)
                == "\(file), line \(rows + 1): there are more than \(rows - 1) rows; "
                + "leave out what doesn't belong to this feed, or divide it")
    }

    @Test func `a list of more stops than a feed may have is refused with its line`() throws {
        let folder = try Scratch()
        let url = folder.url.appendingPathComponent("mine.csv")
        try Data("name,latitude,longitude\nA,52,13\nB,52,14\nC,52,15\n".utf8).write(to: url)

        let error = #expect(throws: FeedError.self) {
            try Feed.read(from: url, limits: FeedLimits(rows: ["stops.txt": 2]))
        }

        #expect(error?.line == 4)
        #expect(
            try Feed.read(from: url, limits: FeedLimits(rows: ["stops.txt": 3])).stops.count == 3)
    }
}
