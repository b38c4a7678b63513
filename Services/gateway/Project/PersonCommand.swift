import ArgumentParser
import LocalTime
import Messages
import ProjectFiles
import ProjectLanguage
import ProjectRecord
import Speech
import Terminal
import WorkCalendar

/// `steward project person`
struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "The people who work for a project: their time and skills.",
        subcommands: [List.self, Add.self, Change.self, Away.self, Remove.self])

    /// The options of a person.
    struct Traits: ParsableArguments {
        @Option(help: "The share of their working time for this project, 0 to 100 percent.")
        var share: UInt32?
        @Option(
            name: .customLong("skill"),
            help: "A skill that they have; may be given several times. “none” removes all.")
        var skills: [String] = []
        @Option(
            help: "The time zone where they are, e.g. Europe/Oslo. Default: that of the site.")
        var zone: String?
        @Option(
            name: .customLong("day"),
            help: """
                The days of the week on which they work, e.g. mon-thu or mon,wed; give all of \
                them. Default: mon-fri.
                """)
        var days: WeekdaysArgument?
        @Option(help: "Their hours on these days, e.g. 8:00-12:00,13:00-16:00.")
        var hours: HoursArgument?
        @Flag(
            inversion: .prefixedNo,
            help: "Whether this is you, so that alerts about their issues come to you.")
        var me: Bool?

        /// Whether none of the options is given.
        var isEmpty: Bool {
            guard skills.isEmpty, share == nil, zone == nil else { return false }
            return days == nil && hours == nil && me == nil
        }

        func validate() throws {
            guard (share ?? 0) <= 100 else {
                throw ValidationError("--share is 0 to 100 percent")
            }
        }

        /// Applies the options to a person.
        func apply(to member: inout TeamMember) throws {
            if let share { member.share = share }
            if !skills.isEmpty { member.skills = skills == ["none"] ? [] : skills }
            if let zone { member.timeZone = zone }
            if let me { member.account = me ? "me" : "" }
            guard days != nil || hours != nil else { return }
            var calendar = member.calendar ?? WorkWeeks()
            let usual = [WorkHours(from: 480, to: 720), WorkHours(from: 780, to: 1_020)]
            let before = calendar.days
            let worked =
                days.map { Set($0.days.map { Int($0) - 1 }) }
                ?? (before.isEmpty
                    ? Set(0..<5) : Set(before.indices.filter { !before[$0].hours.isEmpty }))
            calendar.days = (0..<7).map { day in
                guard worked.contains(day) else { return WorkDay() }
                if let hours { return WorkDay(hours: hours.hours) }
                let own = before.indices.contains(day) ? before[day].hours : []
                return WorkDay(hours: own.isEmpty ? usual : own)
            }
            member.calendar = calendar
        }
    }

    /// `steward project person list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists those who work for a project.")

        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let members = read.record.members.values.sorted { $0.id < $1.id }
            if output.json {
                return try session.printer.json(.members, members.map { TeamMember($0) })
            }
            guard !members.isEmpty else {
                return session.printer.remark(
                    "nobody yet; add somebody: steward project person add NAME")
            }
            let assigned = Dictionary(
                grouping: read.record.issues.values.filter {
                    $0.assignee != nil && !read.record.isClosed($0)
                }
            ) { $0.assignee ?? 0 }
            var table = TextTable([
                .number("NO"), .text("NAME"), .number("OPEN"), .number("SHARE"), .text("WORKS"),
                .text("ZONE"), .text("SKILLS"), .text("AWAY"),
            ])
            for member in members {
                let away = member.calendar.absences.map {
                    "\($0.days.lowerBound.iso) – \($0.days.upperBound.iso)"
                }
                table.add([
                    "\(member.id)", .init(member.name), "\(assigned[member.id]?.count ?? 0)",
                    "\(member.share) %", .init(HoursArgument.words(of: member.calendar.week)),
                    .init(member.timeZone),
                    .init(member.skills.sorted().joined(separator: ", ")),
                    .init(away.joined(separator: ", ")),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward project person add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds somebody.")

        @Argument(help: "Their name.")
        var name: String
        @OptionGroup var traits: Traits
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { _, session in
                let zone = try traits.zone ?? session.zoneOfPeople
                var member = TeamMember(name: name, timeZone: zone, share: 100)
                try traits.apply(to: &member)
                return [.keep(.member(member))]
            }
        }
    }

    /// `steward project person change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes a person's details; options that aren't given change nothing.")

        @Argument(help: "Their name or number.")
        var name: String
        @Option(help: "Their new name.")
        var rename: String?
        @OptionGroup var traits: Traits
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard rename != nil || !traits.isEmpty else {
                throw ValidationError("say what to change; see --help")
            }
        }

        func run() throws {
            try options.edit { read, _ in
                let before = TeamMember(try read.member(name))
                var member = before
                if let rename { member.name = rename }
                try traits.apply(to: &member)
                return member == before ? [] : [.keep(.member(member))]
            }
        }
    }

    /// `steward project person away`
    struct Away: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "away",
            abstract: "Adds or removes an absence of a person.",
            discussion: """
                  steward project person away Kari 2026-07-06 2026-07-24 --preview
                  steward project person away Kari 2026-07-06 2026-07-24 --reason Holidays
                  steward project person away Kari 2026-07-06 --remove

                The open issues of the person move or end later, so that they keep their working \
                days, and what follows them moves too. Those that are fixed stay.
                """)

        @Argument(help: "Their name or number.")
        var name: String
        @Argument(help: "The first day.")
        var first: DayArgument
        @Argument(help: "The last day. Default: the first.")
        var last: DayArgument?
        @Option(help: "Why.")
        var reason: String = ""
        @Flag(help: "Remove the absence that begins then.")
        var remove = false
        @Flag(help: "Move nothing.")
        var keepDates = false
        @OptionGroup var cascade: CascadeOptions
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard !keepDates || !cascade.likeRedmine else {
                throw ValidationError("--keep-dates and --like-redmine can't be used together")
            }
        }

        func run() throws {
            try options.edit(cascade) { read, session in
                var member = TeamMember(try read.member(name))
                let begin = try first.iso(session)
                let end = try last.map { try $0.iso(session) } ?? begin
                var calendar = member.calendar ?? WorkWeeks()
                if remove {
                    let others = calendar.absences.filter { $0.first != begin }
                    guard others.count < calendar.absences.count else {
                        throw Failure(
                            .refused, "no absence of \(member.name) begins on \(begin)",
                            advice: "see steward project person list")
                    }
                    calendar.absences = others
                } else {
                    calendar.absences.append(
                        WorkAbsence(first: begin, last: end, reason: reason))
                    calendar.absences.sort { $0.first < $1.first }
                    if !keepDates, !options.output.json {
                        for issue in Self.fixed(of: member, from: begin, to: end, read.record) {
                            session.printer.remark(
                                "note: #\(issue.id) “\(issue.subject)” is fixed, and stays"
                                    .printable)
                        }
                    }
                }
                member.calendar = calendar
                return [.keep(.member(member), moving: !keepDates)]
            }
        }

        /// The open issues of a person that stay although they are planned between two days.
        private static func fixed(
            of member: TeamMember, from first: String, to last: String, _ record: ProjectRecord
        ) -> some Sequence<ProjectIssue> {
            record.issues.values.filter { issue in
                guard issue.assignee == Int(member.number), issue.isFixed,
                    !record.isClosed(issue), let start = issue.span.start ?? issue.span.due
                else { return false }
                return start.iso <= last && (issue.span.due ?? start).iso >= first
            }.sorted { $0.id < $1.id }.prefix(20)
        }
    }

    /// `steward project person remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a person who has no issues and no time worked.")

        @Argument(help: "Their name or number.")
        var name: String
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { read, _ in
                let number = UInt32(clamping: try read.member(name).id)
                return [.remove(.member(TeamMember(number: number)))]
            }
        }
    }
}

