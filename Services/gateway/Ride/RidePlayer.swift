import Bus
import Messages
import Phrases
import RideFile
import ShiftClient
import Speech
import Terminal

/// Where the positions of a ride come from.
protocol FixSource {
    /// The positions that are new since the last call.
    ///
    /// - Parameter elapsed: the time since the ride began to be shown.
    mutating func take(after elapsed: Duration) -> [Fix]
    /// True if positions have come since the last call, but all were too old to count, and no
    /// source has others.
    mutating func takeOld() -> Bool
    /// Notes the present state of the journey.
    func note(_ journey: Journey)
    /// True once nothing more will come.
    var isOver: Bool { get }
    /// Where the last positions came from, as statistics name it.
    var kind: String { get }
    /// The time on the journey's clock, in milliseconds since 1970.
    func time(after elapsed: Duration) -> Int64
}

extension FixSource {
    mutating func takeOld() -> Bool { false }
    func note(_: Journey) {}
}

/// Follows a ride: sends its positions when they are due, and shows the journey and its alerts.
final class RidePlayer {
    /// Positions that fall due within this time are sent together.
    static let tick: Duration = .milliseconds(100)
    /// How long to wait for a service that is restarting before giving up the ride.
    static let patience = RideCourier.patience
    /// How long to wait for the last alert if the notifier has not answered during the ride.
    static let grace: Duration = .seconds(3)
    /// A passenger who stays this near to the stop, in metres, for this long, in milliseconds, has
    /// got off: few vehicles wait as long.
    private static let (atStop, changing): (Double, Int64) = (50, 60_000)
    /// A passenger who is this much farther from the stop than at the nearest, in metres and in two
    /// positions, has left it: many walk to another stop nearby, or change without a wait.
    private static let away = 300.0
    /// A passenger who has come this much nearer to the next stop on a line to it, in metres, is on
    /// the way.
    private static let ridden: UInt32 = 600

    /// The journey as of the last answer.
    private(set) var journey: Journey
    private let session: Session
    private let client: Client
    private let courier: RideCourier
    private let follower: AlertFeed.Follower
    private let printer: Printer
    /// Shows times: that of the site, or of this machine without one.
    let clock: SiteClock
    /// Where the positions come from.
    private(set) var source: any FixSource
    /// The agency's forecasts; nil if there is no source.
    var forecasts: TripForecasts?
    private let endsAtStop: Bool
    /// True if the passenger changes at the stop, so that another journey follows.
    private let isChange: Bool
    private let isJSON: Bool
    /// When the ride began, and how long it had lasted when this journey did.
    let start: ContinuousClock.Instant
    private let lasted: Duration
    /// Since when the passenger has been at the stop, in the journey's time; and whether they have
    /// got off there.
    private var atStopSince: Int64?
    private var hasGotOff = false
    /// How near to the stop they have been since it was time to get off, in metres; how many
    /// positions in a row were far from there; and whether they have left it.
    private var nearest = Double.infinity
    private var fixesAway = 0
    private var hasLeft = false
    /// Journeys to earlier stops that the passenger has left, perhaps without getting off: their
    /// alarms go on until it is certain that the passenger rides to this one.
    var left: [Journey] = []
    /// The greatest distance from the stop while the vehicle was certainly on a line, in metres.
    private var farthest: UInt32 = 0
    private var isWaiting = false
    /// The alerts that were shown, with their times on the journey's clock.
    private(set) var alerts: [(time: Int64, kind: String, title: String)] = []

    /// A player for a journey that has just begun, on a ride that began at `start`.
    init(
        _ session: Session, _ client: Client, _ follower: AlertFeed.Follower,
        _ source: any FixSource, _ journey: Journey, endsAtStop: Bool, isChange: Bool,
        isJSON: Bool, since start: ContinuousClock.Instant, by clock: SiteClock
    ) {
        self.session = session
        self.client = client
        courier = RideCourier(session, client)
        self.follower = follower
        printer = session.printer
        self.clock = clock
        self.source = source
        self.journey = journey
        self.endsAtStop = endsAtStop
        self.isChange = isChange
        self.isJSON = isJSON
        self.start = start
        lasted = ContinuousClock.now - start
        source.note(journey)
    }

    /// How many bytes were sent and received for the ride.
    var traffic: Int { client.traffic + follower.traffic }

