import ArgumentParser
import Bus
import Messages
import Phrases
import Speech
import Terminal

extension MeetCommand {
    /// The options of a meeting that is booked or moved.
    struct Event: ParsableArguments {
        @Option(
            name: .customLong("mail"),
            help: ArgumentHelp(
                "Somebody's mail address; may be given several times.", valueName: "name=address"))
        var mails: [NamedValue] = []
        @Option(help: "The language of the mails: en, nb or sv. Default: yours.")
        var language: Language?
        @Flag(help: "Go ahead even if somebody can't come.")
        var anyway = false

        /// Those who are invited, with their addresses.
        func addresses(_ read: ProjectContentsRead) throws -> [Int: String] {
            var addresses: [Int: String] = [:]
            for mail in mails { addresses[try read.member(mail.name).id] = mail.value }
            return addresses
        }

        /// A guest of a meeting.
        ///
        /// - Throws: ``Failure`` when the address isn't known.
        static func guest(
            _ guest: MeetingParty.Guest, _ addresses: [Int: String]
        ) throws -> MeetingGuest {
            guard let address = addresses[guest.member.id] else {
                throw Failure(
                    .refused, "the mail address of \(guest.member.name) isn't known",
                    advice: "say --mail \("\(guest.member.name)=ADDRESS".asWord)")
            }
            return MeetingGuest(
                name: guest.member.name, mail: address, isOptional: !guest.isRequired)
        }
    }