/// Working hours as they are typed: `8:00-12:00,13:00-16:00`.
struct HoursArgument: ExpressibleByArgument, Hashable {
    /// The hours, in order.
    let hours: [WorkHours]

    init?(argument: String) {
        var hours: [WorkHours] = []
        for part in argument.split(separator: ",") {
            let ends = part.split(separator: "-").map { ClockArgument(argument: String($0)) }
            guard ends.count == 2, let from = ends[0], let to = ends[1] else { return nil }
            hours.append(WorkHours(from: from.minutes, to: to.minutes))
        }
        guard !hours.isEmpty else { return nil }
        self.hours = hours
    }

    /// A week as it is typed with --day and --hours, such as `mon-thu 8:00-12:00,13:00-16:00`; days
    /// with other hours come after it.
    static func words(of week: WorkCalendar.Week) -> String {
        var parts: [(hours: [Range<Int>], days: [ClosedRange<Int>])] = []
        for (day, hours) in week.days.enumerated() where !hours.isEmpty {
            guard let place = parts.firstIndex(where: { $0.hours == hours }) else {
                parts.append((hours, [day...day]))
                continue
            }
            if let last = parts[place].days.last, last.upperBound == day - 1 {
                parts[place].days[parts[place].days.count - 1] = last.lowerBound...day
            } else {
                parts[place].days.append(day...day)
            }
        }
        return parts.map { part in
            let days = part.days.map { days in
                let (first, last) = (days.lowerBound, days.upperBound)
                let names = WeekdaysArgument.names
                return first == last ? names[first] : "\(names[first])-\(names[last])"
            }
            let hours = part.hours.map {
                "\(Effort.text($0.lowerBound))-\(Effort.text($0.upperBound))"
            }
            return days.joined(separator: ",") + " " + hours.joined(separator: ",")
        }.joined(separator: "; ")
    }
}

extension Session {
    /// The time zone of people of whom only the name is known: that of the site's clock.
    ///
    /// - Throws: what ``inputClock`` throws.
    var zoneOfPeople: String {
        get throws {
            let name = try inputClock.zoneName
            return LocalTime(zone: name) == nil ? "UTC" : name
        }
    }
}
