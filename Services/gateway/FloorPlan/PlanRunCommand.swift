import ArgumentParser
import Bus
import FloorPlan
import Foundation
import Messages
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan run`
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Runs a script of plan commands; consecutive edits are one step.",
            discussion: """
                A script has one command per line, as typed after “steward plan”; # begins a \
                comment. All of it is read before anything is done, and a mistake is reported with \
                its line and column. Consecutive edits are made as one step, which one undo \
                reverts; they are tried first, so that none is made if one can't be. Other \
                commands may come before and after them; --json applies to each of them too.

                  # bath.plan
                  room Bath --at 0,0 --size 2100x3000 --walls 100 --use bathroom
                  door room-1-wall-1 --offset 400 --width 900 --clear 824 --threshold 0 --entrance
                  add toilet --at 300,2600 --size 40x70cm

                  steward plan run bath.plan --check
                  steward plan run bath.plan
                """)

        @Argument(help: "The file; - for standard input.", completion: .file())
        var script: String
        @Flag(help: "Only try it, and change nothing.")
        var check = false
        @Flag(help: "Allow things to overlap.")
        var force = false
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let name = script == "-" ? "standard input" : script
            let script = try PlanScript(
                try InputFile.bytes(script, upTo: PlanScript.largest), named: name,
                isJSON: output.json)
            guard !script.lines.isEmpty else {
                throw Failure(.refused, "\(name) has no command in it")
            }
            let steps = PlanScriptStep.steps(of: script.lines)
            Printer.outlivesReaders = true
            if repeating.id != nil, steps.count > 1 {
                throw Failure(.usage, "--id repeats one step, and \(name) has \(steps.count)")
            }
            try PlanScriptRun(
                script: script, isTrial: check, force: force, repeating: repeating, output: output,
                session: try Session(), plan: target.named
            ).run(steps)
        }
    }
}

/// A step of a script.
enum PlanScriptStep {
    /// Consecutive edits, made as one.
    case edits([PlanScript.Line])
    /// Another command.
    case other(PlanScript.Line)

    /// Divides lines into steps.
    static func steps(of lines: [PlanScript.Line]) -> [PlanScriptStep] {
        var steps: [PlanScriptStep] = []
        var edits: [PlanScript.Line] = []
        func end() {
            if !edits.isEmpty { steps.append(.edits(edits)) }
            edits = []
        }
        for line in lines {
            if line.command is any PlanEditCommand {
                edits.append(line)
            } else {
                end()
                steps.append(.other(line))
            }
        }
        end()
        return steps
    }
}

/// A script that is being run.
struct PlanScriptRun {
    let script: PlanScript
    /// True to change nothing.
    let isTrial: Bool
    let force: Bool
    let repeating: RepeatOptions
    let output: OutputOptions
    let session: Session
    /// The plan that the script is about; nil for the one in use.
    var plan: String?
    /// True after a line of a trial that would have created the plan for the following lines.
    private var isNew = false

    init(
        script: PlanScript, isTrial: Bool, force: Bool, repeating: RepeatOptions,
        output: OutputOptions, session: Session, plan: String?
    ) {
        (self.script, self.isTrial, self.force) = (script, isTrial, force)
        (self.repeating, self.output) = (repeating, output)
        (self.session, self.plan) = (session, plan)
    }

    /// Runs the steps in order.
    func run(_ steps: [PlanScriptStep]) throws {
        var run = self
        for step in steps {
            switch step {
            case .edits(let lines): try run.edit(lines)
            case .other(let line):
                do { try run.carryOut(line) } catch { throw script.failure(error, in: line) }
            }
        }
        guard isTrial else { return }
        if output.json {
            return try session.printer.json(.scripts, [["commands": script.lines.count]])
        }
        session.printer.result(
            "\(script.name): \(Wording.count(script.lines.count, "command")) can be done; nothing "
                + "was changed")
    }

    /// Makes edits as one step.
    private func edit(_ lines: [PlanScript.Line]) throws {
        let (read, actions) = try rehearse(lines)
        guard actions.count <= ActionReader.mostActions else {
            throw Failure(
                .refused,
                "\(script.name) has \(actions.count) edits one after another; at most "
                    + "\(ActionReader.mostActions) can be made at once",
                advice: "cut it into several scripts")
        }
        guard !isTrial, let read else { return }
        let edited = try session.askPlan(
            EditPlan(of: read, actions, force: force), for: PlanEdited.self, repeating: repeating)
        try PlanEditOptions.show(edited, session, output)
    }

    /// Tries edits on the present plan.
    ///
    /// - Returns: the plan, and the actions to send; no plan if only the trial would create it.
    private func rehearse(
        _ lines: [PlanScript.Line]
    ) throws -> (plan: Plan?, actions: [PlanAction]) {
        let read =
            isNew ? nil : try PlanContentsRead(PlanOption.plan(named: plan, session), session)
        var rehearsal = PlanRehearsal(
            read?.drawing ?? FloorPlan(), reserved: read?.plan.details?.chair ?? "",
            find: session.placeable)
        var actions: [PlanAction] = []
        for line in lines {
            guard let command = line.command as? any PlanEditCommand else { continue }
            do {
                let made = try rehearsal.actions(of: command)
                try rehearsal.make(made, force: force)
                actions += made
            } catch { throw script.failure(error, in: line) }
        }
        return (read?.plan, actions)
    }

    /// Runs a command that isn't an edit.
    private mutating func carryOut(_ line: PlanScript.Line) throws {
        var command = line.command
        let choosesPlan = command is any PlanChoosingCommand
        if isTrial {
            if let use = command as? PlanCommand.Use {
                (isNew, plan) = (false, use.name)
            } else if choosesPlan {
                (isNew, plan) = (true, nil)
            }
            return
        }
        if var about = command as? any PlanTargetingCommand, about.target.named == nil {
            about.target.named = plan
            command = about
        }
        try command.run()
        // The new plan is in use from now on.
        if choosesPlan { plan = nil }
    }
}
