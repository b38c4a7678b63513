import ArgumentParser
import Messages
import Speech

/// The commands that change a day.
extension DayCommand {
    /// `steward day confirm`
    struct Confirm: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm", abstract: "Makes a proposal your day.",
            discussion: """
                If someone has changed the proposal since this device showed it, nothing is done: \
                look at it again with steward day show.
                """)

        @Option(
            help: """
                The revision in steward day show --json; nothing is done if it is another by now. \
                Default: the one that this device showed.
                """)
        var revision: UInt64 = 0
        @OptionGroup var target: Target

        func run() throws { try target.change(.confirm(true), of: revision) }
    }

    /// `steward day done`
    struct Done: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "done", abstract: "Marks an action as done.")

        @Argument(
            help: "Its number in steward day show. Default: the present action, or else the next.")
        var action: String = ""
        @OptionGroup var target: Target

        func run() throws { try target.change(.done(action)) }
    }

    /// `steward day skip`
    struct Skip: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "skip", abstract: "Skips an action.")

        @Argument(
            help: "Its number in steward day show. Default: the present action, or else the next.")
        var action: String = ""
        @OptionGroup var target: Target

        func run() throws { try target.change(.skip(action)) }
    }

    /// `steward day undo`
    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undoes the last change, whoever made it.")

        @OptionGroup var target: Target

        func run() throws { try target.change(.undo(true)) }
    }

    /// `steward day pause`
    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pauses the present action and your alerts.")

        @OptionGroup var target: Target

        func run() throws { try target.change(.pause(true)) }
    }

    /// `steward day resume`
    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Continues after a pause.")

        @OptionGroup var target: Target

        func run() throws { try target.change(.pause(false)) }
    }

    /// `steward day more`
    struct More: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "more",
            abstract: "Gives the present action more time.")

        @Argument(help: "How many minutes.")
        var minutes: UInt32 = 5
        @OptionGroup var target: Target

        func run() throws { try target.change(.more(MoreTime(minutes: minutes))) }
    }

    /// `steward day add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a routine to a day.")

        @Argument(help: "The routine: its name or its id.")
        var routine: String
        @OptionGroup var target: Target

        func run() throws { try target.change(.addRoutine(routine)) }
    }

    /// `steward day appoint`
    struct Appoint: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "appoint",
            abstract: "Adds an appointment to a day.")

        @Argument(
            help: ArgumentHelp(
                "When and what; +20 before the name keeps 20 minutes to get there.",
                valueName: "10:00-11:00 name"))
        var appointment: AppointmentArgument
        @OptionGroup var target: Target

        func run() throws { try target.change(.addAppointment(appointment.appointment)) }
    }

    /// `steward day remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a routine or an appointment from a day.")

        @Argument(help: "Its name, or its number in steward day show.")
        var item: String
        @OptionGroup var target: Target

        func run() throws { try target.change(.remove(item)) }
    }

    /// `steward day move`
    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Makes a routine of a day begin at a certain time.")

        @Argument(help: "Its name, or its number in steward day show.")
        var item: String
        @Argument(help: "When it should begin, such as 16:30.")
        var time: ClockArgument
        @OptionGroup var target: Target

        func run() throws {
            try target.change(.move(MoveItem(item: item, start: time.minutes)))
        }
    }

    /// `steward day swap`
    struct Swap: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "swap",
            abstract: "Swaps two routines of a day.")

        @Argument(help: "The name of one, or its number in steward day show.")
        var one: String
        @Argument(help: "The other.")
        var other: String
        @OptionGroup var target: Target

        func run() throws { try target.change(.swap(SwapItems(one: one, other: other))) }
    }
}
