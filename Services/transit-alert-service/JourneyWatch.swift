import Messages
import RideTracking

/// A journey under watch: what is published of it, and what is known but never published.
struct JourneyWatch {
    /// What is published.
    var journey: Journey
    /// The feed file that it began with.
    let file: String
    /// The lines that the passenger may be riding.
    let lines: [LineChoice]
    /// How far the passenger has come; nil once the journey has ended.
    var ride: Ride?
    /// The organisation of its owner; empty for the local one.
    var organisation = ""

    /// True until it ends.
    var isActive: Bool { ride != nil }
}

/// The rules of a journey, in its own time.
extension JourneyWatch {
    /// A journey nobody reports on any more ends by itself: 12 hours after its start, milliseconds.
    static let longestJourney: Int64 = 12 * 3600 * 1000
    /// After the stop was passed a journey ends by itself: 10 minutes, milliseconds.
    static let afterPassing: Int64 = 600 * 1000
    /// How long a journey that is over is kept: 30 days in milliseconds.
    static let retention: Int64 = 30 * 24 * 3600 * 1000
    /// How often old ones are deleted: an hour in milliseconds.
    static let pruningInterval: Int64 = 3600 * 1000
    /// Three minutes, the notice of the seed's passenger: milliseconds.
    static let usualNotice: Int64 = 180_000

    /// A journey that begins.
    ///
    /// - Throws: `Refusal` when the notice is out of bounds or no line can be followed.
    static func begin(
        _ command: StartJourney, id: String, owner: String, stop: Messages.Stop,
        choices: [LineChoice], lines: [Line], file: String, at now: Int64
    ) throws -> JourneyWatch {
        let notice = command.notice == 0 ? usualNotice : command.notice
        var watch = JourneyWatch(
            journey: Journey(
                id: id, feed: command.feed, stop: stop, owner: owner, stage: .riding,
                notice: notice, started: now, clock: command.clock),
            file: file, lines: choices, ride: nil)
        do {
            watch.ride = try Ride(
                to: command.stopId, notice: notice, on: lines, at: watch.journeyTime(at: now))
        } catch { throw Refusal.invalid(error.description) }
        watch.describe(at: now)
        return watch
    }

    /// The time of the journey at a time of the wall clock: milliseconds since 1970.
    func journeyTime(at now: Int64) -> Int64 {
        guard let clock = journey.clock else { return now }
        return MessageTime.clamped(clock.origin) + (now - journey.started) * Int64(clock.speed)
    }

    /// The first time of the wall clock at which the journey's time has come.
    func wallTime(of time: Int64) -> Int64 {
        guard let clock = journey.clock else { return time }
        let speed = Int64(clock.speed)
        let passed = MessageTime.clamped(time) - MessageTime.clamped(clock.origin)
        return journey.started + (passed + speed - 1) / speed
    }

    /// Follows the positions.
    ///
    /// - Returns: what they signal.
    mutating func record(_ fixes: [Fix], on lines: [Line], at now: Int64) -> [Timed] {
        guard var ride else { return [] }
        var signals: [Timed] = []
        for fix in fixes {
            signals += ride.advance(RideFix(fix), on: lines).map { Timed(fix.time, $0) }
        }
        self.ride = ride
        journey.fixes += UInt64(fixes.count)
        reach(signals)
        describe(at: now)
        return signals
    }

    /// Follows the timetable when no position came.
    ///
    /// - Returns: what must be known.
    mutating func timerExpired(on lines: [Line], at now: Int64) -> [Timed] {
        guard var ride else { return [] }
        let time = journeyTime(at: now)
        let signals = ride.timerExpired(at: time, on: lines).map { Timed(time, $0) }
        self.ride = ride
        reach(signals)
        describe(at: now)
        return signals
    }

    /// Ends the journey: where the passenger was is deleted.
    mutating func finish(at now: Int64) {
        ride = nil
        journey.stage = .finished
        journey.ended = now
        journey.due = 0
        journey.remaining = nil
        journey.metres = nil
        journey.estimated = false
    }

    private mutating func reach(_ signals: [Timed]) {
        for signal in signals {
            switch signal.signal {
            case .getReady: journey.stage = .getReady
            case .now: journey.stage = .now
            case .passed: journey.stage = .passed
            case .wrongDirection, .offRoute: break
            }
        }
    }

    /// Brings what is published up to date with what is known.
    mutating func describe(at now: Int64) {
        guard let ride else { return }
        let line = ride.line
        journey.route = lines.first { $0.id == line }?.route ?? ""
        if lines.count == 1, journey.route.isEmpty { journey.route = lines[0].route }
        journey.due = ride.timerDue.map(wallTime) ?? 0
        guard let remaining = ride.remaining else { return }
        journey.estimated = ride.isEstimated(at: journeyTime(at: now))
        journey.remaining = max(0, remaining.milliseconds)
        journey.metres = UInt32(clamping: Int(max(0, remaining.metres)))
    }
}

/// A signal of the ride and when it came, in the journey's time.
struct Timed {
    let time: Int64
    let signal: Signal

    init(_ time: Int64, _ signal: Signal) {
        self.time = time
        self.signal = signal
    }
}

extension RideFix {
    /// A position as it came over the bus.
    init(_ fix: Fix) {
        self.init(
            time: fix.time, latitude: Double(fix.place.latitudeE7) / 1e7,
            longitude: Double(fix.place.longitudeE7) / 1e7,
            accuracy: fix.accuracy.map { Double($0) / 10 },
            speed: fix.speed.map { Double($0) / 100 })
    }
}
