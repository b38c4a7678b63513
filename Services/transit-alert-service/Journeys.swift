import Dates
import Messages
import RideTracking
import ServiceRuntime

/// The journeys: started, advanced by positions and by the clock, ended.
enum JourneyHandling {
    /// Everyone may have journeys; each handler finds only the asker's own.
    static var handlers: [MessageHandler] {
        [
            command(start),
            command(record),
            command(finish),
            command(reportOld),
            command(Forecasts.record),
            command(Continuations.goOn),
            .query(read, .person),
            .query(list, .person),
        ]
    }

    /// A command that is answered with the journey. Where the passenger is, isn't kept with the
    /// reply: whoever sends the command again gets the journey as it is then.
    private static func command<C: ProtobufMessage>(
        _ handle: @escaping (C, Transaction) throws -> Journey
    ) -> MessageHandler {
        .command(
            handle, keeping: { $0.withoutProgress },
            renewed: { try watch($0.id, in: $1).described(at: $1.now) }, .person)
    }

    static var timers: [TimerHandler] {
        [.init(alarm, atAnyTime: wake), .init(ending, end), .init(pruning, prune)]
    }

    /// Timer kinds: an alarm that is due without a position, the automatic end of a journey, and
    /// the deletion of old journeys.
    static let alarm = "alarm"
    static let ending = "end"
    static let pruning = "prune"
    /// The maximum number of positions in one command.
    static let mostFixes = 500

    static func start(_ command: StartJourney, in transaction: Transaction) throws -> Journey {
        if let clock = command.clock { try validate(clock) }
        let owner = transaction.principal.account
        var traveller = try Traveller.of(owner, transaction.db)
        if command.policy != 0 { try traveller.accept(command.policy, at: transaction.now) }
        try PrivacyPolicy.require(traveller)
        try JourneyLimits.requireRoom(for: transaction.principal, transaction.db)
        let row = try FeedRow.required(command.feed, transaction.db)
        let file = try FeedShelf.shared.file(row.file, in: transaction.dataDirectory)
        guard let stop = try file.stop(command.stopId) else {
            throw Refusal.unknownStop(command.stopId, in: command.feed)
        }
        let begin = command.clock?.origin ?? transaction.now
        let offer = try file.offer(for: command, at: begin)
        var watch = try JourneyWatch.begin(
            command, id: "\(transaction.id)", owner: owner, by: traveller,
            stop: Messages.Stop(stop, of: file, feed: command.feed), offer: offer,
            lines: Lessons.lines(
                offer.choices, feed: command.feed, file: row.file, at: begin, in: transaction),
            file: row.file, at: transaction.now)
        watch.organisation = transaction.principal.organisation
        watch.tour.types = try command.landmarks?.kept() ?? traveller.landmarks
        if command.policy != 0 { try traveller.save(transaction.principal, transaction.db) }
        try Travellers.ride(watch.journey, in: transaction)
        try transaction.publish(
            JourneyStarted(journey: watch.journey.withoutProgress), subject: watch.journey.id)
        try transaction.setTimer(
            ending, subject: watch.journey.id, due: transaction.now + JourneyWatch.longestJourney)
        return try settle(watch, signals: [], in: transaction)
    }

    static func record(_ command: RecordPositions, in transaction: Transaction) throws -> Journey {
        var watch = try watch(command.journeyId, in: transaction)
        guard watch.isActive else { throw Refusal.journeyEnded(watch.journey.id) }
        try validate(command.fixes)
        try validate(source: command.source)
        if !command.source.isEmpty { watch.journey.source = command.source }
        // No position counts as later than its arrival. If the newest one is later than now, the
        // clock was set back since.
        watch.setBack(to: transaction.now, ifAfter: transaction.now + SourceClocks.tolerance)
        let fixes = watch.believable(
            command.fixes, from: command.source, at: transaction.now)
        if watch.journey.kept {
            try KeptFix.add(
                fixes, to: watch.journey.id, of: watch.journey.owner, transaction.db)
        }
        let lines = try lines(watch, in: transaction)
        let former = watch.journey.next?.id
        let signals = watch.record(fixes, on: lines, at: transaction.now)
        try describeNext(of: &watch, after: former, in: transaction)
        if let newest = fixes.last {
            try LandmarkTour.announce(&watch, after: newest, on: lines, in: transaction)
        }
        return try settle(watch, signals: signals, in: transaction)
    }

    /// Adds what the timetable says of the next stop, unless it was already the next one before.
    private static func describeNext(
        of watch: inout JourneyWatch, after former: String?, in transaction: Transaction
    ) throws {
        guard let next = watch.journey.next, next.id != former else { return }
        let known = try FeedHandling.stop(
            next.id, of: watch.journey.feed, file: watch.file, in: transaction)
        if let known { watch.journey.next = known }
    }