    /// True if the notifier has answered.
    var hasHeard: Bool { follower.isOpen }

    /// True if positions ended before the person can have got off.
    var hasLostSource: Bool {
        guard source.isOver else { return false }
        switch journey.stage {
        case .passed, .finished: return false
        case .now: return !endsAtStop
        default: return true
        }
    }

    /// True if the passenger has come to the stop where they change, or past it: perhaps in the
    /// next vehicle.
    var isAtChange: Bool {
        isChange
            && (hasGotOff || hasLeft || journey.stage == .passed || journey.stage == .finished)
    }

    /// True if they should get off at the stop and have left it, but may still be in the vehicle.
    var isLeft: Bool { isChange && journey.stage == .now && hasLeft && !hasGotOff }

    /// True if they may have missed the change.
    var mayHaveMissedChange: Bool { isLeft || isChange && journey.stage == .passed }

    private var elapsed: Duration { ContinuousClock.now - start }

    /// Plays until the ride is over, the journey has ended, or the person stops it.
    func play() throws {
        Interruption.watch()
        defer { printer.endLive() }
        var nextBatch = ContinuousClock.now
        while !Interruption.isWanted, !isAtEnd {
            if !courier.isBusy, ContinuousClock.now >= nextBatch {
                let batch = source.take(after: elapsed)
                if !batch.isEmpty {
                    try courier.send(
                        RecordPositions(journeyId: journey.id, fixes: batch, source: source.kind))
                    noteStop(batch)
                } else if source.takeOld() {
                    try courier.send(ReportOldPositions(journeyId: journey.id))
                } else if let news = forecasts?.newest(for: journey.id) {
                    try courier.send(news)
                }
                nextBatch = ContinuousClock.now + Self.tick
            }
            try show(until: courier.isHeld ? ContinuousClock.now + Self.tick : nextBatch)
        }
        try awaitLastAlert()
    }

    private var isAtEnd: Bool {
        if journey.stage == .finished { return true }
        if isAtChange { return !courier.isBusy }
        if endsAtStop, journey.stage == .now || journey.stage == .passed { return !courier.isBusy }
        return source.isOver && !courier.isBusy
    }

    /// Notes how long the passenger has been where they change, once it is time to get off, and
    /// whether they have left it again.
    private func noteStop(_ fixes: [Fix]) {
        guard isChange, journey.stage == .now, let place = journey.stop?.place else {
            (atStopSince, nearest, fixesAway) = (nil, .infinity, 0)
            return
        }
        for fix in fixes where !fix.isTooCoarse {
            let metres = fix.place.metres(to: place)
            nearest = min(nearest, metres)
            fixesAway = metres >= nearest + Self.away ? fixesAway + 1 : 0
            if fixesAway >= 2 { hasLeft = true }
            guard metres <= Self.atStop else {
                atStopSince = nil
                continue
            }
            let since = atStopSince ?? fix.time
            atStopSince = since
            if fix.time - since >= Self.changing { hasGotOff = true }
        }
    }

    /// Receives and shows news until a time, at least once.
    private func show(until end: ContinuousClock.Instant) throws {
        let isAwaited = courier.isBusy && !courier.isHeld
        try takeAnswer(within: .milliseconds(20))
        try takeNews(within: isAwaited ? .zero : max(.zero, end - ContinuousClock.now))
        if !isWaiting, courier.waited > .seconds(2) {
            isWaiting = true
            let why = courier.obstacle.map { ", because \($0)" } ?? ""
            printer.remark("steward: waiting for \(client.service.rawValue)\(why) …")
        }
        let time = source.time(after: elapsed)
        printer.live(JourneyLine.text(journey, at: clock.clock(time), isColoured: false))
    }

    private func takeAnswer(within time: Duration) throws {
        do {
            guard let reply = try courier.reply(within: time) else { return }
            if isWaiting {
                isWaiting = false
                printer.remark("steward: \(client.service.rawValue) answers again")
            }
            journey = try Client.unpack(reply, as: Journey.self)
            source.note(journey)
        } catch let error as ClientError {
            // At a change, the passenger may have ended the journey on their telephone.
            if isChange, case .refused = error, try client.hasEnded(journey) {
                journey.stage = .finished
                return
            }
            guard let failure = Failure(error) else { throw error }
            throw Failure(
                failure.status, "the ride was cut short: \(failure.sentence)",
                advice: failure.advice)
        }
        try endLeft()
    }

