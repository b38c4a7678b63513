import ArgumentParser
import Bus
import Calendars
import Dates
import Foundation
import MeetingTimes
import Messages
import Speech
import Terminal

/// `steward meet`
struct MeetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meet", abstract: "Finds times at which people can meet, and books meetings.",
        discussion: """
              steward meet find Kari Ola --maybe Eva --length 1:30 --calendar Kari=kari.ics
              steward meet book Kari Ola --at '2027-03-02 10:00' --title Kickoff \
            --mail Kari=kari@example.org --mail Ola=ola@example.org --organizer Kari

            Working hours, absences and time zones are those of steward project person. Busy times \
            are read from iCalendar files, with repeated events, and from the calendars of steward \
            meet calendar.
            """,
        subcommands: [
            Find.self, Book.self, Move.self, Cancel.self, Delete.self, List.self, Invite.self,
            FetchedCalendars.self,
        ])

    /// Who meets, and what keeps them busy.
    struct Guests: ParsableArguments {
        @Argument(help: "Who has to come: names or numbers. Default: everyone in the project.")
        var required: [String] = []
        @Option(
            name: .customLong("maybe"),
            help: "Who comes if they can; may be given several times.")
        var optional: [String] = []
        @Option(
            name: .customLong("calendar"),
            help: ArgumentHelp(
                "When somebody is busy, an .ics file; may be given several times.",
                valueName: "name=file"))
        var calendars: [NamedValue] = []
        @Option(help: "How long it takes: 1:30, 1.5 or 90m.")
        var length = EffortArgument(minutes: 60)
        @Option(help: "Free time for everyone before and after it: 0:10 or 10m.")
        var buffer = EffortArgument(minutes: 0)
        @Flag(help: "Use times that are only tentatively taken, too.")
        var tentative = false
    }

    /// `steward meet find`
    struct Find: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find",
            abstract: "Finds the times at which people can meet, the best first.",
            discussion: """
                The best time delays the end of the project the least: it takes time from people \
                who have some to spare on that day. The fewest optional people miss it, and it is \
                close to the middle of everybody's working day. If there is no time at all, the \
                command says who is in the way and what would help.
                """)

        @OptionGroup var guests: Guests
        @Option(help: "The first day. Default: today, from now on.")
        var from: DayArgument?
        @Option(help: "The last day. Default: two weeks after the first.")
        var until: DayArgument?
        @Option(help: "Meetings begin at whole multiples of this: 0:15 or 15m.")
        var step = EffortArgument(minutes: 30)
        @Option(help: "The maximum number of times, up to 1000.")
        var limit: UInt32 = 10
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 1_000) }

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let clock = try session.inputClock
            let today = Int64(clock.today.daysSince1970)
            let first = from?.number(from: today) ?? today
            let last = until?.number(from: today) ?? first + 14
            let party = try MeetingParty(guests, read, session)
            let days = try MeetingParty.window(first, last, clock)
            // A day that is named by its date is searched as a whole.
            let window =
                from?.isCounted ?? true
                ? MeetingParty.rest(of: days, at: WallClock.milliseconds() / 1_000) : days
            let answer = try party.times(
                in: window, anchor: days.start, step: step, limit: limit)
            if output.json {
                let slots = answer.slots.map { TimeToMeet($0, party) }
                return try session.printer.json(
                    .slots, slots, beside: ["count": answer.count])
            }
            let words = MeetingWords(answer, party, clock)
            guard !answer.slots.isEmpty else { throw words.impasse }
            session.printer.table(words.table)
            if answer.count > answer.slots.count {
                session.printer.remark(
                    "the best \(answer.slots.count) of \(answer.count); more with --limit")
            }
        }
    }

    /// `steward meet invite`
    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Writes an invitation to a meeting as a calendar, .ics.",
            discussion: """
                Mail the file, or open it in a calendar program. With the same --id and a higher \
                --revision it moves the meeting in the calendars that have it, and with --cancel \
                it cancels it. A time at which somebody who has to come can't is refused, unless \
                you say --anyway.
                """)

        @OptionGroup var guests: Guests
        @Option(help: "When it begins, by the site's clock, e.g. '2027-03-02 10:00'.")
        var at: MomentArgument
        @Option(help: "What it is about.")
        var title: String
        @Option(help: "Where it is.")
        var place: String = ""
        @Option(
            name: .customLong("mail"),
            help: ArgumentHelp(
                "Somebody's mail address; may be given several times.", valueName: "name=address"))
        var mails: [NamedValue] = []
        @Option(help: "The organizer: the name or number of a person.")
        var organizer: String
        @Option(help: "The meeting's id in calendars. Default: a new id.")
        var id: String?
        @Option(help: "How often it was changed before: 0 for a new one.")
        var revision: UInt32 = 0
        @Flag(help: "Cancel it.")
        var cancel = false
        @Flag(help: "Invite people even if somebody can't come.")
        var anyway = false
        @Option(
            name: [.long, .customShort("o")],
            help: "The file to write. Default: standard output.", completion: .file())
        var output: String?
        @OptionGroup var target: ProjectOption
        @Flag(help: "Print JSON, as described in docs/json.md.")
        var json = false

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let clock = try session.inputClock
            let party = try MeetingParty(guests, read, session)
            let start = clock.instant(day: Int64(at.day.daysSince1970), minutes: at.minutes)
            let span = TimeSpan(start / 1_000, start / 1_000 + Int64(guests.length.minutes) * 60)
            if !cancel, !anyway { try party.require(span, clock) }
            let text = try invitation(span, party, read)
            try PlanOutput.write(text, to: output, session.printer, isJSON: json)
        }

        private func invitation(
            _ span: TimeSpan, _ party: MeetingParty, _ read: ProjectContentsRead
        ) throws -> String {
            var addresses: [Int: String] = [:]
            for mail in mails { addresses[try read.member(mail.name).id] = mail.value }
            func participant(_ guest: MeetingParty.Guest) throws -> Participant {
                guard let address = addresses[guest.member.id] else {
                    throw Failure(
                        .refused, "the mail address of \(guest.member.name) isn't known",
                        advice: "say --mail \("\(guest.member.name)=ADDRESS".asWord)")
                }
                return try Participant(
                    name: guest.member.name, address: address, isOptional: !guest.isRequired)
            }
            do {
                let inviting = MeetingParty.Guest(try read.member(organizer), of: read)
                var invitation = try Invitation(
                    uid: id ?? "\(UUID().uuidString)@\(read.project.id)", sequence: Int64(revision),
                    span: span, stamp: WallClock.milliseconds() / 1_000, title: title,
                    organizer: try participant(inviting),
                    attendees: try party.guests.map(participant))
                invitation.place = place
                invitation.text = read.project.name
                return cancel ? invitation.cancellation : invitation.request
            } catch let problem as CalendarProblem {
                throw Failure(.refused, "\(problem)")
            }
        }
    }
}

