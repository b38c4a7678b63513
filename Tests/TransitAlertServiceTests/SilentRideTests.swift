import Bus
import Messages
import RideTracking
import TestStore
import Testing

@testable import ServiceRuntime
@testable import TransitAlertService

/// Rides that go on without alerts.
struct SilentRideTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let ann = Principal.account("ann", organisation: "o")

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        for id in ["older", "younger"] {
            try store.run(at: Self.now, as: Self.ann) { try keepRide(id, in: $0) }
        }
    }

    /// Keeps a ride whose passenger is told to get off.
    private func keepRide(_ id: String, in transaction: Transaction) throws {
        var watch = JourneyWatch(
            journey: Journey(id: id, owner: "ann", stage: .riding, started: Self.now - 60_000),
            file: "", lines: [])
        watch.ride = try Ride(to: "S", at: Position(latitude: 54, longitude: 10))
        let place = Coordinate(latitudeE7: 540_000_000, longitudeE7: 100_000_000)
        let times: [Int64] = [Self.now - 20_000, Self.now - 10_000, Self.now]
        let fixes = times.map { Fix(time: $0, place: place) }
        let signals = watch.record(fixes, on: [], at: Self.now)
        try #require(watch.journey.stage == .now)
        _ = try JourneyHandling.settle(watch, signals: signals, in: transaction)
    }

    private func goOn() throws -> String {
        try store.run(at: Self.now, as: Self.ann) {
            try Continuations.goOn(ContinueJourney(withoutAlerts: true), in: $0).id
        }
    }

    @Test func `without an id the newest ride that isn't silent yet falls silent`() throws {
        #expect(try goOn() == "younger")
        #expect(try goOn() == "older")
        let open = try store.run { transaction in
            try ["older", "younger"].flatMap { try transaction.standingAlerts(of: $0) }
        }
        #expect(open.isEmpty)
        // The same command again, under another id, is no error.
        #expect(try goOn() == "younger")
    }
}
