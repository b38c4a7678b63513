import ArgumentParser
import Bus
import FloorPlan
import Messages
import Phrases
import PlanDrawing
import PlanSpeech
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan check`
    struct Check: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Checks a plan against building standards, and for a person's wheelchair.",
            discussion: """
                It shows what fails, then what can't be decided: a missing measure, or one closer \
                to a limit than its tolerance (see --tolerance of steward plan details). Each \
                finding has two answers, for the clause and for the chair: a narrow chair may pass \
                where the clause fails, and a wide one fail where the clause passes.

                  steward plan check
                  steward plan check --standard husbanken --chair wheelchair-2 --language nb
                  steward plan check --repairs
                """)

        @Option(
            name: .customLong("standard"),
            help: """
                A standard, e.g. tek17; may be given several times. Default: those of the plan, \
                else tek17.
                """, transform: { $0.lowercased() })
        var standards: [String] = []
        @Option(help: "The wheelchair in the plan. Default: that of the plan's details.")
        var chair: String?
        @Flag(help: "Show what passes too.")
        var all = false
        @Flag(help: "Show only what certainly fails, by the clause or for the chair.")
        var failing = false
        @Flag(help: "Look for repairs too, which takes longer; see steward plan repair.")
        var repairs = false
        @Flag(help: "Leave out movable aids: shower chairs, commodes and rails that fold up.")
        var withoutMovable = false
        @OptionGroup var speech: PlanLanguageOption
        @OptionGroup var target: PlanOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard !all || !failing else {
                throw ValidationError("--all and --failing can't be used together")
            }
        }

        func run() throws {
            let session = try Session()
            let plan = try target.plan(session)
            var check = try session.check(
                CheckPlan(
                    plan: plan, standards: standards, chair: try session.chair(chair, of: plan),
                    language: speech.code(session), failingOnly: !all, repairs: repairs,
                    withoutMovable: withoutMovable))
            if failing { check.findings.removeAll { !$0.fails } }
            if output.json { return try session.printer.json(.checks, [check]) }
            let phrases = try Words<FindingPhrase>(speech.chosen(session))
            for finding in check.findings {
                let words = FindingWords(
                    finding, phrases, isColoured: session.printer.out.hasColours)
                for line in words.lines { session.printer.result(line) }
            }
            session.printer.result(phrases.summary(check))
            if !repairs, check.findings.contains(where: \.fails) {
                session.printer.remark("what would help: steward plan check --repairs")
            }
            try reportWhatWasPassedOver(check, session, phrases)
        }

        /// Remarks on what the rules passed over, which must not look as if it passed, and on a
        /// wheelchair that isn't chosen.
        private func reportWhatWasPassedOver(
            _ check: PlanCheck, _ session: Session, _ phrases: Words<FindingPhrase>
        ) throws {
            let drawing = try PlanContentsRead(check.plan?.id ?? "", session).drawing
            if (chair ?? "").isEmpty, check.plan?.details?.chair.isEmpty != false,
                let chair = drawing.wheelchairs.first
            {
                session.printer.remark(
                    "not checked for a wheelchair; choose it: steward plan details --chair "
                        + chair.id)
            }
            let over = check.passedOver ?? PassedOver(drawing)
            for sentence in phrases.passedOver(over) {
                session.printer.remark(sentence.printable)
            }
            if over.withoutRooms {
                session.printer.remark("draw one: steward plan room --help")
            } else if let room = over.rooms.first {
                session.printer.remark(
                    "say it: steward plan change \(room.id.printable) --use bathroom")
            }
        }
    }

    /// `steward plan repair`
    struct RepairFinding: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "repair", abstract: "Makes a repair that a check has found.",
            discussion: """
                “steward plan check --repairs” shows the ids of findings and numbers their \
                repairs, the smallest first. Each repair was tried and checked. Building work is \
                only suggested. steward plan undo reverts a repair.
                """)

        @Argument(help: "The finding: its id, e.g. tek17/door-inside/door-2.")
        var finding: String
        @Argument(help: "The number of the repair.")
        var number: Int = 1
        @Option(help: "The wheelchair in the plan, as for the check.")
        var chair: String?
        @OptionGroup var speech: PlanLanguageOption
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            // The id begins with its standard.
            let parts = finding.split(separator: "/").map(String.init)
            guard parts.count == 3 else {
                throw Failure(
                    .usage,
                    "“\(finding.printable)” isn't the id of a finding, which looks like "
                        + "tek17/door-inside/door-2",
                    advice: "see them: steward plan check --repairs")
            }
            let plan = try target.plan(session)
            let check = try session.check(
                CheckPlan(
                    plan: plan, standards: [parts[0]], chair: try session.chair(chair, of: plan),
                    language: speech.code(session), failingOnly: true, repairs: true))
            let repair = try repair(in: check)
            let edited = try session.askPlan(
                EditPlan(of: check.plan ?? Plan(), repair.actions), for: PlanEdited.self,
                repeating: repeating)
            if !output.json { session.printer.result("done: \(repair.text.printable)") }
            try PlanEditOptions.show(edited, session, output)
        }

        private func repair(in check: PlanCheck) throws -> Repair {
            guard let found = check.findings.first(where: { $0.id == finding }) else {
                let near = check.findings.filter { !$0.repairs.isEmpty }.prefix(3).map(\.id)
                throw Failure(
                    .refused, "nothing fails as “\(finding.printable)”",
                    advice: near.isEmpty
                        ? "see what does: steward plan check --repairs"
                        : "repairs are there for " + near.joined(separator: ", "))
            }
            guard found.repairs.indices.contains(number - 1) else {
                throw Failure(
                    .refused,
                    found.repairs.isEmpty
                        ? "no repair of “\(finding)” was found that moves or turns what is there"
                        : "“\(finding)” has \(Wording.count(found.repairs.count, "repair"))",
                    advice: "see them: steward plan check --repairs")
            }
            let repair = found.repairs[number - 1]
            guard repair.actions.isEmpty else { return repair }
            guard repair.kind == .aid else {
                throw Failure(
                    .refused, "this has to be built: \(repair.text.printable)",
                    advice: "when it is, change the plan: steward plan change \(found.item)")
            }
            throw Failure(
                .refused, "somebody has to choose a product: \(repair.text.printable)",
                advice: "when it is there, add it to the plan: steward plan add aid --class CODE")
        }
    }

    /// `steward plan standards`
    struct ListStandardsCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "standards", abstract: "Lists the standards that plans can be checked by.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.askPlan(ListStandards(), for: Messages.Standards.self)
            if output.json { return try session.printer.json(.standards, reply.standards) }
            var table = TextTable([
                .id("NAME"), .text("TITLE"), .text("COUNTRY"), .text("EDITION"), .number("RULES"),
            ])
            for standard in reply.standards {
                table.add([
                    .init(standard.id, .bold), .init(standard.title), .init(standard.country),
                    .init(standard.edition), "\(standard.rules)",
                ])
            }
            session.printer.table(table)
        }
    }
}

/// The language of findings, drawings and reports.
struct PlanLanguageOption: ParsableArguments {
    @Option(help: "The language: en, nb or sv. Default: yours, see steward alerts prefer.")
    var language: Language?

    /// The named language, else that of the person.
    func chosen(_ session: Session) throws -> Language { try language ?? session.language }

    /// The same in ISO 639-1.
    func code(_ session: Session) throws -> String { try chosen(session).rawValue }
}

extension Language: ExpressibleByArgument {}

extension Words<FindingPhrase> {
    /// A verdict in one word of at most seven letters.
    func word(_ verdict: Verdict) -> String {
        say(family: "verdict", "\(verdict)") ?? say(.unknownVerdict)
    }
}

extension Session {
    /// How long a check with repairs, or the report in a mail, may take on a small and busy
    /// machine.
    static let checkPatience: Duration = .seconds(300)

    /// The id of the wheelchair that a person means by its id or label; empty for that of the
    /// plan's details, if the person means none.
    ///
    /// - Throws: ``Failure`` for an empty label, too: it is a variable that isn't set, and what is
    ///   found for another chair could be taken for the wanted one.
    func chair(_ typed: String?, of plan: String) throws -> String {
        guard let typed else { return "" }
        let drawing = try PlanContentsRead(plan, self).drawing
        return try PlanAtHand { drawing }.element(typed).id
    }

    /// Asks the service for the findings of a plan.
    func check(_ query: CheckPlan) throws -> PlanCheck {
        try askPlan(query, for: PlanCheck.self, deadline: Self.checkPatience)
    }

    /// Asks the service where a chair can go in a plan.
    func reach(_ query: ReachPlan) throws -> PlanReach {
        do {
            return try askPlan(query, for: PlanReach.self, deadline: Self.checkPatience)
        } catch ClientError.refused(let refusal) where refusal.isBecause(.chairNone) {
            // Most likely there is a wheelchair, and the plan just doesn't name it.
            let chair = try PlanContentsRead(query.plan, self).drawing.wheelchairs.first
            throw Failure(
                .refused, refusal.message,
                advice: chair.map { "choose it: steward plan details --chair \($0.id)" }
                    ?? "add one: steward plan wheelchair --help")
        }
    }
}

/// A finding in words.
struct FindingWords {
    private let finding: PlanFinding
    private let words: Words<FindingPhrase>
    private let isColoured: Bool

    init(_ finding: PlanFinding, _ words: Words<FindingPhrase>, isColoured: Bool) {
        (self.finding, self.words, self.isColoured) = (finding, words, isColoured)
    }

    /// The finding, the clause, what it means for the chair, and the repairs.
    var lines: [String] {
        let name =
            finding.itemName.isEmpty
            ? finding.item : "\(finding.item) (\(finding.itemName))"
        var lines = [
            "\(Self.mark(finding.verdict, isColoured, words)) "
                + Style.bold(name.printable, if: isColoured) + ": \(finding.text.printable)",
            indented("\(words.clause(of: finding))  [\(finding.id)]", .dim),
        ]
        if let person = finding.person {
            lines.append(
                "        \(Self.mark(person.verdict, isColoured, words)) "
                    + person.text.printable)
        }
        for (index, repair) in finding.repairs.enumerated() {
            let how =
                words.effort(of: repair) ?? words.say(.repair, ["number": "\(index + 1)"])
            lines.append(indented("\(how): \(repair.text)", .cyan))
        }
        return lines
    }

    /// A verdict in one word, padded to the same width.
    static func mark(
        _ verdict: Verdict, _ isColoured: Bool, _ words: Words<FindingPhrase> = Words(.english)
    ) -> String {
        let style: Style =
            switch verdict {
            case .pass: .green
            case .fail: .red
            default: .yellow
            }
        let word = words.word(verdict)
        return style(word, if: isColoured) + String(repeating: " ", count: max(0, 7 - word.count))
    }

    private func indented(_ text: String, _ style: Style) -> String {
        "        " + style(text.printable, if: isColoured)
    }
}