/// A value for a person: `Kari=kari.ics`.
struct NamedValue: ExpressibleByArgument, Hashable {
    let name: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}

/// A local time: `2027-03-02 10:00`.
struct MomentArgument: ExpressibleByArgument, Hashable {
    let day: CivilDate
    /// Minutes after midnight.
    let minutes: Int

    init?(argument: String) {
        let parts = argument.split { $0 == " " || $0 == "T" }.map(String.init)
        guard parts.count == 2, let day = CivilDate(iso: parts[0]),
            let clock = ClockArgument(argument: parts[1]), clock.minutes < 1_440
        else { return nil }
        (self.day, minutes) = (day, Int(clock.minutes))
    }
}

/// A time at which people can meet, as JSON.
struct TimeToMeet: Encodable {
    let begin: Moment
    let end: Moment
    /// The names of the optional people who can't come.
    let missing: [String]
    /// The names of the people who are tentatively busy then.
    let unsure: [String]
    /// The minutes of work by which it delays the end of the project, and the issue that ends
    /// later.
    let delay: Int
    let delayedIssue: Int?

    init(_ slot: MeetingSlot, _ party: MeetingParty) {
        begin = Moment(milliseconds: slot.span.start * 1_000)
        end = Moment(milliseconds: slot.span.end * 1_000)
        missing = slot.missing.map(party.name)
        unsure = slot.unsure.map(party.name)
        let delayed = party.delay(slot.span)
        delay = delayed?.minutes ?? 0
        delayedIssue = delayed?.issue
    }
}
