import ArgumentParser
import Bus
import Messages
import Phrases
import RoutineDay
import ShiftClient
import Speech
import Terminal

/// `steward today`
struct TodayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Shows your day on one screen.",
        discussion: """
            What you do now and what comes next in your day, the open shift, the ride that you are \
            on, and the open alerts. It names services that can't be reached.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let today = try Today(session)
        if output.json { return try session.printer.json(.today, [today]) }
        let lines = TodaySheet(
            today, now: WallClock.milliseconds(), language: try session.language
        ).lines
        for line in lines { session.printer.result(line) }
    }
}

/// What the services know about today.
struct Today: Encodable {
    /// The day; nil when none is planned.
    var day: Day?
    /// The open shifts.
    var shifts: [Shift] = []
    /// The rides under way.
    var journeys: [Journey] = []
    /// The open alerts, newest first, except those of the day itself.
    var alerts: [Alert] = []
    /// The services that can't be reached at the moment.
    var missing: [String] = []

    init() {}

    /// Asks all services at the same time.
    init(_ session: Session) throws {
        let round = try QuestionRound(
            session,
            [
                (.routine, ReadDay()), (.checklist, FindShifts(limit: 20)),
                (.transitAlert, ListJourneys(activeOnly: true)),
                (.notifier, ListAlerts(openOnly: true, limit: 50)),
            ])
        day = try answer(of: .routine, round, as: Day.self)
        shifts =
            try answer(of: .checklist, round, as: FoundShifts.self)?.shifts
            .compactMap(\.shift).filter { $0.ended == 0 } ?? []
        journeys = try answer(of: .transitAlert, round, as: Journeys.self)?.journeys ?? []
        alerts =
            try answer(of: .notifier, round, as: Alerts.self)?.alerts
            .filter { $0.source != ServiceName.routine.rawValue } ?? []
    }

    /// The answer of a service; notes a service that can't be reached. Returns nil for what it
    /// refuses, such as a day that isn't planned, or a shift of a site where the person has no
    /// role.
    private mutating func answer<R: ProtobufMessage>(
        of service: ServiceName, _ round: QuestionRound, as _: R.Type
    ) throws -> R? {
        do {
            let answer = try round.answer(of: service, as: R.self)
            if answer == nil { missing.append(service.rawValue) }
            return answer
        } catch ClientError.refused(let refusal)
            where [.notFound, .forbidden].contains(refusal.code)
        {
            return nil
        }
    }
}

/// Today as lines on a screen. It is pure.
struct TodaySheet {
    private let today: Today
    private let now: Int64
    private let language: Language
    private var words: Words<DayPhrase> { Words(language) }
    /// The maximum number of alerts shown.
    private static let mostAlerts = 5

    init(_ today: Today, now: Int64, language: Language) {
        (self.today, self.now, self.language) = (today, now, language)
    }

    var lines: [StyledLine] {
        var lines = dayLines
        for shift in today.shifts {
            lines.append(
                line(.todayShift, "\(shift.siteName), \(shift.date), \(shift.managerName)"))
        }
        for journey in today.journeys {
            let left = journey.remaining.map {
                ", " + words.say(.minutesLeft, ["count": "\(max(0, $0) / 60_000)"])
            }
            lines.append(line(.todayRide, (journey.stop?.name ?? "") + (left ?? "")))
        }
        for alert in today.alerts.prefix(Self.mostAlerts) {
            lines.append(line(.todayAlert, alert.raised?.said(in: language).title ?? ""))
        }
        if today.alerts.count > Self.mostAlerts {
            lines.append(line(.todayAlert, "…"))
        }
        for service in today.missing {
            lines.append(
                StyledLine(words.say(.todayMissing, ["service": service.printable]), .dim))
        }
        return lines
    }

    private var dayLines: [StyledLine] {
        guard !today.missing.contains(ServiceName.routine.rawValue) else { return [] }
        guard let day = today.day else { return [StyledLine(words.say(.noDay))] }
        if day.state != .confirmed { return [StyledLine(words.say(.notConfirmed), .bold)] }
        if day.isFinished { return [StyledLine("🌙 " + words.say(.dayDone), .bold)] }
        var lines: [StyledLine] = []
        let current = day.current(at: now)
        if day.paused > 0 { lines.append(StyledLine(words.say(.isPaused))) }
        lines.append(
            current.map { line(.now, text(day, $0), .bold) }
                ?? line(.now, words.say(.nothingNow)))
        if let next = day.next(at: now) {
            let clock = DayTime(of: day)?.clock(day[next].start) ?? ""
            lines.append(
                line(.next, "\(text(day, next)), " + words.say(.atClock, ["clock": clock])))
        }
        return lines
    }

    private func text(_ day: Day, _ place: Day.Place) -> String {
        day[place].action?.line(in: language) ?? day.items[place.item].title
    }

    private func line(_ label: DayPhrase, _ text: String, _ style: Style? = nil) -> StyledLine {
        var line = StyledLine()
        let word = words.say(label)
        line.add(word + String(repeating: " ", count: max(1, 14 - word.columns)), .dim)
        line.add(text.printable, style)
        return line
    }
}
