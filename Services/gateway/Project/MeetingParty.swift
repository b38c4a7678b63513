import ArgumentParser
import Calendars
import Dates
import LocalTime
import MeetingTimes
import Messages
import ProjectFiles
import ProjectRecord
import Speech
import Terminal
import WorkCalendar

/// The people who meet, with what keeps them busy.
struct MeetingParty {
    /// Somebody who is invited.
    struct Guest {
        let member: Member
        /// When they work for the project.
        let calendar: WorkCalendar
        let isRequired: Bool
        /// The calendars that make them busy.
        let busy: [CalendarFile]

        /// A member of a project.
        init(
            _ member: Member, of read: ProjectContentsRead, isRequired: Bool = true,
            busy: [CalendarFile] = []
        ) {
            (self.member, self.isRequired, self.busy) = (member, isRequired, busy)
            calendar = read.record.calendar(of: member.id)
        }
    }

    let guests: [Guest]
    private let length: Int64
    private let buffer: Int64
    private let usesTentative: Bool
    /// The cost of a meeting for the project; nil when its issues contradict each other.
    private let delays: MeetingDelay?
    /// The clocks of those who have to come.
    private let clocks: [(member: Int, clock: LocalTime)]
    private let session: Session
    /// The id of the project.
    private let project: String
    /// The maximum number of times whose delay is computed.
    private static let mostDelays = 2_000

    /// The people that a command names, with their calendars, which are read.
    ///
    /// - Throws: ``Failure`` for a name or a file that doesn't exist.
    init(
        _ named: MeetCommand.Guests, _ read: ProjectContentsRead, _ session: Session
    ) throws {
        var files: [Int: [CalendarFile]] = [:]
        (self.session, project) = (session, read.project.id)
        for calendar in named.calendars {
            guard !calendar.value.contains("://") else {
                throw Failure(
                    .refused, "--calendar reads a file, not an address",
                    advice: "have it fetched: steward meet calendar add "
                        + calendar.name.asWord)
            }
            let file = try CalendarDay.read(calendar.value, session)
            files[try read.member(calendar.name).id, default: []].append(file)
        }
        let optional = try named.optional.map { try read.member($0) }
        var required = try named.required.map { try read.member($0) }
        if required.isEmpty {
            let may = Set(optional.map(\.id))
            required = read.record.members.values.filter { !may.contains($0.id) }
                .sorted { $0.id < $1.id }
        }
        guard !required.isEmpty else {
            throw Failure(
                .refused, "nobody works for the project",
                advice: "add somebody: steward project person add NAME")
        }
        func guest(_ member: Member, isRequired: Bool) -> Guest {
            Guest(member, of: read, isRequired: isRequired, busy: files[member.id] ?? [])
        }
        guests =
            required.map { guest($0, isRequired: true) }
            + optional.map { guest($0, isRequired: false) }
        for (place, guest) in guests.enumerated()
        where guests[..<place].contains(where: { $0.member.id == guest.member.id }) {
            throw Failure(.refused, "\(guest.member.name) is named twice", advice: "name each once")
        }
        for id in files.keys where !guests.contains(where: { $0.member.id == id }) {
            throw Failure(
                .refused, "\(read.record.members[id]?.name ?? "") has a calendar but isn't invited",
                advice: "name them, or leave the calendar out")
        }
        length = Int64(named.length.minutes) * 60
        buffer = Int64(named.buffer.minutes) * 60
        usesTentative = named.tentative
        do { delays = try MeetingDelay(read.record) } catch { delays = nil }
        clocks = guests.filter(\.isRequired).compactMap { guest in
            LocalTime(zone: guest.member.timeZone).map { (guest.member.id, $0) }
        }
    }

    /// By how much a meeting delays the end of the project, because of the people who have to come;
    /// nil when it doesn't.
    func delay(_ span: TimeSpan) -> MeetingDelay.Delay? {
        let guests = clocks.map { member, clock in
            let day = clock.reading(at: span.start * 1_000).day
            return (member: member, day: CivilDate(daysSince1970: Int(day)))
        }
        return delays?.delay(of: Int(span.end - span.start) / 60, guests)
    }

