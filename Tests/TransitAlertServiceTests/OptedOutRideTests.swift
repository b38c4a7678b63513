import Bus
import Foundation
import GRDB
import Messages
import TestStore
import Testing

@testable import RideTracking
@testable import ServiceRuntime
@testable import TransitAlertService

/// Rides whose passenger takes back, on the way, what they had agreed to.
struct OptedOutRideTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let ann = Principal.account("ann", organisation: "o")

    private let store: MemoryStore

    init() throws { store = try MemoryStore(of: .transitAlert, TransitStore.migrator) }

    /// Keeps a ride of a passenger with a position that is kept.
    private func keepRide(_ id: String, of owner: String, isOver: Bool = false) throws {
        var watch = JourneyWatch(
            journey: Journey(id: id, owner: owner, stage: .riding, started: Self.now, kept: true),
            file: "", lines: [])
        if !isOver { watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10)) }
        try store.run { transaction in
            try watch.save(transaction.db)
            try KeptFix.add([Fix(time: 1)], to: id, of: owner, transaction.db)
        }
    }

    private func change(_ command: ChangeTraveller, as principal: Principal) throws {
        _ = try store.run(as: principal) { try Travellers.change(command, in: $0) }
    }

    /// The rides whose positions are kept.
    private func kept() throws -> [String] {
        try store.run {
            try String.fetchAll($0.db, sql: "SELECT journey FROM keptFix ORDER BY journey")
        }
    }

    @Test func `whoever no longer wants positions kept has none kept of a ride under way`() throws {
        try keepRide("ann1", of: "ann", isOver: true)
        for id in ["ann2", "ann3"] { try keepRide(id, of: "ann") }
        try keepRide("bob1", of: "bob")
        try change(ChangeTraveller(notice: 120_000), as: Self.ann)
        #expect(try kept() == ["ann1", "ann2", "ann3", "bob1"])

        try change(ChangeTraveller(keepsPositions: false), as: Self.ann)

        // Those of a ride that was over were kept as agreed.
        #expect(try kept() == ["ann1", "bob1"])
        let rides = try store.run { transaction in
            try ["ann2", "ann3", "bob1"].map {
                try JourneyWatch.ofID($0, transaction.db)?.journey.kept
            }
        }
        #expect(rides == [false, false, true])
    }

    @Test(arguments: [true, false])
    func `a ride teaches nothing if its passenger no longer wants that when it ends`(
        teaches: Bool
    ) throws {
        let (name, stored) = ("city.sqlite", try StoredFeed())
        let watch = try store.run { transaction in
            let folder = URL(filePath: FeedShelf.folder(transaction.dataDirectory))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FeedFile.write(stored.feed, to: folder.appending(path: name))
            try FeedRow(feed: Messages.Feed(name: "city"), file: name).save(transaction.db)
            return try ride(along: name, in: transaction)
        }
        try change(ChangeTraveller(teaches: true), as: Self.ann)
        if !teaches { try change(ChangeTraveller(teaches: false), as: Self.ann) }

        let learned = try store.run(at: Self.now + 300_000) { transaction in
            try Lessons.learn(from: watch, in: transaction)
            return try TravelTimeStore.counts(transaction.db)
        }

        #expect(learned == (teaches ? ["city": 2] : [:]))
    }

    @Test func `what a ride has passed is forgotten when its passenger opts out on the way`() throws
    {
        for id in ["ann1", "bob1"] {
            let owner = String(id.dropLast())
            var watch = JourneyWatch(
                journey: Journey(
                    id: id, owner: owner, stage: .riding, started: Self.now, kept: true),
                file: "", lines: [])
            let stored = try StoredFeed()
            watch.ride = try store.run { transaction in
                let folder = URL(filePath: FeedShelf.folder(transaction.dataDirectory))
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                try FeedFile.write(stored.feed, to: folder.appending(path: "\(id).sqlite"))
                return try ride(along: "\(id).sqlite", in: transaction).ride
            }
            let kept = watch
            try store.run { try kept.save($0.db) }
        }

        try change(ChangeTraveller(teaches: false), as: Self.ann)
        try change(ChangeTraveller(teaches: true), as: Self.ann)

        let learns = try store.run { transaction in
            try ["ann1", "bob1"].map {
                try JourneyWatch.ofID($0, transaction.db)?.ride?.passings != nil
            }
        }
        #expect(learns == [false, true])
    }

    /// A ride that passes each stop of its line a minute after the one before.
    private func ride(along name: String, in transaction: Transaction) throws -> JourneyWatch {
        let file = try FeedShelf.shared.file(name, in: transaction.dataDirectory)
        let pattern = try #require(try file.patterns(serving: "S3", limit: 1).first).pattern
        let line = try file.bareLine(ofPattern: pattern).line
        var ride = try Ride(to: "S3", teaches: true, on: [line], at: Self.now)
        for (number, stop) in line.stops.enumerated() {
            ride.passings?.note(stop.along + 0.1, at: Self.now + Int64(number) * 60_000, on: line)
        }
        var watch = JourneyWatch(
            journey: Journey(
                id: "ride", feed: "city", owner: "ann", stage: .riding, started: Self.now),
            file: name,
            lines: [LineChoice(pattern: pattern, route: "1", trip: nil, serviceDay: nil)])
        watch.ride = ride
        return watch
    }
}
