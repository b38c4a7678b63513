import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// A step of a policy as it is typed: `shift-manager@Harbour`, `site-manager+10m`,
/// `supervisor+1h=urgent`.
struct StepArgument: ExpressibleByArgument, Hashable {
    private let who: AudienceArgument
    private let after: DurationArgument
    private let severity: Severity

    init?(argument: String) {
        let loud = argument.split(separator: "=", omittingEmptySubsequences: false)
        let timed = loud[0].split(separator: "+", omittingEmptySubsequences: false)
        guard loud.count <= 2, timed.count <= 2,
            let who = AudienceArgument(argument: String(timed[0])),
            let after = DurationArgument(argument: timed.count == 2 ? String(timed[1]) : "0s")
        else { return nil }
        let severity = loud.count == 2 ? Severity(argument: String(loud[1])) : .unspecified
        guard let severity else { return nil }
        (self.who, self.after, self.severity) = (who, after, severity)
    }

    /// The step.
    func step(_ session: Session) throws -> EscalationStep {
        EscalationStep(
            who: try who.audience(session), after: after.milliseconds, severity: severity)
    }
}

/// Which of an organisation's alerts something is about.
struct AlertFilterOptions: ParsableArguments {
    @Option(help: "Only alerts of this service, e.g. checklist-service.")
    var source: ServiceName?
    @Option(help: "Only alerts of this kind, e.g. checklist.overdue.")
    var kind: String?
    @Option(help: "Only alerts whose key begins with this.")
    var key: String?
    @Option(help: "Only alerts about this site: its name or id.", completion: Offered.sites)
    var site: String?

    /// True when nothing is given.
    var isEmpty: Bool { source == nil && kind == nil && key == nil && site == nil }

    /// The id of the site; empty for none.
    func siteID(_ session: Session) throws -> String {
        try site.map { try YourSites(session).named($0).id } ?? ""
    }
}

extension AlertsCommand {
    /// `steward alerts policy`
    struct Policy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "policy",
            abstract: "Sets whom alerts are escalated to while nobody acknowledges them.",
            discussion: "For administrators.",
            subcommands: [Add.self, List.self, Remove.self])
    }
}

extension AlertsCommand.Policy {
    /// `steward alerts policy add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a policy, or changes the one of that name.",
            discussion: """
                Each --step is WHO, +TIME and =SEVERITY, the last two if wanted: whom to alert \
                (see steward help alerts call raise), how long after the step before, and how \
                severe the alert is for them at least. For example:

                steward alerts policy add rounds --kind checklist.overdue --step \
                shift-manager@Harbour --step site-manager@Harbour+10m --step \
                supervisor+20m=urgent --reopen-after 2h
                """)

        @Argument(help: "What the policy is called.")
        var name: String
        @OptionGroup var filter: AlertFilterOptions
        @Option(help: "Only alerts raised with this severity or above. Default: any.")
        var from: Severity?
        @Option(help: "A step; repeat the option for each.")
        var step: [StepArgument]
        @Option(help: "How many times to go through the steps, up to 10.")
        var rounds: UInt32 = 1
        @Option(
            help:
                "How long until an acknowledged alert reopens, unless it was dealt with."
        )
        var reopenAfter: DurationArgument?
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if step.isEmpty { throw ValidationError("give at least one --step") }
        }

        func run() throws {
            let session = try Session()
            let policy = EscalationPolicy(
                name: name, source: filter.source?.rawValue ?? "", kind: filter.kind ?? "",
                key: filter.key ?? "", site: try filter.siteID(session),
                from: from ?? .unspecified, steps: try step.map { try $0.step(session) },
                rounds: rounds, reopenAfter: reopenAfter?.milliseconds ?? 0)
            let kept = try session.ask(
                .notifier, KeepPolicy(policy: policy), for: EscalationPolicy.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.policies, [kept]) }
            session.printer.result(
                "\(kept.name.printable) escalates in \(Wording.count(kept.steps.count, "step"))")
        }
    }

    /// `steward alerts policy list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the policies of your organisation.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let policies = try session.whole(.notifier, ListPolicies(), \.after) {
                (page: EscalationPolicies) in (page.policies, page.next)
            }
            guard !output.json else { return try session.printer.json(.policies, policies) }
            guard !policies.isEmpty else { return session.printer.remark("there is no policy") }
            let names = try AudienceNames(session, policies.flatMap { $0.steps.map(\.who) })
            let sites = try SiteNames(session, of: policies.map(\.site))
            var table = TextTable([
                .text("NAME"), .text("SOURCE"), .text("KIND"), .text("KEY"), .text("SITE"),
                .text("FROM"), .number("ROUNDS"), .text("STEPS"),
            ])
            for policy in policies {
                let steps = policy.steps.map { step in
                    let after = step.after == 0 ? "" : "after \(Wording.duration(step.after)) "
                    return after + names.line(step.who)
                }
                table.add([
                    .init(policy.name), .init(policy.source), .init(policy.kind),
                    .init(policy.key), .init(sites.name(policy.site)),
                    .init(policy.from == .unspecified ? "" : "\(policy.from)"),
                    "\(max(1, policy.rounds))", .init(steps.joined(separator: "; ")),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward alerts policy remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a policy. Alerts that it is escalating go on.")

        @Argument(help: "The policy.")
        var name: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let removed = try session.ask(
                .notifier, RemovePolicy(name: name), for: EscalationPolicy.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.policies, [removed]) }
            session.printer.result("\(removed.name.printable) is removed")
        }
    }
}
