import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime

/// Which commands are refused because their replies were deleted.
@Suite struct DeletedRepliesTests {
    private static let hour: Int64 = 3_600_000
    private static let start: Int64 = 1_795_000_000_000

    private var deleted = DeletedReplies()

    private func id(_ hours: Int64) -> MessageID {
        var ids = MessageID.Generator()
        return ids.next(at: Self.start + hours * Self.hour)
    }

    private mutating func delete(_ hours: ClosedRange<Int64>) {
        for hour in hours { deleted.add(id(hour)) }
    }

    /// Looks at the clock once an hour.
    private mutating func run(_ hours: ClosedRange<Int64>) {
        for hour in hours {
            let now = Self.start + hour * Self.hour
            deleted.look(at: now, believed: now)
        }
    }

    @Test mutating func `commands are refused if replies from the same time were deleted`() throws {
        delete(0...3)
        delete(10...10)
        let random = try #require(MessageID("0f8fad5b-d9cb-469f-a165-70867728950e"))
        deleted.add(random)

        #expect(deleted.spans.count == 2)
        for hour: Int64 in [0, 1, 2, 3, 10] { #expect(deleted.contains(id(hour))) }
        for hour: Int64 in [-1, 4, 9, 11] { #expect(!deleted.contains(id(hour))) }
        #expect(!deleted.contains(random))
    }

    @Test mutating func `the spans stay the same while the clock is right`() {
        delete(-72 ... -24)
        let before = deleted
        run(0...1000)
        #expect(deleted == before)
    }

    @Test mutating func `after the clock was set back, new commands are refused for a day`() {
        delete(-72 ... -24)

        run(-48 ... -25)
        #expect(deleted.contains(id(-40)))
        run(-24 ... -24)

        #expect(!deleted.contains(id(-40)))
        #expect(!deleted.contains(id(-48)))
        // They were made before the clock was set back.
        #expect(deleted.contains(id(-49)))
        #expect(deleted.contains(id(-72)))
    }

    @Test mutating func `the day begins anew when the clock is set right and back again`() {
        delete(-72 ... -24)

        run(-48 ... -30)
        run(0...5)
        run(-48 ... -25)

        #expect(deleted.contains(id(-40)))
    }

    @Test mutating func `the day begins anew when the clock is set back further`() {
        delete(-72 ... -24)

        run(-40 ... -20)
        run(-60 ... -37)
        #expect(deleted.contains(id(-50)))
        run(-36 ... -36)

        #expect(!deleted.contains(id(-50)))
        #expect(deleted.contains(id(-61)))
    }

    @Test mutating func `no command is refused once a clock that was a year ahead is set right`() {
        let year: Int64 = 365 * 24
        delete(-72 ... -24)
        delete(year - 48...year - 24)
        run(year...year)

        run(0...23)
        for hour: Int64 in 0...23 { #expect(!deleted.contains(id(hour))) }
        #expect(deleted.contains(id(year - 30)))
        #expect(deleted.contains(id(-24)))
        run(24...24)

        #expect(!deleted.contains(id(year - 30)))
        #expect(deleted.contains(id(-24)))
    }

    @Test mutating func `hundreds of deleted replies take few spans, and none is missing`() {
        // Scattered, and out of order.
        let hours = (0..<500).map { Int64($0 * 7919 % 5003) }
        for hour in hours { deleted.add(id(hour)) }

        #expect(deleted.spans.count <= DeletedReplies.most)
        for hour in hours { #expect(deleted.contains(id(hour))) }
        for (one, next) in zip(deleted.spans, deleted.spans.dropFirst()) {
            #expect(one.first <= one.last && one.last < next.first)
        }
    }

    @Test mutating func `one that lies ahead isn't joined to one of the past`() {
        for week: Int64 in 1...63 { deleted.add(id(-168 * week)) }
        deleted.add(id(30))
        deleted.look(at: Self.start, believed: Self.start)

        deleted.add(id(-26))

        #expect(deleted.spans.count == DeletedReplies.most)
        for hour: Int64 in [-168 * 63, -168, -26, 30] { #expect(deleted.contains(id(hour))) }
        #expect(!deleted.contains(id(0)))
    }

    private func store(in system: System) throws -> DatabaseQueue {
        try system.makeFolder("data")
        let path = system.path("data/toy.sqlite")
        let queue = try DatabaseQueue(path: path)
        try Store.migrate(queue, path, DatabaseMigrator(), 1)
        return queue
    }

    @Test mutating func `the spans are kept in the store`() throws {
        delete(-72 ... -24)
        delete(100...101)
        run(-30 ... -30)
        let deleted = self.deleted

        let system = try System()
        let queue = try store(in: system)
        try queue.write { db in
            try deleted.save(db)
            try deleted.save(db)
        }

        #expect(try queue.read { try DeletedReplies($0) } == deleted)
        withExtendedLifetime(system) {}
    }

    @Test func `the spans of an organisation that moves are kept without its replies`() throws {
        let system = try System()
        let queue = try store(in: system)
        let id = id(0)
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO inbox (id, time, reply, asker) VALUES (?, 1, x'', '')",
                arguments: [Data(id.bytes)])
        }

        try Separation(of: Principal.localOrganisation, []).separate(queue)

        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM inbox") } == 0)
        #expect(try queue.read { try DeletedReplies($0).contains(id) })
        withExtendedLifetime(system) {}
    }
}
