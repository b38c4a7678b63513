import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests rides while the clock of the service leaps.
@Suite(.serialized, .waiting) struct RideLeapTests {
    private static let hour: Int64 = 3_600_000

    private let town: Town
    private let begin = WallClock.milliseconds()

    init() throws {
        town = try Town()
        try town.load()
        try setClock(hours: 0)
        try town.restartTransit(adding: [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
            "SHIFTED_CLOCK": town.system.path("clock"),
        ])
    }

    /// Sets the clock of the service and its client this many hours ahead.
    private func setClock(hours: Int64) throws {
        try Data("\(hours * 3_600)".utf8).write(
            to: URL(filePath: town.system.path("clock")), options: .atomic)
        town.client.clock = { WallClock.milliseconds() + hours * Self.hour }
    }

    /// Begins a ride, and returns its id.
    private func start() throws -> String {
        try town.client.ask(StartJourney(feed: "town", stopId: "4131"), for: Journey.self).id
    }

    /// The ids of the rides under way, in order.
    private func underWay() throws -> [String] {
        try town.system.query(
            .transitAlert, "SELECT id FROM journey WHERE isActive = 1 ORDER BY id"
        ).map { $0[0] }
    }

    @Test func `a leap of the clock ends no ride, but one that begins after it ends in time`()
        throws
    {
        let before = try start()
        try eventually("the service has seen the clock before it leaps") {
            try town.system.query(.transitAlert, "SELECT 1 FROM clockSeen") == [["1"]]
        }
        try setClock(hours: 20)
        try eventually("the service has looked at the ride") {
            try town.system.query(
                .transitAlert,
                "SELECT due > \(begin + 20 * Self.hour) FROM timer WHERE kind = 'end'")
                == [["1"]]
        }
        #expect(try underWay() == [before])

        let after = try start()
        for hours: Int64 in [25, 30] {
            try setClock(hours: hours)
            let least = begin + hours * Self.hour - 11 * 60_000
            try eventually("the service has seen the clock") {
                try town.system.query(.transitAlert, "SELECT time > \(least) FROM clockSeen")
                    == [["1"]]
            }
        }
        #expect(try underWay() == [before, after])

        // By now both have lasted for thirteen hours that the service has seen.
        try setClock(hours: 33)
        try eventually("both have ended") { try underWay().isEmpty }
    }
}