    static func finish(_ command: FinishJourney, in transaction: Transaction) throws -> Journey {
        var watch = try watch(command.journeyId, in: transaction)
        guard watch.isActive else { return watch.journey }
        return try close(&watch, in: transaction)
    }

    static func read(_ query: ReadJourney, in transaction: Transaction) throws -> Journey {
        try watch(query.journeyId, in: transaction).described(at: transaction.now)
    }

    static func list(
        _ query: ListJourneys, in transaction: Transaction
    ) throws -> Messages.Journeys {
        let watches = try JourneyWatch.newest(
            owner: transaction.principal.account, activeOnly: query.activeOnly,
            before: query.before, transaction.db)
        return Messages.Journeys(journeys: watches.map { $0.described(at: transaction.now) })
    }

    /// Raises an alarm from the estimate, because it is due and no position has come.
    static func wake(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard var watch = try JourneyWatch.ofID(id, transaction.db), watch.isActive else { return }
        let now = transaction.now
        // The clock was set back since the alarm was set.
        if due > now { watch.setBack(to: now, ifAfter: now) }
        // Without its timetable the ride still knows when the alarm is due.
        let known = try transaction.sparingOthers("timetable") { () -> [Line]? in
            try lines(watch, in: transaction)
        } putAside: { _ in
        }
        let signals = watch.timerExpired(on: known ?? [], at: now)
        _ = try settle(watch, signals: signals, in: transaction)
    }

    /// Ends a journey that has lasted too long, unless it goes on, as on a night train, or the
    /// clock only jumped ahead: then nobody would be told of the stop.
    static func end(_ id: String, due: Int64, in transaction: Transaction) throws {
        let kept = try transaction.sparingOthers("journey") {
            try JourneyWatch.ofID(id, transaction.db)
        } putAside: { _ in
            try transaction.withdrawAlerts(of: id)
            try JourneyWatch.abandon(id, at: transaction.now, transaction.db)
            transaction.erase()
            try transaction.cancelTimer(alarm, subject: id)
        }
        guard var watch = kept, watch.isActive else { return }
        let started = watch.journey.started
        let last = started > transaction.now ? due : started + JourneyWatch.longestJourney
        if watch.journey.stage != .passed,
            let look = transaction.nextLook(until: last, since: started)
        {
            return try transaction.setTimer(ending, subject: id, due: look)
        }
        guard !watch.goesOn(at: transaction.now) else {
            return try transaction.setTimer(
                ending, subject: id, due: transaction.now + JourneyWatch.endingInterval)
        }
        _ = try close(&watch, in: transaction)
    }

    /// All rows that are deleted in stretches.
    static let gone = [KeptFix.gone, GoneLandmarks.rows, GoneTravelTimes.rows]

