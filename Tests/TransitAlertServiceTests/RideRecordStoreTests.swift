import Foundation
import GRDB
import Messages
import Testing

@testable import TransitAlertService

/// How the numbers of rides, and what passengers say, are read.
@Suite struct RideRecordStoreTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
    }

    /// Keeps the comments of a passenger on journeys that are no longer kept.
    private func say(_ comments: [String], _ owner: String, _ db: Database) throws {
        for (number, text) in comments.enumerated() {
            let comment = RideComment(day: "2027-03-01", route: "7", comment: text)
            try db.execute(
                sql: """
                    INSERT INTO rideComment (journey, owner, organisation, day, comment)
                    VALUES (?, ?, 'o', ?, ?)
                    """,
                arguments: [
                    "\(owner) \(1_000 + number)", owner, comment.day, Data(comment.packed()),
                ])
        }
    }

    @Test func `a passenger reads every comment once, also on journeys that were deleted`() throws {
        try store.write { db in
            let said = (1...250).map { "comment \($0)" }
            try say(said, "ann", db)
            try say(["no"], "bob", db)

            var read: [String] = []
            var pages = 0
            var next = ""
            repeat {
                let page = try RideComment.all(of: "ann", before: next, db)
                read += page.comments.map(\.comment)
                pages += 1
                next = page.next
            } while !next.isEmpty

            #expect(read == said.reversed())
            #expect(pages == 3)
            #expect(try RideComment.all(of: "eve", before: "", db) == RideComments())
        }
    }

    /// All numbers of an organisation, and the number of answers in which they came.
    private func counts(_ db: Database) throws -> (counts: [RideCount], pages: Int) {
        var read: [RideCount] = []
        var pages = 0
        while true {
            let page = try RideCount.page(
                of: "o", from: "", to: "9999-12-31", after: read.last, db)
            read += page.counts
            pages += 1
            #expect(RideStatistics(counts: page.counts).packed().count < 700 << 10)
            guard page.isMore else { return (read, pages) }
        }
    }

    @Test func `more rows of numbers than one answer has are read in several, newest first`() throws
    {
        let rows = ["2027-03-02", "2027-03-01"].flatMap { day in
            (1_000..<4_000).map { RideCount(day: day, feed: "city", route: "\($0)", journeys: 1) }
        }
        try store.write { db in
            for row in rows.shuffled() { try row.save("o", db) }
            try RideCount(day: "2027-03-03", feed: "city", journeys: 1).save("another", db)

            let (read, pages) = try counts(db)

            #expect(read == rows)
            #expect(pages == 2)
        }
    }

    @Test func `lines with long names are divided among answers that fit into a message`() throws {
        let rows = (100..<130).map {
            RideCount(
                day: "2027-03-01", feed: "city",
                route: "\($0)" + String(repeating: "x", count: 60_000), source: "gpsd")
        }
        try store.write { db in
            for row in rows { try row.save("o", db) }

            let (read, pages) = try counts(db)

            #expect(read == rows)
            #expect(pages == 4)
        }
    }
}
