import Messages
import RideTracking

/// A journey under watch: its published part, and what is never published.
struct JourneyWatch {
    /// The published part.
    var journey: Journey
    /// The name of the feed file that it began with.
    let file: String
    /// The lines that the passenger may be riding.
    let lines: [LineChoice]
    /// The passenger's progress; nil once the journey has ended.
    var ride: Ride?
    /// The organisation of its owner; empty for the local one.
    var organisation = ""
    /// When "get ready" was raised, and when the vehicle was first seen at the stop, in the
    /// journey's time; nil before.
    var told: Int64?
    var arrived: Int64?
    /// What the passenger wants to be told on the way.
    var tour = Tour()

    /// The landmarks of a journey: the types that are wanted, and which landmarks were announced.
    struct Tour: Codable {
        var types: [String] = []
        var guide = LandmarkGuide()
    }

    /// True until it ends.
    var isActive: Bool { ride != nil }
}

/// The rules of a journey, in its own time.
extension JourneyWatch {
    /// How long after its start a journey ends by itself: 12 hours in milliseconds.
    static let longestJourney: Int64 = 12 * 3600 * 1000
    /// How long after its start a live journey ends by itself although it goes on: two days in
    /// milliseconds, longer than any train takes.
    static let farthestEnd: Int64 = 48 * 3600 * 1000
    /// How often to find out whether a journey that goes on can end, and how recent its last
    /// position must be: an hour in milliseconds.
    static let endingInterval: Int64 = 3600 * 1000
    /// How far the clock of a live journey's device may be ahead: 15 minutes in milliseconds, more
    /// than the difference between two correct clocks. A replay may send all positions of a ride of
    /// ``longestJourney`` at once.
    static let mostAhead: Int64 = 15 * 60 * 1000
    /// How much older than a live journey's newest position another may be if its clock is right:
    /// 10 minutes in milliseconds. A clock that is ``mostAhead`` behind makes each position that
    /// old, as long as they come every five minutes.
    static let mostDelay: Int64 = 10 * 60 * 1000
    /// How long after passing the stop a journey ends by itself: 10 minutes in milliseconds.
    static let afterPassing: Int64 = 600 * 1000
    /// How long an ended journey is kept: 30 days in milliseconds.
    static let retention: Int64 = 30 * 24 * 3600 * 1000
    /// How often old ones are deleted: every hour, in milliseconds.
    static let pruningInterval: Int64 = 3600 * 1000
    /// The notice when none is requested: three minutes in milliseconds.
    static let usualNotice: Int64 = 180_000

    /// Begins a journey.
    ///
    /// - Throws: `Refusal` when the notice is out of bounds or no line can be followed.
    static func begin(
        _ command: StartJourney, id: String, owner: String, by traveller: Traveller,
        stop: Messages.Stop, offer: LineOffer, lines: [Line], file: String, at now: Int64
    ) throws -> JourneyWatch {
        let notice = command.notice == 0 ? traveller.notice : command.notice
        let distance = command.distance ?? traveller.distance
        try validate(distance: distance)
        var watch = JourneyWatch(
            journey: Journey(
                id: id, feed: command.feed, stop: stop, owner: owner, stage: .riding,
                notice: notice, started: now, clock: command.clock, typical: offer.isTypical,
                distance: distance, kept: traveller.keepsPositions,
                channels: try command.channels?.kept() ?? traveller.channels),
            file: file, lines: offer.choices, ride: nil)
        do {
            if let place = stop.place, offer.choices.isEmpty {
                watch.ride = try Ride(
                    to: command.stopId, at: Position(place), notice: notice,
                    distance: Double(distance))
            } else {
                watch.ride = try Ride(
                    to: command.stopId, notice: notice, distance: Double(distance),
                    teaches: traveller.teaches, on: lines,
                    at: watch.journeyTime(at: now))
            }
        } catch { throw Refusal.invalid(error.description) }
        watch.describe(at: now)
        return watch
    }

    /// The distances, in metres along the line, at which an alert may be wanted.
    static let distances: ClosedRange<UInt32> = 100...20_000