    /// `steward meet book`
    struct Book: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "book",
            abstract: "Books a meeting, and mails the invitations to it.",
            discussion: """
                  steward meet book Kari Ola --at '2027-03-02 10:00' --title Kickoff \
                --organizer Kari --mail Kari=kari@example.org --mail Ola=ola@example.org

                A time at which somebody who has to come can't is refused, unless you say --anyway.
                """)

        @OptionGroup var guests: Guests
        @Option(help: "When it begins, by the site's clock, e.g. '2027-03-02 10:00'.")
        var at: MomentArgument
        @Option(help: "What it is about.")
        var title: String
        @Option(help: "Where it is.")
        var place: String = ""
        @Option(help: "The organizer: the name or number of a person.")
        var organizer: String
        @OptionGroup var event: Event
        @OptionGroup var target: ProjectOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let clock = try session.inputClock
            let party = try MeetingParty(guests, read, session)
            let start = clock.instant(day: Int64(at.day.daysSince1970), minutes: at.minutes)
            let end = start + Int64(guests.length.minutes) * 60_000
            if !event.anyway {
                try party.require(.init(start / 1_000, end / 1_000), clock)
            }
            let addresses = try event.addresses(read)
            let inviting = MeetingParty.Guest(try read.member(organizer), of: read)
            let meeting = ProjectMeeting(
                title: title, place: place, start: start, end: end,
                organizer: try Event.guest(inviting, addresses),
                guests: try party.guests.map { try Event.guest($0, addresses) },
                language: try (event.language ?? session.language).rawValue)
            let booked = try session.askProject(
                BookMeeting(
                    project: read.project.id, meeting: meeting, anyway: event.anyway),
                for: ProjectMeeting.self, repeating: repeating)
            try MeetingAnswerSheet(booked, session, output).show("is booked; it is mailed to")
            let note = MeetingAnswerSheet.note(on: booked, at: WallClock.milliseconds())
            if let note { session.printer.remark(note) }
        }
    }

    /// `steward meet move`
    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Changes a meeting's time, place or title, and mails the change.",
            discussion: """
                  steward meet move 0192 --at '2027-03-03 10:00'

                A time at which somebody who has to come is in another meeting is refused, unless \
                you say --anyway.
                """)

        @Argument(help: "Its id, or the beginning of it: see steward meet list.")
        var meeting: String
        @Option(help: "When it begins, by the site's clock. Its length stays.")
        var at: MomentArgument?
        @Option(help: "How long it takes: 1:30, 1.5 or 90m.")
        var length: EffortArgument?
        @Option(help: "What it is about.")
        var title: String?
        @Option(help: "Where it is.")
        var place: String?
        @Flag(help: "Go ahead even if somebody is in another meeting then.")
        var anyway = false
        @OptionGroup var target: ProjectOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let project = try target.project(session)
            var id = meeting
            let moved = try repeating.retrying { version in
                let before = try MeetingAnswerSheet.find(id, of: project, session)
                (id, version) = (before.id, before.sequence)
                return try session.askProject(
                    BookMeeting(
                        project: project, meeting: try changed(before, session), anyway: anyway),
                    for: ProjectMeeting.self, repeating: repeating)
            } version: {
                try MeetingAnswerSheet.find(id, of: project, session).sequence
            }
            try MeetingAnswerSheet(moved, session, output).show("is changed; it is mailed to")
            let note = MeetingAnswerSheet.note(on: moved, at: WallClock.milliseconds())
            if at != nil, let note { session.printer.remark(note) }
        }

        /// A meeting with what the options change.
        private func changed(
            _ before: ProjectMeeting, _ session: Session
        ) throws -> ProjectMeeting {
            var wanted = before
            let minutes = (before.end - before.start) / 60_000
            if let at {
                wanted.start = try session.inputClock.instant(
                    day: Int64(at.day.daysSince1970), minutes: at.minutes)
            }
            let lasting = length.map { Int64($0.minutes) } ?? minutes
            wanted.end = wanted.start + lasting * 60_000
            if let title { wanted.title = title }
            if let place { wanted.place = place }
            return wanted
        }
    }

    /// `steward meet cancel`
    struct Cancel: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Cancels a meeting, and mails everyone who was invited.")

        @Argument(help: "Its id, or the beginning of it: see steward meet list.")
        var meeting: String
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let project = try target.project(session)
            let before = try MeetingAnswerSheet.find(meeting, of: project, session)
            guard !before.cancelled || output.json else {
                return session.printer.remark(
                    "“\(before.title)” was cancelled before; nothing more is mailed".printable)
            }
            let cancelled = try session.askProject(
                CancelMeeting(project: project, meeting: before.id), for: ProjectMeeting.self)
            try MeetingAnswerSheet(cancelled, session, output)
                .show("is cancelled; that is mailed to")
        }
    }

    /// `steward meet delete`
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes meetings that are over, for good. Nothing is mailed.",
            discussion: "  steward meet delete --until 2026-12-31")

        @Option(help: "The last day: meetings that ended by the end of it are deleted.")
        var until: DayArgument
        @Flag(help: "Do not ask.")
        var yes = false
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let project = try target.project(session)
            let clock = try session.inputClock
            let day = until.number(from: Int64(clock.today.daysSince1970))
            let end = clock.instant(day: day + 1, minutes: 0)
            if !yes {
                try Deletion.ask("meetings", session) {
                    "the meetings until the end of \(try until.iso(session))"
                }
            }
            var count = 0
            var reply = MeetingsDeleted()
            repeat {
                reply = try session.askProject(
                    DeleteMeetings(project: project, until: end), for: MeetingsDeleted.self)
                count += Int(reply.deleted)
            } while reply.more
            if output.json {
                return try session.printer.json(.meetingDeletions, [["deleted": count]])
            }
            session.printer.result("\(Wording.count(count, "meeting")) deleted")
        }
    }

    /// `steward meet list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the meetings of a project, latest first.")

        @Option(help: "The last day. Default: any.")
        var until: DayArgument?
        @Option(help: "The maximum number of meetings, up to 5000.")
        var limit: UInt32 = 50
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 5_000) }

        func run() throws {
            let session = try Session()
            let clock = try until == nil ? session.siteClock : session.inputClock
            let today = Int64(clock.today.daysSince1970)
            let end = until.map { clock.instant(day: $0.number(from: today) + 1, minutes: 0) }
            // One more than wanted shows whether there are more.
            let found = try MeetingAnswerSheet.all(
                of: target.project(session), until: end ?? 0, most: Int(limit) + 1, session)
            let meetings = Array(found.prefix(Int(limit)))
            let more = found.count > meetings.count
            if output.json {
                return try session.printer.json(.meetings, meetings, beside: ["more": more])
            }
            guard !meetings.isEmpty else {
                return session.printer.remark(
                    until == nil
                        ? "no meeting is booked; find a time: steward meet find"
                        : "no meeting begins by that day")
            }
            let length = ShortID.length(telling: meetings.map(\.id))
            var table = TextTable([
                .id("ID"), .time(clock.title("BEGIN", of: meetings.map(\.start))), .time("END"),
                .text("TITLE"), .text("PLACE"), .text("GUESTS"), .text("STATE"),
            ])
            for meeting in meetings {
                table.add([
                    .init(String(meeting.id.prefix(length))),
                    .init(String(clock.moment(meeting.start).prefix(16))),
                    .init(String(clock.moment(meeting.end).dropFirst(11).prefix(5))),
                    .init(meeting.title), .init(meeting.place),
                    .init(meeting.guests.map(\.name).joined(separator: ", ")),
                    .init(meeting.cancelled ? "cancelled" : "booked"),
                ])
            }
            session.printer.table(table)
            if more {
                session.printer.remark("there are earlier ones: --limit, up to 5000, or --until")
            }
        }
    }
}