    /// From the beginning of the first day to the end of the last.
    static func window(_ first: Int64, _ last: Int64, _ clock: SiteClock) throws -> TimeSpan {
        guard first <= last, last - first < MeetingRequest.Limit.days else {
            throw ValidationError(
                "--until is not before --from, and at most \(MeetingRequest.Limit.days) days later")
        }
        return TimeSpan(
            clock.instant(day: first, minutes: 0) / 1_000,
            clock.instant(day: last + 1, minutes: 0) / 1_000)
    }

    /// What is left of a window at a time, in seconds since 1970: all of it before it begins, and
    /// also when it is over.
    static func rest(of window: TimeSpan, at now: Int64) -> TimeSpan {
        window.start <= now && now < window.end ? TimeSpan(now, window.end) : window
    }

    /// The times at which they can meet.
    ///
    /// - Parameters:
    ///   - window: when the meeting begins and ends.
    ///   - anchor: the time from which the steps count, in seconds since 1970; by default the
    ///     beginning of the window.
    ///   - step: how far apart the times are.
    ///   - limit: the maximum number of times.
    /// - Throws: ``Failure`` when the query can't be answered.
    func times(
        in window: TimeSpan, anchor: Int64? = nil, step: EffortArgument, limit: UInt32
    ) throws -> MeetingAnswer {
        var request = MeetingRequest(
            window: window, length: length, step: Int64(step.minutes) * 60)
        request.anchor = anchor ?? window.start
        (request.before, request.after) = (buffer, buffer)
        request.usesTentative = usesTentative
        (request.most, request.mostCosted) = (Int(limit), Self.mostDelays)
        do {
            return try MeetingTimes.find(request, try attendees(near: window)) { span in
                Int64(delay(span)?.minutes ?? 0)
            }
        } catch let fault as MeetingFault {
            throw Failure(.refused, "\(fault)")
        } catch let problem as CalendarProblem {
            throw Failure(.refused, "\(problem)")
        }
    }

    /// Refuses a time at which somebody who has to come can't.
    func require(_ span: TimeSpan, _ clock: SiteClock) throws {
        let answer = try times(
            in: span, step: EffortArgument(minutes: 1), limit: 1)
        guard answer.slots.isEmpty else { return }
        let names = answer.impasse?.blockers.map { name($0.id) }.joined(separator: ", ") ?? ""
        throw Failure(
            .refused, "\(names) can't come on \(clock.moment(span.start * 1_000))",
            advice: "find another time: steward meet find; or say --anyway")
    }

    private func attendees(near window: TimeSpan) throws -> [Attendee] {
        // Read two more days at each end: the middle of a working day depends on all of its hours.
        let near = TimeSpan(max(0, window.start - 172_800), window.end + 172_800)
        let fetched = try fetchedTimes(near: near, until: window.end)
        return try guests.map { guest in
            let member = guest.member
            guard let zone = Zone(named: member.timeZone),
                let local = LocalTime(zone: member.timeZone)
            else {
                throw Failure(
                    .refused,
                    "this machine doesn't know the time zone of \(member.name), "
                        + "“\(member.timeZone)”",
                    advice: "choose another: steward project person change \(member.name.asWord) "
                        + "--zone Europe/Oslo")
            }
            let working = WorkingTime(guest.calendar) { day, minutes in
                local.instant(day: Int64(day.daysSince1970), minutes: minutes)
            }
            let stretches = working.stretches(in: near.start * 1_000..<near.end * 1_000)
            return Attendee(
                id: "\(member.id)",
                working: stretches.map {
                    TimeSpan($0.lowerBound / 1_000, $0.upperBound / 1_000)
                },
                busy: try guest.busy.flatMap { try $0.busyTimes(in: near, zone: zone) }
                    + (fetched[member.id] ?? []),
                weight: guest.isRequired ? nil : 1)
        }
    }