    /// - Throws: a `Refusal` when a notice in milliseconds is out of bounds.
    static func validate(notice: Int64) throws(Refusal) {
        guard Ride.notices.contains(notice) else {
            throw .invalid("a notice is from 1 to 30 minutes")
        }
    }

    /// - Throws: a `Refusal` when a distance in metres is out of bounds.
    static func validate(distance: UInt32) throws(Refusal) {
        guard distance == 0 || distances.contains(distance) else {
            throw .invalid(
                "a distance of \(distance) m is not possible: choose from 100 m to 20 km, or 0")
        }
    }

    /// The journey's own time at a time of the wall clock, in milliseconds since 1970.
    func journeyTime(at now: Int64) -> Int64 {
        guard let clock = journey.clock else { return now }
        return MessageTime.clamped(clock.origin) + (now - journey.started) * Int64(clock.speed)
    }

    /// The first time of the wall clock at which the journey's own time is `time`.
    func wallTime(of time: Int64) -> Int64 {
        guard let clock = journey.clock else { return time }
        let speed = Int64(clock.speed)
        let passed = MessageTime.clamped(time) - MessageTime.clamped(clock.origin)
        return journey.started + (passed + speed - 1) / speed
    }

    /// The positions of a batch that can be true. In a live journey none is later than now, because
    /// a ride ignores positions older than its newest one, and sets its alarm by the newest one's
    /// time.
    ///
    /// When the whole batch is far ahead, or is from long before a live journey or its last
    /// position, the clock of the device is wrong. Its newest position then counts as one of now,
    /// so that no ride goes without an alarm: with positions of yesterday, it would be alerted at
    /// once, and not again at its stop. The clock of such a source counts as wrong until it is
    /// right. The times of a clock that is less far ahead are set back: see `SourceClocks`.
    ///
    /// - Parameters:
    ///   - fixes: the batch, not empty.
    ///   - source: the kind of source that it is from.
    ///   - now: the time of the wall clock.
    mutating func believable(_ fixes: [Fix], from source: String, at now: Int64) -> [Fix] {
        let time = journeyTime(at: now)
        let latest = time + (journey.clock == nil ? Self.mostAhead : Self.longestJourney)
        let believed = fixes.filter { $0.time <= latest }
        guard believed.isEmpty || isBehind(believed, from: source, at: now),
            var newest = believed.last ?? fixes.last
        else { return journey.clock == nil ? setBack(believed, from: source, at: now) : believed }
        newest.time = MessageTime.clamped(time)
        return [newest]
    }

    /// Whether the clock of a live journey's source is far behind. Once it is, it counts as such
    /// until a position is less than ``mostDelay`` old: after a time without any, the last position
    /// is so old that it says nothing about the clock.
    private mutating func isBehind(_ fixes: [Fix], from source: String, at now: Int64) -> Bool {
        guard journey.clock == nil, let newest = fixes.map(\.time).max() else { return false }
        let earliest = max(
            min(journey.started, now) - Self.mostAhead,
            ride?.lastFix.map { $0 - Self.mostDelay } ?? .min)
        var clocks = ride?.clocks ?? SourceClocks()
        let isBehind =
            newest < earliest || clocks.isBehind(source) && newest <= now - Self.mostDelay
        clocks.note(source, isBehind: isBehind)
        ride?.clocks = clocks
        return isBehind
    }

    /// The positions of a live journey, set back to the clock of the service if their clock is
    /// ahead.
    private mutating func setBack(_ fixes: [Fix], from source: String, at now: Int64) -> [Fix] {
        guard let newest = fixes.map(\.time).max() else { return fixes }
        var clocks = ride?.clocks ?? SourceClocks()
        let ahead = clocks.ahead(of: source, newest, at: now)
        ride?.clocks = clocks
        guard ahead > 0 else { return fixes }
        return fixes.map { fix in
            var fix = fix
            fix.time = MessageTime.clamped(fix.time - ahead)
            return fix
        }
    }

