import ArgumentParser
import Foundation
import Messages
import Speech
import Terminal

extension DayCommand {
    /// `steward day plan`
    struct Plan: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plan",
            abstract: "Proposes a day: your appointments, and your routines around them.",
            discussion: """
                Name routines by their tags or one by one; without any, your weekly rhythm decides \
                (see steward day rhythm). Whatever doesn't fit is listed with the reason. Change \
                the proposal as you like, then confirm it.
                """)

        @Option(help: "Routines with this tag; may be given several times.")
        var tag: [String] = []
        @Option(help: "A routine, by name; may be given several times.")
        var routine: [String] = []
        @Option(
            help: ArgumentHelp(
                "Something at a fixed time; +20 before its name keeps 20 minutes to get there.",
                valueName: "10:00-11:00 name"))
        var appointment: [AppointmentArgument] = []
        @Option(
            help: ArgumentHelp(
                "What has a fixed time in this calendar, an iCalendar file; may be given several "
                    + "times.", valueName: "file"))
        var calendar: [String] = []
        @Option(help: "A template, by name.")
        var template: String?
        @Option(help: "When you get up on this day, such as 8:30.")
        var wake: [ClockArgument] = []
        @Option(help: "When you go to sleep on this day.")
        var sleep: [ClockArgument] = []
        @Flag(help: "Replan a day that is already confirmed.")
        var anew = false
        @OptionGroup var target: Target

        func validate() throws {
            guard wake.count <= 1, sleep.count <= 1 else {
                throw ValidationError(
                    "a day has one time to get up and one to go to sleep; give each once")
            }
        }

        func run() throws {
            let session = try Session()
            let person = try target.person.account(session)
            let fixed = appointment.map(\.appointment)
            let day = try session.ask(
                .routine,
                PlanDay(
                    person: person, date: target.date?.text ?? "",
                    appointments: fixed
                        + CalendarDay.appointments(
                            of: calendar, on: target.date, of: person, beside: fixed, session),
                    tags: tag, routines: routine,
                    template: template ?? "", wake: wake.first?.minutes,
                    sleep: sleep.first?.minutes, timeZone: TimeZone.current.identifier, anew: anew),
                for: Day.self, repeating: target.repeating)
            try target.show(day, of: person, session)
        }
    }

    /// `steward day repeat`
    struct Repeat: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "repeat",
            abstract: "Proposes a day like an earlier one.")

        @Argument(help: "The earlier day: yesterday or a date. Default: the last one planned.")
        var like: DayArgument?
        @Flag(help: "Replan a day that is already confirmed.")
        var anew = false
        @OptionGroup var target: Target

        func run() throws {
            let session = try Session()
            let person = try target.person.account(session)
            let day = try session.ask(
                .routine,
                PlanDay(
                    person: person, date: target.date?.text ?? "",
                    like: like?.text ?? "last", timeZone: TimeZone.current.identifier, anew: anew),
                for: Day.self, repeating: target.repeating)
            try target.show(day, of: person, session)
        }

        func validate() throws {
            if like?.text == "" { throw ValidationError("today can't repeat itself") }
        }
    }

    /// `steward day show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a day.")

        @OptionGroup var target: Target

        func run() throws {
            let session = try Session()
            let desk = try DayDesk(
                session, person: try target.person.account(session), date: target.date)
            try desk.read()
            try target.show(desk, session)
            if let obstacle = desk.obstacle {
                session.printer.remark(
                    "this is the day as this device has it, \(desk.waiting) waiting: \(obstacle)")
            }
        }
    }
}
