import ArgumentParser
import Messages
import PlanSpeech
import Speech
import Terminal

/// `steward plan`
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Floor plans of homes, to adapt them to a person.",
        discussion: """
            Create a plan, draw what you measured, place the furniture, and check whether a \
            wheelchair gets through. Lengths are in millimetres, or have a unit: 90cm, 2.4m. x \
            points east (right), y north (up); 0,0 can be anywhere. Angles are in degrees, \
            counter-clockwise.

              steward plan create 'Storgata 1'
              steward plan room Bath --at 0,0 --size 2100x3000 --walls 100
              steward plan door room-1-wall-1 --offset 400 --width 900 --entrance
              steward plan wheelchair --at 1000,1500 --size 650x1100 --turning 1500
              steward plan details --chair wheelchair-1
              steward plan draw
              steward plan check

            Commands are about the plan that you created or chose last; -p NAME names another. \
            Every edit is saved at once; steward plan undo reverts it. A thing that would overlap \
            another is refused, except with --force.
            """,
        groupedSubcommands: [
            CommandGroup(name: "Plan", subcommands: plans),
            CommandGroup(name: "Drawing", subcommands: drawing),
            CommandGroup(name: "Changing", subcommands: changing),
            CommandGroup(name: "Checking", subcommands: looking),
            CommandGroup(name: "File, mail and library", subcommands: files),
        ])

    /// The commands for plans as a whole.
    private static let plans: [any ParsableCommand.Type] = [
        Create.self, List.self, Use.self, Show.self, Details.self, CopyWhole.self, Delete.self,
        History.self, Undo.self, Redo.self, Run.self,
    ]

    /// The commands that show something of a plan.
    private static let looking: [any ParsableCommand.Type] = [
        Draw.self, ViewCommand.self, Check.self, RepairFinding.self, Reach.self,
        ListStandardsCommand.self,
    ]

    /// The commands that read or write files.
    private static let files: [any ParsableCommand.Type] = [
        Export.self, Report.self, Import.self, Send.self, LibraryCommand.self,
    ]

    /// All commands.
    static let all: [any ParsableCommand.Type] = plans + drawing + changing + looking + files

    /// The commands that add to a plan.
    private static let drawing: [any ParsableCommand.Type] = [
        DrawWall.self, DrawDoor.self, DrawWindow.self, DrawPassage.self, DrawNewRoom.self,
        AddThing.self, AddWheelchair.self, PlaceOwn.self, PlaceProduct.self,
    ]

    /// The commands that change its items.
    private static let changing: [any ParsableCommand.Type] = [
        MoveThings.self, ResizeThing.self, RotateThing.self, CopyThing.self, RemoveThings.self,
        LabelThing.self, ChangeThing.self, DockHole.self, SetLength.self, TurnOneWall.self,
        SetAngle.self, MoveWallCorner.self,
    ]

    /// Options for the details of a plan.
    struct DetailOptions: ParsableArguments {
        @Option(help: "The address of the home.")
        var address: String?
        @Option(help: "The client, by your reference; preferably not a name.")
        var client: String?
        @Option(help: "Who draws it.")
        var author: String?
        @Option(help: "The profession of its author, for the signature of the report.")
        var authorTitle: String?
        @Option(help: "What you conclude, in your own words, for the report.")
        var assessment: String?
        @Option(
            help: """
                Where north is in the drawing, as an angle: 90 if it is up; unknown for a report \
                without its arrow.
                """, transform: North.init)
        var north: North?
        @Option(help: "What it is for.")
        var description: String?
        @Option(
            help: "How far its measures may be off: 5 for a tape, 40 for a picture.",
            transform: PlanMeasure.length)
        var tolerance: UInt32?
        @Option(
            name: .customLong("standard"),
            help: """
                A standard that it is checked against, e.g. tek17; may be given several times. See \
                steward plan standards.
                """, transform: { $0.lowercased() })
        var standards: [String] = []

        /// True if no option is given.
        var isEmpty: Bool {
            [address, client, author, authorTitle, assessment, description]
                .allSatisfy { $0 == nil } && tolerance == nil && north == nil && standards.isEmpty
        }

        /// The details, changed by the given options.
        func applied(to details: PlanDetails) -> PlanDetails {
            var details = details
            if let address { details.address = address }
            if let client { details.client = client }
            if let author { details.author = author }
            if let authorTitle { details.authorTitle = authorTitle }
            if let assessment { details.assessment = assessment }
            if let north { details.north = north.angle }
            if let description { details.description = description }
            if let tolerance { details.tolerance = tolerance }
            if !standards.isEmpty { details.standards = standards }
            return details
        }
    }

    /// The direction of north, as it is typed.
    struct North {
        /// Thousandths of a degree; nil if it is unknown.
        let angle: UInt32?

        @Sendable init(_ text: String) throws {
            angle = text == "unknown" ? nil : try PlanMeasure.angle(text)
        }
    }

    /// `steward plan create`
    struct Create: PlanChoosingCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a plan and makes it the one in use.",
            discussion: "“steward plan import” reads a plan that was drawn elsewhere.")

        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var details: DetailOptions
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let plan = try session.askPlan(
                CreatePlan(details: details.applied(to: PlanDetails(name: name))),
                for: Plan.self, repeating: repeating)
            try session.keptPlan.keep(id: plan.id, name: plan.name)
            if output.json { return try session.printer.json(.plans, [plan]) }
            session.printer.result("\(plan.words) is created, and in use")
        }
    }

    /// `steward plan list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the plans, most recently changed first.")

        @Argument(help: "Words of the name, description, address, client or author.")
        var words: [String] = []
        @Option(help: "The maximum number of plans, up to 1000.")
        var limit: UInt32 = 100
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 1000) }

        func run() throws {
            let session = try Session()
            let text = words.joined(separator: " ")
            let reply = try session.askPlan(
                ListPlans(text: text, limit: limit), for: Plans.self)
            if output.json {
                return try session.printer.json(
                    .plans, reply.plans, beside: ["more": reply.more])
            }
            guard !reply.plans.isEmpty else {
                return session.printer.remark(
                    text.isEmpty
                        ? "there are none; create one: steward plan create NAME"
                        : "no plan has “\(text.printable)” in it; all: steward plan list")
            }
            let kept = try session.keptPlan.chosen()
            let clock = try session.siteClock
            var table = TextTable([
                .text("NAME"), .text("CLIENT"), .text("ADDRESS"), .number("THINGS"),
                .time(clock.title("CHANGED", of: reply.plans.map(\.changed))), .text("BY"),
                .text(""),
            ])
            for plan in reply.plans {
                table.add([
                    .init(plan.name), .init(plan.details?.client ?? ""),
                    .init(plan.details?.address ?? ""), "\(plan.items)",
                    .init(clock.moment(plan.changed)), .init(plan.changedBy),
                    .init(plan.id == kept?.id ? "in use" : "", .dim),
                ])
            }
            session.printer.table(table)
            if reply.more {
                session.printer.remark("there are more: give words, or --limit, up to 1000")
            }
        }
    }

    /// `steward plan use`
    struct Use: PlanChoosingCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Chooses the plan for commands that name none.")

        @Argument(help: "Its name or id.", completion: Offered.plans)
        var name: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let plan = try session.plan(named: name)
            try session.keptPlan.keep(id: plan.id, name: plan.name)
            if output.json { return try session.printer.json(.plans, [plan]) }
            session.printer.result(
                "\(plan.words) is in use: \(Wording.count(plan.items, "thing")), changed "
                    + "\(try session.siteClock.fullMoment(plan.changed)) by "
                    + plan.changedBy.printable)
        }
    }
}

extension Session {
    /// A plan by its name or id.
    func plan(named name: String) throws -> Plan {
        let reply = try askPlan(ReadPlan(plan: name), for: PlanContents.self)
        guard let plan = reply.plan else {
            throw Failure(.broken, "the answer has no plan in it")
        }
        return plan
    }
}