    /// Advances the ride by positions.
    ///
    /// - Returns: the signals that they cause.
    mutating func record(_ fixes: [Fix], on lines: [Line], at now: Int64) -> [Timed] {
        guard var ride else { return [] }
        var signals: [Timed] = []
        for fix in Self.affordable(fixes, points: lines.reduce(0) { $0 + $1.points }) {
            let place = RideFix(fix)
            let given =
                ride.noteFresh() + ride.advance(place, on: lines) + ride.noteAccuracy(of: place)
            var told = given.map { Timed(fix.time, $0) }
            for index in told.indices where told[index].signal.kind == .passed {
                told[index].wayBack = ride.wayBack(on: lines).map { ($0.stop.name, $0.metres) }
            }
            signals += told
            let isThere = ride.metresToGo.map { $0 <= Self.atStop } ?? false
            if isThere || told.contains(where: { $0.signal.kind == .passed }) {
                arrived = arrived ?? fix.time
            }
        }
        self.ride = ride
        journey.fixes += UInt64(fixes.count)
        noteNext(on: lines)
        reach(signals)
        describe(at: now)
        return signals
    }

    /// Notes which stop comes next once the wanted one was passed, and how far back it is from
    /// there to the wanted one.
    private mutating func noteNext(on lines: [Line]) {
        let way = ride.flatMap { $0.isOver ? $0.wayBack(on: lines) : nil }
        journey.back = way.map { UInt32(clamping: Int($0.metres)) }
        guard way?.stop.id != journey.next?.id else { return }
        journey.next = way.map {
            Messages.Stop(feed: journey.feed, id: $0.stop.id, name: $0.stop.name)
        }
    }

    /// The maximum number of positions of a batch times the points of all lines: a fraction of a
    /// second, in which nobody else's alarm is attended to. A ride with a hundred lines of a
    /// thousand points may send 500 positions at once.
    static let mostWork = 60_000_000

    /// The positions of a batch that are followed on lines with this many points: all, or evenly
    /// spaced ones with the last and the newest, as if positions came less often.
    static func affordable(_ fixes: [Fix], points: Int) -> [Fix] {
        let most = max(2, mostWork / max(1, points))
        guard fixes.count > most else { return fixes }
        var chosen = Set((1..<most).map { fixes.count - 1 - ($0 - 1) * fixes.count / most })
        if let newest = fixes.indices.max(by: { fixes[$0].time < fixes[$1].time }) {
            chosen.insert(newest)
        }
        return chosen.sorted().map { fixes[$0] }
    }

    /// Adjusts the ride to a clock that was set back since the newest position. The alarm stays as
    /// far away as it was then.
    ///
    /// - Parameters:
    ///   - now: the time of the wall clock.
    ///   - latest: only if the newest position is later than this time.
    mutating func setBack(to now: Int64, ifAfter latest: Int64) {
        guard journey.clock == nil, ride?.setBack(to: now, ifAfter: latest) == true else { return }
        (told, arrived) = (told.map { min($0, now) }, arrived.map { min($0, now) })
        tour.guide.setBack(to: now)
    }

    /// Notes that a device has sent a position that is too old to count.
    ///
    /// - Returns: the signals that it causes.
    mutating func noteOld(at now: Int64) -> [Timed] {
        // If the time of the last position were later than now, no source would ever count as
        // silent.
        setBack(to: now, ifAfter: now + SourceClocks.tolerance)
        guard var ride else { return [] }
        let time = journeyTime(at: now)
        let signals = ride.noteOld(at: time).map { Timed(time, $0) }
        self.ride = ride
        describe(at: now)
        return signals
    }

    /// Advances the ride by the timetable when no position came.
    ///
    /// - Returns: the signals that are due.
    mutating func timerExpired(on lines: [Line], at now: Int64) -> [Timed] {
        guard var ride else { return [] }
        let time = journeyTime(at: now)
        let signals = ride.timerExpired(at: time, on: lines).map { Timed(time, $0) }
        self.ride = ride
        reach(signals)
        describe(at: now)
        return signals
    }

