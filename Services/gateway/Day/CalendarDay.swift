import ArgumentParser
import Bus
import Calendars
import Foundation
import LocalTime
import Messages
import RoutineDay
import Speech
import Terminal

/// The appointments that calendars have on a day. Pure, apart from reading the files.
struct CalendarDay {
    /// The appointments for the day, in order of time, none of which overlap.
    private(set) var appointments: [Appointment] = []
    /// A sentence about each event that was left out.
    private(set) var leftOut: [String] = []

    /// The maximum length of a name, in characters.
    private static let longest = 80

    /// - Parameters:
    ///   - taken: the appointments that the day already has.
    ///   - number: the day, in days since 1970-01-01.
    ///   - zone: the time zone of the person whose day it is.
    /// - Throws: `CalendarProblem` if a calendar repeats its events too often.
    init(
        _ calendars: [CalendarFile], beside taken: [Appointment], on number: Int64, zone: Zone,
        _ local: LocalTime
    ) throws(CalendarProblem) {
        let begin = local.instant(day: number, minutes: 0) / 1_000
        let day = TimeSpan(begin, local.instant(day: number + 1, minutes: 0) / 1_000)
        var found: [Occurrence] = []
        for calendar in calendars { found += try calendar.occurrences(in: day, zone: zone) }
        for one in found.sorted(by: { ($0.span, $0.title) < ($1.span, $1.title) }) {
            guard one.busyness(of: []) != nil else { continue }
            add(one, day, local, beside: taken)
        }
    }

    private mutating func add(
        _ one: Occurrence, _ day: TimeSpan, _ local: LocalTime, beside taken: [Appointment]
    ) {
        let words = one.title.printable.trimmingCharacters(in: .whitespacesAndNewlines)
        let title = String(words.prefix(Self.longest)).prefix(bytes: 800)
        let said = (title.isEmpty ? "an event without a title" : "“\(title)”") + " is left out"
        guard !one.isAllDay else { return leftOut.append("\(said): it has no time of the day") }
        guard let span = one.span.clipped(to: day) else { return }
        let from = UInt32(local.reading(at: span.start * 1_000).minutes)
        let until =
            span.end >= day.end ? 1_440 : UInt32(local.reading(at: span.end * 1_000).minutes)
        guard from < until else { return leftOut.append("\(said): it has no length") }
        let appointment = Appointment(
            name: title, emoji: title.isEmpty ? "🗓️" : "", from: from, until: until)
        let others = taken + appointments
        // An event that is already there, from the same calendar, needs no remark.
        guard !others.contains(where: { $0.isSame(as: appointment) }) else { return }
        if let other = others.first(where: { $0.from < until && from < $0.until }) {
            return leftOut.append("\(said): it overlaps “\(other.name)”")
        }
        appointments.append(appointment)
    }

    /// Reads calendars for a person's day, and prints a remark for each event that is left out.
    ///
    /// - Parameters:
    ///   - files: paths of iCalendar files.
    ///   - date: the date of the day; nil for today.
    ///   - person: an account's id; empty for the person who asks.
    ///   - day: the day to which they are added, whose times are in its own zone; nil for one that
    ///     is to be planned, in the zone that the person has chosen.
    ///   - taken: the appointments that the day already has.
    ///   - session: asks for the settings and prints the remarks.
    /// - Throws: ``Failure`` for a file that can't be read or isn't a calendar.
    static func appointments(
        of files: [String], on date: DayArgument?, of person: String, in day: Day? = nil,
        beside taken: [Appointment], _ session: Session
    ) throws -> [Appointment] {
        guard !files.isEmpty else { return [] }
        let name = try day?.timeZone ?? Self.zone(of: person, session)
        guard let zone = Zone(named: name) ?? (name.hasPrefix("GMT") ? .utc : nil),
            let local = LocalTime(zone: name)
        else {
            throw Failure(
                .refused, "this machine doesn't know the time zone “\(name.printable)”",
                advice: "choose another: steward day settings --zone Europe/Oslo")
        }
        let today = local.reading(at: WallClock.milliseconds()).day
        let number = day.flatMap { LocalTime.day($0.date) } ?? date?.number(from: today) ?? today
        do {
            let calendars = try files.map { try read($0, session) }
            let found = try CalendarDay(calendars, beside: taken, on: number, zone: zone, local)
            for sentence in found.leftOut { session.printer.remark(sentence) }
            return found.appointments
        } catch let problem as CalendarProblem {
            throw Failure(.refused, "\(problem)")
        }
    }

    /// The zone in which a new day of a person is planned.
    private static func zone(of person: String, _ session: Session) throws -> String {
        let settings = try session.ask(
            .routine, ReadDaySettings(person: person), for: DaySettings.self)
        return settings.timeZone.isEmpty ? TimeZone.current.identifier : settings.timeZone
    }

    /// Reads a calendar, and prints a remark for anything in it that can't be read.
    ///
    /// - Throws: ``Failure`` for a file that can't be read or isn't a calendar.
    static func read(_ path: String, _ session: Session) throws -> CalendarFile {
        let bytes = try InputFile.bytes(path, upTo: CalendarLimits.bytes)
        do {
            let calendar = try CalendarFile(bytes)
            for problem in calendar.problems.first.prefix(10) {
                session.printer.remark("\(path.printable): \(problem)")
            }
            return calendar
        } catch {
            throw Failure(.refused, "\(path) can't be read as a calendar: \(error)")
        }
    }
}

extension Appointment {
    fileprivate func isSame(as other: Appointment) -> Bool {
        name == other.name && from == other.from && until == other.until
    }
}

extension DayCommand {
    /// `steward day calendar`
    struct Calendar: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "calendar",
            abstract: "Adds the appointments of a calendar to a day.",
            discussion: """
                An iCalendar file is what calendar programs export and servers offer, often named \
                .ics. Appointments that the day already has are not added again.
                """)

        @Argument(help: ArgumentHelp("An iCalendar file.", valueName: "file"))
        var files: [String]
        @OptionGroup var target: Target

        func run() throws {
            let session = try Session()
            let person = try target.person.account(session)
            let date = target.date?.text ?? ""
            var day = try session.ask(
                .routine, ReadDay(person: person, date: date), for: Day.self)
            let taken = day.items.filter { $0.routine.isEmpty }.map {
                Appointment(name: $0.name, from: $0.from, until: $0.until)
            }
            let found = try CalendarDay.appointments(
                of: files, on: target.date, of: person, in: day, beside: taken, session)
            // Each is added by a command of its own: half a calendar would be worse than none.
            let most = RoutineLimits.appointments
            guard taken.count + found.count <= most else {
                throw Failure(
                    .refused,
                    "a day has at most \(most) appointments; nothing was added, because this day "
                        + "has \(taken.count) and the calendar has \(found.count) more")
            }
            for appointment in found {
                day = try session.ask(
                    .routine,
                    ChangeDay(person: person, date: date, change: .addAppointment(appointment)),
                    for: Day.self)
            }
            if found.isEmpty { session.printer.remark("nothing was added") }
            try target.show(day, of: person, session)
        }
    }
}
