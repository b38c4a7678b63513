import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Terminal

extension PlanCommand {
    /// `steward plan view`
    struct ViewCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "view",
            abstract: "Your view of a plan: zoom, pan and lock.",
            discussion: """
                The view is your own and saved: “steward plan draw” shows it, and “steward plan \
                export --view” draws it. Without a subcommand it shows the present view.
                """,
            subcommands: [ShowView.self, Zoom.self, Pan.self, Fit.self, Lock.self, Unlock.self],
            defaultSubcommand: ShowView.self)
    }
}

extension PlanCommand.ViewCommand {
    /// The options of every change of the view.
    struct ViewOptions: ParsableArguments {
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// Changes the view and prints what it shows.
        func change(
            zoom: UInt32? = nil, pan: PlanPoint? = nil, fit: Bool = false, lock: Bool = false,
            unlock: Bool = false
        ) throws {
            let session = try Session()
            let view = try session.askPlan(
                ChangePlanView(
                    plan: try target.plan(session), zoom: zoom, pan: pan, fit: fit, lock: lock,
                    unlock: unlock),
                for: PlanView.self, repeating: repeating)
            try Self.show(view, session, output)
        }

        /// Prints what the view shows.
        static func show(_ view: PlanView, _ session: Session, _ output: OutputOptions) throws {
            if output.json { return try session.printer.json(.views, [view]) }
            let seen =
                view.width == 0
                ? "all of the plan is seen"
                : "\(view.width) mm of the plan are seen, around "
                    + (view.centre ?? PlanPoint()).words
            session.printer.result(seen + (view.locked ? "; zoom and pan are locked" : ""))
        }
    }

    /// A command that changes the view.
    protocol ViewChangingCommand: PlanTargetingCommand {
        var options: ViewOptions { get set }
    }

    /// `steward plan view show`
    struct ShowView: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows the present view.")

        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let view = try session.askPlan(
                ReadPlanView(plan: try target.plan(session)), for: PlanView.self)
            try ViewOptions.show(view, session, output)
        }
    }

    /// `steward plan view zoom`
    struct Zoom: ViewChangingCommand {
        static let configuration = CommandConfiguration(
            commandName: "zoom",
            abstract: "Zooms in or out.",
            discussion: "in is twice as large, out half as large; 1.5 is half as large again.")

        @Argument(help: "in, out, or how many times larger.", transform: Self.hundredths)
        var factor: UInt32
        @OptionGroup var options: ViewOptions

        func run() throws { try options.change(zoom: factor) }

        /// The factor in hundredths: 200 for twice as large.
        @Sendable static func hundredths(_ text: String) throws -> UInt32 {
            switch text.lowercased() {
            case "in": return 200
            case "out": return 50
            default:
                guard let factor = Double(text), factor >= 0.01, factor <= 100 else {
                    throw ValidationError("zoom in, out, or by a number from 0.01 to 100: 1.5")
                }
                return UInt32((factor * 100).rounded())
            }
        }
    }

    /// `steward plan view pan`
    struct Pan: ViewChangingCommand {
        static let configuration = CommandConfiguration(
            commandName: "pan",
            abstract: "Moves the view.",
            discussion: "steward plan view pan --east 2m")

        @Option(
            parsing: .unconditional, help: "How far to move it east and north: 1000,-500.",
            transform: PlanMeasure.offset)
        var by: PlanPoint?
        @OptionGroup var directions: DirectionOptions
        @OptionGroup var options: ViewOptions

        func validate() throws {
            guard (directions.count > 0) != (by != nil) else {
                throw ValidationError("say where to: --by X,Y, or --east, --north, --west, --south")
            }
        }

        func run() throws {
            try options.change(pan: by ?? directions.offset)
        }
    }

    /// `steward plan view fit`
    struct Fit: ViewChangingCommand {
        static let configuration = CommandConfiguration(
            commandName: "fit", abstract: "Shows all of the plan again.")

        @OptionGroup var options: ViewOptions

        func run() throws { try options.change(fit: true) }
    }

    /// `steward plan view lock`
    struct Lock: ViewChangingCommand {
        static let configuration = CommandConfiguration(
            commandName: "lock",
            abstract: "Locks zoom and pan, so that the view stays.")

        @OptionGroup var options: ViewOptions

        func run() throws { try options.change(lock: true) }
    }

    /// `steward plan view unlock`
    struct Unlock: ViewChangingCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock", abstract: "Unlocks zoom and pan.")

        @OptionGroup var options: ViewOptions

        func run() throws { try options.change(unlock: true) }
    }
}

extension PlanCommand.ViewCommand.ViewChangingCommand {
    var target: PlanOption {
        get { options.target }
        set { options.target = newValue }
    }
}