    /// Ends the alarms of earlier stops once the passenger certainly rides to this one: their
    /// vehicle has followed a line to it, or is there. Nobody sends positions for them any more, so
    /// they would go on for an hour.
    private func endLeft() throws {
        guard !left.isEmpty, !journey.estimated, let metres = journey.metres else { return }
        farthest = max(farthest, metres)
        let there: [Stage] = [.now, .passed]
        let hasRidden = !journey.route.isEmpty && farthest - metres >= Self.ridden
        guard hasRidden || there.contains(journey.stage) else { return }
        while let earlier = left.first {
            do {
                try client.send(FinishJourney(journeyId: earlier.id), deadline: Self.patience)
            } catch {
                // The next answer is another occasion.
                guard Failure.mayPass(error) else { throw error }
                return
            }
            left.removeFirst()
            let (from, to) = (earlier.stop?.name ?? "", journey.stop?.name ?? "")
            if !isJSON {
                printer.remark(
                    "on the way to \(to.printable): the alarm at \(from.printable) has ended")
            }
        }
    }

    private func takeNews(within time: Duration) throws {
        for news in try follower.news(within: time) {
            switch news {
            case .opened(let alerts):
                for alert in alerts { try show(AlertNotice(reason: .raised, alert: alert)) }
            case .notice(let notice): try show(notice)
            case .silent: printer.remark("steward: waiting for the notifier …")
            case .heard: printer.remark("steward: the notifier answers again")
            case .lost: break
            }
        }
    }

    private func show(_ notice: AlertNotice) throws {
        guard let alert = notice.alert, alert.raised?.subject == journey.id,
            notice.reason != .closed
        else { return }
        if isJSON { return try printer.jsonLine(.notices, [notice]) }
        let raised = alert.shown
        let isColoured = printer.out.hasColours
        let time = rideTime(of: alert)
        let style = AlertLine.style(alert.loudness) ?? .bold
        if notice.reason == .raised { alerts.append((time, raised.kind, raised.title)) }
        let words = Words<AlertPhrase>(alert.spoken)
        let again = notice.reason == .repeated ? " " + words.say(.again) : ""
        let line = style(raised.title.printable + again, if: isColoured)
        let shown = notice.reason == .raised ? time : source.time(after: elapsed)
        printer.result("\(clock.clock(shown))  \(line)")
        if !raised.body.isEmpty { printer.result("          \(raised.body.printable)") }
        if alert.loudness == .urgent { printer.ring() }
    }

    /// The time of an alert on the journey's clock, which may run faster than the wall clock that
    /// the notifier uses.
    private func rideTime(of alert: Alert) -> Int64 {
        source.time(after: lasted + .milliseconds(max(0, alert.time - journey.started)))
    }

    /// Waits for the alert of the present stage, which comes by another path than the answer. If
    /// there is one, it has arrived once the notifier has applied what the service had published,
    /// and has then reported what is new.
    private func awaitLastAlert() throws {
        let end = ContinuousClock.now + (hasHeard ? Self.patience : Self.grace)
        let stages: [Stage] = [.getReady, .now, .passed]
        guard stages.contains(journey.stage) else { return }
        let kind = "transit.\(journey.stage)"
        var published: UInt64?
        var readings: Int?
        while !alerts.contains(where: { $0.kind == kind }), ContinuousClock.now < end,
            !Interruption.isWanted
        {
            try takeNews(within: .milliseconds(100))
            if let readings {
                if follower.readings > readings { return }
            } else if try hasApplied(&published), try follower.look() {
                readings = follower.readings
            }
        }
    }

    /// True if the notifier has applied all that the service has published.
    ///
    /// - Parameter published: the service's newest sequence when it first answered; nil before.
    private func hasApplied(_ published: inout UInt64?) throws -> Bool {
        let reports = try StatusCommand.ask(session, [client.service, .notifier])
        published = published ?? reports.first?.status?.head
        let cursor = reports.last?.status?.cursors.first {
            $0.producer == client.service.rawValue
        }
        guard let published, let cursor else { return false }
        return cursor.sequence >= published
    }
}
