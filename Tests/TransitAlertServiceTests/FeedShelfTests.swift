import Foundation
import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// What is kept in memory of the timetables that journeys use.
@Suite struct FeedShelfTests {
    private let stored: StoredFeed
    private let shelf = FeedShelf()

    init() throws {
        stored = try StoredFeed()
        let folder = stored.folder.appending(path: FeedShelf.folderName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FeedFile.write(stored.feed, to: folder.appending(path: "city.sqlite"))
    }

    /// The lines of choices, and how many had to be read.
    private func lines(_ choices: [LineChoice]) throws -> (lines: [Line], read: Int) {
        var read = 0
        let folder = stored.folder.path
        let lines = try shelf.lines(choices, of: "city.sqlite", in: folder, nil) { _, _ in
            read += 1
            return []
        }
        return (lines, read)
    }

    @Test func `the lines of many journeys are read once`() throws {
        // The same trip on other days is another choice.
        let choices = (0..<3_000).map {
            LineChoice(pattern: 0, route: "1", trip: 0, serviceDay: Int64($0) * 86_400_000)
        }

        let first = try lines(choices)
        let again = try lines(choices)

        #expect(first.read == choices.count)
        #expect(again.read == 0)
        #expect(again.lines == first.lines)
    }

    @Test(arguments: ["town", "the-old-town", "town.sqlite"])
    func `the name of a file says which timetable it has`(feed: String) {
        let name = FeedShelf.name(of: feed, by: "0192e4a1-7b3c-7def-8123-456789abcdef")

        #expect(FeedShelf.feed(of: name) == feed)
        let error = FeedFileError(file: URL(filePath: "/feeds/" + name), reason: "is cut off")
        #expect(error.refusal == .damagedFeed(feed))
    }

    @Test func `trips of a pattern share its line, and each has its own times`() throws {
        let file = try shelf.file("city.sqlite", in: stored.folder.path)
        let pattern = try #require(try file.trip("T1")).pattern
        let choices = [0, 1, 2, nil].map {
            LineChoice(pattern: pattern, route: "1", trip: $0, serviceDay: nil)
        }

        let lines = try lines(choices).lines

        // There is no third trip, so the last two have no timetable.
        let seconds = lines.map { $0.pace.seconds(from: 0, to: $0.length).rounded() }
        #expect(seconds[..<2] == [60, 1_800])
        #expect(lines[2] == lines[3])
        #expect(lines[0].paced(lines[1].pace) == lines[1])
        #expect(try file.line(choices[0]) == lines[0])
    }
}