    /// True if a live journey goes on: its alarm is still to come, or positions come, or the alarm
    /// has come lately and may not have woken the passenger yet. If it ended, nobody would be told
    /// of the stop, because its alerts are withdrawn then.
    func goesOn(at now: Int64) -> Bool {
        guard journey.clock == nil, now - journey.started < Self.farthestEnd, let ride
        else { return false }
        func isRecent(_ time: Int64?) -> Bool {
            // A time long after now was noted before the clock was set back.
            time.map { abs(now - $0) < Self.endingInterval } ?? false
        }
        return switch journey.stage {
        case .riding, .getReady: journey.due > now || isRecent(ride.lastFix)
        case .now: isRecent(told) || isRecent(arrived)
        default: false
        }
    }

    /// A vehicle that is this close to its stop, in metres, has arrived.
    static let atStop = 20.0

    /// Ends the journey, and deletes the passenger's positions.
    mutating func finish(at now: Int64) {
        ride = nil
        // Leads are added up, so they are bounded: positions may have any times.
        if let arrived, let told {
            journey.lead = min(max(arrived - told, -Self.longestJourney), Self.longestJourney)
        }
        journey = journey.withoutProgress
        journey.stage = .finished
        journey.ended = now
    }

    mutating func reach(_ signals: [Timed]) {
        for signal in signals {
            switch signal.signal {
            case .getReady:
                journey.stage = .getReady
                told = told ?? signal.time
            case .now: journey.stage = .now
            case .passed: journey.stage = .passed
            case .skipped: journey.skipped = true
            case .servedAgain: journey.skipped = false
            case .wrongDirection, .offRoute, .elsewhere, .backOnLine, .standing, .moving: break
            case .coarse, .precise, .old, .fresh: break
            }
        }
    }

    /// Updates the published part.
    mutating func describe(at now: Int64) {
        guard let ride else { return }
        let line = ride.line
        journey.route = lines.first { $0.id == line }?.route ?? ""
        let others = lines.dropFirst()
        if journey.route.isEmpty, others.allSatisfy({ $0.isUnlikely == true }) {
            journey.route = lines.first?.route ?? ""
        }
        journey.due = ride.timerDue.map(wallTime) ?? 0
        journey.foreseen = ride.forecast?.arrival
        journey.learned = ride.isTaught ?? false
        let time = journeyTime(at: now)
        guard let remaining = ride.remaining(at: time) else { return }
        journey.estimated = ride.isEstimated(at: time)
        journey.remaining = remaining.milliseconds
        journey.metres = UInt32(clamping: Int(max(0, remaining.metres)))
    }

    /// The published part as it is at a time of the wall clock: time also passes without positions.
    func described(at now: Int64) -> Journey {
        var watch = self
        watch.describe(at: now)
        return watch.journey
    }
}

extension Journey {
    /// The journey without what shows where the passenger is. Nothing else of it may be stored for
    /// longer than the ride lasts: not in an event, and not in a reply.
    var withoutProgress: Journey {
        var journey = self
        (journey.remaining, journey.metres, journey.foreseen) = (nil, nil, nil)
        (journey.next, journey.back) = (nil, nil)
        (journey.due, journey.estimated) = (0, false)
        return journey
    }
}

/// A signal of the ride and its time, in the journey's own time.
struct Timed {
    let time: Int64
    let signal: Signal
    /// When the stop was passed: where to get off, and how many metres it is back from there.
    var wayBack: (stop: String, metres: Double)?

    init(_ time: Int64, _ signal: Signal) {
        self.time = time
        self.signal = signal
    }
}

extension Position {
    /// Makes the position of a message.
    fileprivate init(_ place: Coordinate) {
        self.init(
            latitude: Double(place.latitudeE7) / 1e7, longitude: Double(place.longitudeE7) / 1e7)
    }
}

extension RideFix {
    /// Makes the fix of a message.
    init(_ fix: Fix) {
        self.init(
            time: fix.time, latitude: Double(fix.place.latitudeE7) / 1e7,
            longitude: Double(fix.place.longitudeE7) / 1e7,
            accuracy: fix.accuracy.map { Double($0) / 10 },
            speed: fix.speed.map { Double($0) / 100 })
    }
}