    /// Deletes some of the journeys that ended long ago, and some of the destinations last ridden
    /// to that long ago.
    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        let time = transaction.retentionTime
        let before = transaction.db.totalChangesCount
        let day = CivilDate(daysSince1970: Int(time / 86_400_000))
        try RideCount.prune(
            before: CivilDate(daysSince1970: day.daysSince1970 - RideCount.retentionDays).iso,
            transaction.db)
        let areTimesLeft = try TravelTimeStore.prune(
            taughtBefore: time - TravelTimeStore.retention, transaction.db)
        let most = 1_000
        let destinations = try Messages.Destination.prune(
            usedBefore: time - JourneyWatch.retention, most: most, transaction.db)
        let areJourneysLeft = try JourneyWatch.prune(
            endedBefore: time - JourneyWatch.retention, transaction.db)
        // Nothing may be left in the files of the store that says where and when somebody rode.
        if transaction.db.totalChangesCount > before { transaction.erase() }
        for rows in gone { try rows.sweep(in: transaction) }
        let isMore = areJourneysLeft || areTimesLeft || destinations >= most
        try transaction.setTimer(
            pruning, subject: "",
            due: transaction.now + (isMore ? 1000 : JourneyWatch.pruningInterval))
    }

    /// Passes the journeys under way to a snapshot. A journey that can't be read is left out: its
    /// own timers report it, and without a snapshot the followers would get no alert of any.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        for id in try JourneyWatch.activeIDs(transaction.db) {
            let watch = try transaction.sparingOthers("journey") {
                try JourneyWatch.ofID(id, transaction.db)
            } putAside: { _ in
            }
            guard let watch else { continue }
            try receiver(JourneyStarted(journey: watch.journey.withoutProgress), id)
        }
    }

    private static func watch(_ id: String, in transaction: Transaction) throws -> JourneyWatch {
        try JourneyWatch.required(id, owner: transaction.principal.account, transaction.db)
    }

    /// The lines of a journey.
    static func lines(_ watch: JourneyWatch, in transaction: Transaction) throws -> [Line] {
        try Lessons.lines(
            watch.lines, feed: watch.journey.feed, file: watch.file,
            at: watch.journeyTime(at: transaction.now), in: transaction)
    }

    private static func validate(_ clock: JourneyClock) throws {
        guard (1...1000).contains(clock.speed) else {
            throw Refusal.invalid("a speed of \(clock.speed) is not possible; use 1 to 1000")
        }
    }

    private static func validate(source: String) throws {
        let sources = ["", "gpsd", "nmea", "owntracks", "vehicle", "file", "browser"]
        guard sources.contains(source) else {
            throw Refusal.invalid("positions don't come from “\(source)”")
        }
    }

    private static func validate(_ fixes: [Fix]) throws {
        guard !fixes.isEmpty, fixes.count <= mostFixes else {
            throw Refusal.invalid("\(fixes.count) positions; send 1 to \(mostFixes) at a time")
                .because(.positionCount, ["most": "\(mostFixes)"])
        }
        for (index, fix) in fixes.enumerated() {
            guard abs(Int(fix.place.latitudeE7)) <= 900_000_000,
                abs(Int(fix.place.longitudeE7)) <= 1_800_000_000
            else {
                throw Refusal.invalid("position \(index + 1) is not a place on earth")
                    .because(.positionPlace, ["number": "\(index + 1)"])
            }
            guard fix.time > 0, MessageTime.range.contains(fix.time) else {
                throw Refusal.invalid("position \(index + 1) has no time from 1970 to 9999")
                    .because(.positionTime, ["number": "\(index + 1)"])
            }
        }
    }

    /// Positions that are too old to count, because the clock of their device is wrong, or because
    /// they have waited there.
    private static func reportOld(
        _ command: ReportOldPositions, in transaction: Transaction
    ) throws -> Journey {
        var watch = try JourneyWatch.required(
            command.journeyId, owner: transaction.principal.account, transaction.db)
        guard watch.isActive else { throw Refusal.journeyEnded(watch.journey.id) }
        let signals = watch.noteOld(at: transaction.now)
        return try settle(watch, signals: signals, in: transaction)
    }

    /// Saves the journey, raises the alerts of its signals, and resets its alarm.
    static func settle(
        _ watch: JourneyWatch, signals: [Timed], in transaction: Transaction
    ) throws -> Journey {
        let id = watch.journey.id
        for timed in signals {
            let kind = timed.signal.kind
            if kind == .getReady { try LandmarkTour.fallSilent(watch, in: transaction) }
            for key in JourneyWatch.superseded(by: kind).map(watch.key) {
                try transaction.withdraw(key)
            }
            if let alert = watch.alert(for: timed, at: transaction.now) {
                try transaction.raise(alert, occasion: timed.time)
            }
            try transaction.publish(
                JourneyAdvanced(journey: watch.journey.withoutProgress, at: timed.time),
                subject: id)
            if kind == .passed {
                try transaction.setTimer(
                    ending, subject: id, due: transaction.now + JourneyWatch.afterPassing)
            }
        }
        if watch.isActive, watch.journey.due > 0 {
            try transaction.setTimer(alarm, subject: id, due: watch.journey.due)
        } else {
            try transaction.cancelTimer(alarm, subject: id)
        }
        try watch.save(transaction.db)
        return watch.journey
    }

    private static func close(
        _ watch: inout JourneyWatch, in transaction: Transaction
    ) throws -> Journey {
        try transaction.withdrawAlerts(of: watch.journey.id)
        // A ride whose timetable can't be read ends like any other, and its positions are deleted.
        let ended = watch
        _ = try transaction.sparingOthers("timetable") { () -> Bool? in
            try Lessons.learn(from: ended, in: transaction)
            return true
        } putAside: { _ in
        }
        watch.finish(at: transaction.now)
        transaction.erase()
        try RideRecords.count(watch, in: transaction)
        try transaction.cancelTimer(ending, subject: watch.journey.id)
        try transaction.publish(JourneyFinished(journey: watch.journey), subject: watch.journey.id)
        let journey = try settle(watch, signals: [], in: transaction)
        try FeedHandling.removeUnused(transaction)
        return journey
    }
}

extension Refusal {
    /// A feed has no stop with that id.
    static func unknownStop(_ id: String, in feed: String) -> Refusal {
        Refusal.notFound("feed \(feed) has no stop \(id); find it with steward transit stops")
            .because(.stopMissing, of: id, ["feed": feed])
    }

    /// An ended journey accepts no more positions.
    static func journeyEnded(_ id: String) -> Refusal {
        Refusal.conflict("journey \(id) has ended; start another one")
            .because(.journeyEnded, of: id)
    }
}
