import ArgumentParser
import Bus
import FloorPlan
import Messages
import PlanSpeech
import Speech

extension PlanCommand {
    /// `steward plan details`
    struct Details: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "details",
            abstract: "Changes the details of a plan: its name, client, standards, chair.",
            discussion: "Options that aren't given change nothing; '' removes a text.")

        @Option(help: "Its new name.")
        var name: String?
        @OptionGroup var details: DetailOptions
        @Flag(help: "Don't check it against standards automatically.")
        var noStandard = false
        @Option(help: "The wheelchair in the plan to check it for; none for no chair.")
        var chair: String?
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard name != nil || !details.isEmpty || noStandard || chair != nil else {
                throw ValidationError(
                    "say what to change, e.g. --client 4711; steward plan show shows what is known")
            }
            guard !noStandard || details.standards.isEmpty else {
                throw ValidationError("--standard and --no-standard can't be used together")
            }
        }

        func run() throws {
            let session = try Session()
            let plan = try change(session)
            if try session.keptPlan.chosen()?.id == plan.id {
                try session.keptPlan.keep(id: plan.id, name: plan.name)
            }
            if output.json { return try session.printer.json(.plans, [plan]) }
            for line in PlanWords.details(plan, try session.siteClock) {
                session.printer.result(line)
            }
        }

        /// Changes the given details. If someone else changes the plan's details meanwhile, tries
        /// again with those.
        private func change(_ session: Session) throws -> Plan {
            var name = try target.plan(session)
            return try repeating.retrying { version in
                let read = try PlanContentsRead(name, session)
                let seen = read.plan.details ?? PlanDetails()
                // The plan may be renamed meanwhile.
                (name, version) = (read.plan.id, seen)
                return try session.askPlan(
                    ChangePlanDetails(
                        plan: name, details: try changed(seen, read.drawing), expected: seen),
                    for: Plan.self, repeating: repeating)
            } version: {
                try PlanContentsRead(name, session).plan.details ?? PlanDetails()
            }
        }

        /// The details with what was given.
        private func changed(_ details: PlanDetails, _ drawing: FloorPlan) throws -> PlanDetails {
            var changed = self.details.applied(to: details)
            if let name { changed.name = name }
            if noStandard { changed.standards = [] }
            if let chair {
                let plan = PlanAtHand { drawing }
                changed.chair = chair == "none" || chair.isEmpty ? "" : try plan.element(chair).id
            }
            return changed
        }
    }

    /// `steward plan copy`
    struct CopyWhole: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy", abstract: "Makes another plan with the same things in it.",
            discussion: """
                It copies the plan in use, or the one that -p names; “steward plan copy-item” \
                copies a single thing.

                  steward plan copy 'Storgata 1, with a wider door'
                """)

        @Argument(help: "The name of the copy.")
        var name: String
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let plan = try session.askPlan(
                CopyPlan(plan: try target.plan(session), name: name), for: Plan.self,
                repeating: repeating)
            if output.json { return try session.printer.json(.plans, [plan]) }
            session.printer.result(
                "\(plan.words) is made, with \(Wording.count(plan.items, "thing")); open it: "
                    + "steward plan use \(plan.typed)")
        }
    }

    /// `steward plan delete`
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a plan with its whole history.",
            discussion: """
                It can't be restored; you can first save a file of it with “steward plan export \
                FILE.nav”. Name the plan even if it is the one in use.
                """)

        @Argument(help: "Its name or id.", completion: Offered.plans)
        var name: String
        @Flag(help: "Do not ask.")
        var yes = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            if !yes, repeating.id == nil {
                try Deletion.ask("a plan", session) {
                    let plan = try session.plan(named: name)
                    return "\(plan.words) with \(Wording.count(plan.items, "thing"))"
                }
            }
            let reply = try session.askPlan(
                DeletePlan(plan: name), for: PlanDeleted.self, repeating: repeating)
            try session.keptPlan.forget(reply.plan)
            if output.json {
                return try session.printer.json(.plans, [["id": reply.plan, "name": reply.name]])
            }
            session.printer.result("“\(reply.name.printable)” is deleted")
        }
    }

    /// `steward plan history`
    struct History: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: "Shows the history of a plan, newest first.")

        @Option(help: "The maximum number of steps, up to 500.")
        var limit: UInt32 = 50
        @Option(help: "Only steps before this one.")
        var before: UInt64 = 0
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let plan = try target.plan(session)
            try StepTable.show(before: before, limit: limit, session, output) { before, limit in
                try session.askPlan(
                    ReadPlanHistory(plan: plan, before: before, limit: limit),
                    for: PlanHistory.self
                ).steps
            }
        }
    }

    /// `steward plan undo`
    struct Undo: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undoes the last edits; steward plan redo makes them again.")

        @OptionGroup var options: StepOptions
        var target: PlanOption {
            get { options.target }
            set { options.target = newValue }
        }

        func run() throws {
            try options.ask {
                UndoEdits(plan: $0, steps: $1, expectedRevision: options.revision)
            }
        }
    }

    /// `steward plan redo`
    struct Redo: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "redo",
            abstract: "Makes undone edits again.")

        @OptionGroup var options: StepOptions
        var target: PlanOption {
            get { options.target }
            set { options.target = newValue }
        }

        func run() throws {
            try options.ask {
                RedoEdits(plan: $0, steps: $1, expectedRevision: options.revision)
            }
        }
    }

    /// How many steps of which plan to undo or redo.
    struct StepOptions: ParsableArguments {
        @Argument(help: "How many.")
        var steps: UInt32 = 1
        @Option(
            help: "The revision in steward plan show; nothing is done if it is another by now.")
        var revision: UInt64 = 0
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard steps > 0 else { throw ValidationError("say how many steps: 1 or more") }
        }

        /// Sends the command for the plan and this number of steps, and prints what it did.
        func ask(_ command: (String, UInt32) -> some ProtobufMessage) throws {
            let session = try Session()
            let reply = try session.askPlan(
                command(try target.plan(session), steps), for: PlanEdited.self,
                repeating: repeating)
            try PlanEditOptions.show(reply, session, output)
        }
    }
}
