import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime

/// Commands that are sent again and again to a service whose clock is set at random.
@Suite struct WrongClockTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    /// A command that was carried out and whose reply is deleted.
    private struct Past {
        /// The earliest reading of the clock since its reply was deleted.
        var earliest: Int64
        /// True once a day has passed since the clock was set back to before the command. Then
        /// nobody who keeps to the protocol sends it again, and it may seem new.
        var isOver = false
    }

    /// A service with its store, and those who send it commands.
    private struct World {
        let db: Database
        var ledger: Ledger
        var housekeeper: Housekeeper
        var clock: Int64 = 1_795_000_000_000
        /// How long the clock has run since it was last set.
        var calm: Int64 = 0
        var wasSetBack = false
        /// The ids of commands whose replies are kept.
        var kept: Set<MessageID> = []
        var past: [MessageID: Past] = [:]
        var seed: Seed
        /// How many commands were refused because their replies were deleted.
        var refused = 0

        init(_ db: Database, _ seed: Seed) throws {
            (self.db, self.seed) = (db, seed)
            ledger = try Ledger(db)
            housekeeper = try Housekeeper(db, ledger: ledger)
        }

        mutating func restart() throws {
            ledger = try Ledger(db)
            housekeeper = try Housekeeper(db, ledger: ledger)
        }

        mutating func run(_ time: Int64) {
            clock += time
            calm += time
        }

        /// Sets the clock forward so far that it isn't believed, or back.
        mutating func set(by time: Int64) {
            clock += time
            calm = 0
            wasSetBack = wasSetBack || time < 0
        }

        /// Whether a command is carried out, whose reply isn't kept.
        mutating func accepts(_ id: MessageID) -> Bool {
            guard CommandDesk.refusal(of: id, at: clock) == nil else { return false }
            guard ledger.deletedReplies.contains(id) else { return true }
            refused += 1
            return false
        }

        /// Keeps the reply of a command that is carried out.
        mutating func keep(_ id: MessageID) throws {
            try ledger.transaction { try ledger.keep([1], to: id, of: "", at: clock) }
            kept.insert(id)
        }

        /// Sends all commands again whose replies are deleted, unless their ids are too old or too
        /// far ahead.
        mutating func sendAgain() throws {
            let young = -MessageID.farthestAhead...MessageID.oldestNew
            for (id, one) in past {
                if clock < one.earliest { past[id]?.earliest = clock }
                guard young.contains(clock - id.milliseconds), accepts(id) else { continue }
                #expect(one.isOver, "\(id) was carried out again at \(clock)")
                past[id] = nil
                try keep(id)
            }
        }

        /// Sends a new command by a clock that differs a little.
        mutating func sendNew() throws {
            var ids = MessageID.Generator()
            let skew = Int64(seed.below(600_001)) - 300_000
            let id = ids.next(at: clock + skew, using: &seed)
            guard accepts(id) else {
                let isExcused = wasSetBack && calm < 26 * WrongClockTests.hour
                #expect(isExcused, "\(id) was refused at \(clock)")
                return
            }
            try keep(id)
        }

        /// Deletes what is old, and notes which replies that were.
        mutating func deleteOld() throws {
            try housekeeper.prune(at: clock)
            let left = Set(
                try Data.fetchAll(db, sql: "SELECT id FROM inbox").compactMap {
                    MessageID(bytes: [UInt8]($0))
                })
            for id in kept.subtracting(left) { past[id] = Past(earliest: clock) }
            kept = left
            let believed = housekeeper.believed.time
            for (id, one) in past {
                // Enough others are left.
                if id.milliseconds < clock - 35 * WrongClockTests.day { past[id] = nil }
                let isBefore = one.earliest <= id.milliseconds + MessageID.farthestAhead
                if isBefore, believed - one.earliest >= WrongClockTests.day {
                    past[id]?.isOver = true
                }
            }
        }
    }

    /// A time by which somebody sets a clock: hours, days or weeks.
    private func distance(_ seed: inout Seed) -> Int64 {
        let most = seed.pick([Self.day, 4 * Self.day, 30 * Self.day])
        return 1 + Int64(seed.below(Int(most)))
    }

    @Test(arguments: Seed.some(10))
    func `nothing is carried out again, and a right clock stops nothing for long`(seed: Seed) throws
    {
        var seed = seed
        let rarity = seed.pick([30, 100, 300])
        try HousekeeperTests.withStore { db in
            var world = try World(db, Seed(seed.next()))
            for count in 0..<700 {
                if count == 100 {
                    // By now some replies are deleted whose commands will seem new.
                    world.set(by: -20 * Self.hour)
                } else if count > 100, seed.oneIn(rarity) {
                    let time = distance(&seed)
                    world.set(by: seed.oneIn(2) ? BelievedTime.longestStep + time : -time)
                } else {
                    world.run(Self.hour)
                }
                try world.sendAgain()
                if count < 100 || seed.oneIn(3) { try world.sendNew() }
                try world.deleteOld()
                if seed.oneIn(50) { try world.restart() }
            }
            #expect(world.refused > 0)
        }
    }
}