    /// When people are busy according to the fetched calendars. Problems with these are reported.
    private func fetchedTimes(
        near window: TimeSpan, until end: Int64
    ) throws -> [Int: [BusyTime]] {
        let read = try session.askProject(
            ReadBusyTimes(
                project: project, people: guests.map { UInt32(clamping: $0.member.id) },
                from: window.start * 1_000, until: window.end * 1_000),
            for: BusyTimesRead.self)
        try CalendarSheet(session).remark(read.calendars, until: end * 1_000)
        let times = read.times.map { time in
            (
                Int(time.person),
                BusyTime(
                    TimeSpan(time.start / 1_000, time.end / 1_000),
                    time.tentative ? .tentative : .busy)
            )
        }
        return Dictionary(grouping: times, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The name of the person with an id in an answer.
    func name(_ id: String) -> String {
        guests.first { "\($0.member.id)" == id }?.member.name ?? id
    }

    /// The local times of a meeting where people are, if they differ from the site's.
    func localTimes(_ span: TimeSpan, _ clock: SiteClock) -> String {
        var zones: [String] = []
        for zone in guests.map(\.member.timeZone) where !zones.contains(zone) { zones.append(zone) }
        let here = clock.moment(span.start * 1_000)
        return zones.compactMap { zone in
            let there = SiteClock(zone: zone).moment(span.start * 1_000)
            guard there != here else { return nil }
            let day = there.prefix(10) == here.prefix(10) ? "" : there.prefix(10) + " "
            return "\(day)\(there.dropFirst(11).prefix(5)) \(zone)"
        }.joined(separator: ", ")
    }
}

extension SiteClock {
    /// The instant at which the clock shows a time on a day, in milliseconds since 1970.
    func instant(day: Int64, minutes: Int) -> Int64 {
        let local = LocalTime(zone: zoneName)
        return local?.instant(day: day, minutes: minutes)
            ?? (day * 1_440 + Int64(minutes)) * 60_000
    }
}

/// An answer, in words.
struct MeetingWords {
    private let answer: MeetingAnswer
    private let party: MeetingParty
    private let clock: SiteClock

    init(_ answer: MeetingAnswer, _ party: MeetingParty, _ clock: SiteClock) {
        (self.answer, self.party, self.clock) = (answer, party, clock)
    }

    var table: TextTable {
        var table = TextTable([
            .time(clock.title("BEGIN", of: answer.slots.map { $0.span.start * 1_000 })),
            .time("END"), .text("ELSEWHERE"), .text("WITHOUT"), .text("UNSURE"), .text("DELAYS"),
        ])
        for slot in answer.slots {
            table.add([
                .init(String(clock.moment(slot.span.start * 1_000).prefix(16))),
                .init(String(clock.moment(slot.span.end * 1_000).dropFirst(11).prefix(5))),
                .init(party.localTimes(slot.span, clock)), .init(names(slot.missing)),
                .init(names(slot.unsure)),
                .init(
                    party.delay(slot.span).map {
                        "#\($0.issue) by \(Effort.text($0.minutes))"
                    } ?? ""),
            ])
        }
        return table
    }

    /// Why there is no time, and what would help.
    var impasse: Failure {
        let blockers = answer.impasse?.blockers ?? []
        let reasons = blockers.prefix(5).map { blocker in
            "\(party.name(blocker.id)) at \(blocker.outsideWork + blocker.busy + blocker.buffer) "
                + "of \(answer.impasse?.beginnings ?? 0) times"
                + (blocker.outsideWork > blocker.busy ? ", mostly outside working hours" : "")
        }
        let ways = (answer.impasse?.ways ?? []).prefix(5).map { way in
            "\(words(way.relaxation)): \(clock.moment(way.span.start * 1_000).prefix(16))"
        }
        return Failure(
            .refused,
            "there is no time for all who have to come"
                + (reasons.isEmpty ? "" : "; in the way are " + reasons.joined(separator: "; ")),
            advice: ways.isEmpty
                ? "look at more days: --until" : "possible " + ways.joined(separator: "; "))
    }

    private func words(_ relaxation: Impasse.Relaxation) -> String {
        switch relaxation {
        case .tentative: "with --tentative"
        case .noBuffer: "without --buffer"
        case .shorter(let seconds): "with --length \(seconds / 60)m"
        case .overtime(let seconds): "if all work \(seconds / 60) minutes longer"
        case .without(let people): "with \(names(people)) as --maybe"
        }
    }

    private func names(_ ids: [String]) -> String { ids.map(party.name).joined(separator: ", ") }
}
