import GRDB
import TestSupport
import Testing

@testable import ServiceRuntime

/// The time that decides what is old enough to be deleted.
@Suite struct BelievedTimeTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let start: Int64 = 1_795_000_000_000

    private var time = BelievedTime()

    init() { time.look(at: Self.start) }

    /// Reads the clock once an hour for this many hours.
    private mutating func run(hours: Int64) {
        for _ in 0..<hours { time.look(at: (time.seen ?? 0) + Self.hour) }
    }

    private mutating func step(hours: Int64) {
        time.look(at: (time.seen ?? 0) + hours * Self.hour)
    }

    private var ahead: Int64 { (time.seen ?? 0) - time.time }

    @Test func `it follows the clock, however far the clock runs steadily`() {
        var (time, now) = (self.time, Self.start)
        #expect(time.time == now)
        for _ in 0..<400 {
            now += 6 * Self.hour
            #expect(time.time(at: now) == now)
            time.look(at: now)
        }
        #expect(time.time == now && time.leaps.isEmpty)
    }

    @Test mutating func `a leap counts after the clock has run for a day`() {
        step(hours: 7)
        #expect(ahead == 7 * Self.hour)
        run(hours: 23)
        #expect(ahead == 7 * Self.hour)
        run(hours: 1)
        #expect(ahead == 0)
    }

    @Test mutating func `a step back shortens a leap, or cancels it if little is left`() {
        run(hours: 5)
        step(hours: 72)
        run(hours: 2)
        step(hours: -72)
        #expect(ahead == 0 && time.time == Self.start + 7 * Self.hour)

        step(hours: 72)
        step(hours: -48)
        #expect(ahead == 24 * Self.hour)
        // The rest would have counted as a step.
        step(hours: -18)
        #expect(ahead == 0)
    }

    @Test mutating func `any step back counts at once`() {
        step(hours: -1_000)
        #expect(time.time == Self.start - 1_000 * Self.hour)
        // Going forward again is a leap.
        step(hours: 1_000)
        #expect(time.time == Self.start - 1_000 * Self.hour)
    }

    @Test mutating func `a second leap doesn't make the first one count sooner`() {
        step(hours: 48)
        step(hours: 24 * 365)
        run(hours: 23)
        #expect(time.time == Self.start + 23 * Self.hour)
        run(hours: 1)
        #expect(ahead == 0)
    }

    @Test mutating func `a leap doesn't count for what began after it`() {
        step(hours: 7)
        run(hours: 1)
        let between = time.seen ?? 0
        run(hours: 2)
        step(hours: 10)
        let landing = time.seen ?? 0
        run(hours: 1)
        let now = (time.seen ?? 0) + Self.hour

        #expect(time.time(at: now, since: Self.start) == now - 17 * Self.hour)
        #expect(time.time(at: now, since: between) == now - 10 * Self.hour)
        #expect(time.time(at: now, since: landing - 1) == now - 10 * Self.hour)
        #expect(time.time(at: now, since: landing) == now)
        // A leap that is seen only now counts for what began before it.
        #expect(time.time(at: now + 30 * Self.hour, since: now) == now - Self.hour)
    }

    @Test mutating func `what is left of a leap doesn't count for what began after it`() {
        step(hours: 72)
        run(hours: 2)
        step(hours: -48)
        let now = time.seen ?? 0

        #expect(time.time(at: now, since: now - 3 * Self.hour) == now - 24 * Self.hour)
        #expect(time.time(at: now, since: now - 2 * Self.hour) == now)
    }

    @Test mutating func `a machine that is on by day only is never more than days behind`() {
        for _ in 0..<100 {
            run(hours: 8)
            step(hours: 16)
            #expect(ahead <= 48 * Self.hour)
        }
    }

    @Test mutating func `a machine that is on for minutes at a time keeps few leaps`() {
        for _ in 0..<1_000 { step(hours: 7) }
        #expect(time.leaps.count == BelievedTime.mostLeaps)
        #expect(time.time == Self.start)
        run(hours: 24)
        #expect(ahead == 0)
    }

    @Test(arguments: Seed.some(50))
    func `it is never ahead of the clock, and no leap counts within a day`(seed: Seed) {
        var (seed, time, now) = (seed, self.time, Self.start)
        for _ in 0..<500 {
            let step = Int64(seed.pick([1, 1, 1, 60, 300, 7 * 60, 2_000, -1, -90, -3_000]))
            let (before, due) = (time, step * 60_000)
            now += due
            time.look(at: now)
            #expect(time.time <= now)
            if due > BelievedTime.longestStep { #expect(time.time == before.time) }
            let told = before.leaps.filter { $0.lasted + max(0, due) >= BelievedTime.doubt }
            if due >= 0, told.isEmpty {
                #expect(time.time - before.time <= BelievedTime.longestStep)
            }
            #expect(time.leaps.allSatisfy { $0.length > BelievedTime.longestStep })
        }
    }

    @Test mutating func `it is the same after it was stored`() throws {
        var migrator = DatabaseMigrator()
        BelievedTime.register(in: &migrator)
        let store = try DatabaseQueue()
        try migrator.migrate(store)
        #expect(try store.read { try BelievedTime($0) } == BelievedTime())
        step(hours: 72)
        run(hours: 2)
        step(hours: 1_000)
        let doubting = time
        step(hours: -2_000)
        let back = time

        for kept in [doubting, doubting, back] {
            try store.write { try kept.save($0) }
            #expect(try store.read { try BelievedTime($0) } == kept)
        }
    }
}
