import ArgumentParser
import Bus
import Dates
import Foundation
import LocalTime
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
            What you do now and what comes next in your day, the open shift, today's meetings to \
            which you are invited, the issues that are due for you, the ride that you are on, and \
            the open alerts. It names services that can't be reached.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let now = WallClock.milliseconds()
        let today = try Today(session, at: now)
        if output.json { return try session.printer.json(.today, [today.report]) }
        let lines = TodaySheet(
            today, now: now, zone: TimeZone.current.identifier, language: try session.language
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
    /// Today's meetings that the person is invited to, the next first.
    var meetings: [ProjectMeeting] = []
    /// The open issues of the person that are due today or were due before, the oldest first.
    var issues: [ListedIssue] = []
    /// The rides under way.
    var journeys: [Journey] = []
    /// The open alerts, except those of the day itself: the most severe first, and of those the
    /// newest.
    var alerts: [Alert] = []
    /// The services that can't be reached at the moment.
    var missing: [String] = []
    /// The names of the lists that have more than is shown here.
    var more: [String] = []

    /// The maximum number of meetings, and of issues.
    private static let most: UInt32 = 20
    /// The maximum number of open shifts that are asked for.
    private static let mostShifts: UInt32 = 200
    /// The maximum number of journeys in an answer.
    private static let mostJourneys = 50

    init() {}

    /// Asks all services at the same time.
    ///
    /// - Parameter now: the time, in milliseconds since 1970.
    init(_ session: Session, at now: Int64) throws {
        let local = LocalTime(zone: TimeZone.current.identifier) ?? LocalTime(zone: "UTC")
        let date = local?.reading(at: now).day ?? now / 86_400_000
        let midnights = [date, date + 1].map { local?.instant(day: $0, minutes: 0) ?? 0 }
        let questions: [(ServiceName, any ProtobufMessage)] = [
            (.routine, ReadDay()),
            (.checklist, FindShifts(limit: Self.mostShifts, openOnly: true)),
            (
                .project,
                // One more than wanted shows whether there are more.
                ListMeetings(limit: Self.most + 1, from: midnights[0], until: midnights[1])
            ),
            (
                .project,
                ListIssues(
                    state: .open, assignee: "me", order: .due, limit: Self.most, dueWithin: 0,
                    today: CivilDate(daysSince1970: Int(date)).iso)
            ), (.transitAlert, ListJourneys(activeOnly: true)),
            (.notifier, OpenFeed()),
        ]
        let round = try QuestionRound(session, questions)
        func answer<R: ProtobufMessage>(_ number: Int, as _: R.Type) throws -> R? {
            try self.answer(to: number, of: questions[number].0, round, as: R.self)
        }
        day = try answer(0, as: Day.self)
        let found = try answer(1, as: FoundShifts.self)?.shifts ?? []
        shifts = found.compactMap(\.shift).filter { $0.ended == 0 }
        if found.count >= Int(Self.mostShifts) { more.append("shifts") }
        meetings = try answer(2, as: MeetingsListed.self)?.meetings ?? []
        if meetings.count > Int(Self.most) {
            meetings = Array(meetings.prefix(Int(Self.most)))
            more.append("meetings")
        }
        let listed = try answer(3, as: IssuesListed.self) ?? IssuesListed()
        issues = listed.issues
        if Int(listed.count) > issues.count || listed.leftOut > 0 { more.append("issues") }
        journeys = try answer(4, as: Journeys.self)?.journeys ?? []
        if journeys.count >= Self.mostJourneys { more.append("journeys") }
        if let feed = try answer(5, as: AlertFeed.self) { show(feed) }
    }

    /// The same in JSON, with what is a number in a shift as a word.
    var report: Extended<Today> { Extended(self, ["shifts": shifts.map(\.report)]) }

    /// Shows those of the open alerts that aren't about the day itself.
    mutating func show(_ feed: AlertFeed) {
        show(feed.open)
        if !feed.isComplete { more.append("alerts") }
    }

    /// Shows those of some open alerts that aren't about the day itself.
    mutating func show(_ open: [Alert]) {
        alerts = open.filter { $0.source != ServiceName.routine.rawValue }
            .sorted { ($0.loudness.rawValue, $0.id) > ($1.loudness.rawValue, $1.id) }
    }

    /// The answer to a query; notes a service that can't be reached. Returns nil for what it
    /// refuses, such as a day that isn't planned, a shift of a site where the person has no role,
    /// or issues when the person isn't in any project.
    private mutating func answer<R: ProtobufMessage>(
        to number: Int, of service: ServiceName, _ round: QuestionRound, as _: R.Type
    ) throws -> R? {
        do {
            let answer = try round.answer(to: number, as: R.self)
            if answer == nil, !missing.contains(service.rawValue) {
                missing.append(service.rawValue)
            }
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
    private let local: LocalTime?
    private let language: Language
    private var words: Words<DayPhrase> { Words(language) }
    /// The maximum number of lines of a kind.
    private static let most = 5

    /// - Parameter zone: the zone of the clock by which meetings are shown.
    init(_ today: Today, now: Int64, zone: String, language: Language) {
        (self.today, self.now, self.language) = (today, now, language)
        local = LocalTime(zone: zone)
    }

    var lines: [StyledLine] {
        var lines = dayLines
        for shift in today.shifts {
            lines.append(
                line(.todayShift, "\(shift.siteName), \(shift.date), \(shift.managerName)"))
        }
        lines += first(of: .todayMeeting, today.meetings) { meeting in
            let times = "\(time(meeting.start))–\(time(meeting.end)) \(meeting.title)"
            return times + (meeting.place.isEmpty ? "" : ", \(meeting.place)")
        }
        lines += first(of: .todayIssue, today.issues) { listed in
            let issue = listed.issue ?? TrackedIssue()
            return "#\(issue.number) \(issue.subject), \(listed.project), \(issue.due)"
        }
        for journey in today.journeys {
            let left = journey.remaining.map {
                ", " + words.say(.minutesLeft, ["count": "\(max(0, $0) / 60_000)"])
            }
            lines.append(line(.todayRide, (journey.stop?.name ?? "") + (left ?? "")))
        }
        lines += first(of: .todayAlert, today.alerts) { $0.raised?.said(in: language).title ?? "" }
        for service in today.missing {
            lines.append(
                StyledLine(words.say(.todayMissing, ["service": service.printable]), .dim))
        }
        return lines
    }

    /// A line for each of the first things, and one that says that there are more.
    private func first<Thing>(
        of label: DayPhrase, _ things: [Thing], _ text: (Thing) -> String
    ) -> [StyledLine] {
        let lines = things.prefix(Self.most).map { line(label, text($0)) }
        return things.count > Self.most ? lines + [line(label, "…")] : lines
    }

    /// The time of day, with the date if it isn't today.
    private func time(_ instant: Int64) -> String {
        guard let reading = local?.reading(at: instant) else { return "" }
        return reading.day == local?.reading(at: now).day
            ? reading.time : "\(reading.date) \(reading.time)"
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