/// The result for a meeting, for people or programs.
struct MeetingAnswerSheet {
    private let meeting: ProjectMeeting
    private let session: Session
    private let output: OutputOptions

    init(_ meeting: ProjectMeeting, _ session: Session, _ output: OutputOptions) {
        (self.meeting, self.session, self.output) = (meeting, session, output)
    }

    func show(_ words: String) throws {
        if output.json { return try session.printer.json(.meetings, [meeting]) }
        let when = try session.siteClock.moment(meeting.start).prefix(16)
        let guests = meeting.guests.map(\.mail).joined(separator: ", ")
        session.printer.result(
            "“\(meeting.title)” on \(when) \(words) \(guests)".printable)
        session.printer.remark("its id is \(meeting.id)")
        session.remarkOnHeldMails()
    }

    /// A remark on a meeting that is booked for or moved to a time in the past, perhaps because of
    /// a mistyped date; nil for one that is still to come.
    static func note(on meeting: ProjectMeeting, at now: Int64) -> String? {
        guard meeting.start < now else { return nil }
        return "note: this time is in the past; if that is a mistake: steward meet move "
            + "\(meeting.id) --at TIME, or steward meet cancel \(meeting.id)"
    }

    /// The meeting with an id, or with a unique beginning of it.
    static func find(
        _ id: String, of project: String, _ session: Session
    ) throws -> ProjectMeeting {
        let meetings = try all(of: project, until: 0, most: .max, session)
        let found = meetings.filter { $0.id.hasPrefix(id.lowercased()) }
        guard let meeting = found.first, found.count == 1, id.utf8.count >= 4 else {
            throw Failure(
                .refused, "there is no meeting “\(id)”, or several", advice: "see steward meet list"
            )
        }
        return meeting
    }

    /// The latest meetings of a project, from as many answers as that takes.
    ///
    /// - Parameter until: only meetings that begin before this, in milliseconds since 1970; 0 for
    ///   any.
    static func all(
        of project: String, until: Int64, most: Int, _ session: Session
    ) throws -> [ProjectMeeting] {
        try all(most: most) { last, wanted in
            try session.askProject(
                ListMeetings(
                    project: project, limit: UInt32(clamping: min(wanted, 500)),
                    until: last?.start ?? until, before: last?.id ?? ""),
                for: MeetingsListed.self
            ).meetings
        }
    }

    /// Meetings, latest first, read in pages.
    ///
    /// - Parameters:
    ///   - most: the maximum number.
    ///   - page: returns the latest meetings before one, or of all, and at most the given number.
    static func all(
        most: Int = .max,
        _ page: (_ last: ProjectMeeting?, _ wanted: Int) throws -> [ProjectMeeting]
    ) rethrows -> [ProjectMeeting] {
        var meetings: [ProjectMeeting] = []
        var known: Set<String> = []
        while meetings.count < most {
            let read = try page(meetings.last, most - meetings.count)
            // A meeting that is moved meanwhile may come twice.
            let new = read.filter { known.insert($0.id).inserted }
            guard !new.isEmpty else { break }
            meetings += new
        }
        return meetings
    }
}
