import ArgumentParser
import Bus
import Foundation
import Messages

/// The plan that a command is about: the one that is named, else the one in use, else the only one
/// there is.
struct PlanOption: ParsableArguments {
    @Option(
        name: [.customLong("plan"), .customShort("p")],
        help: ArgumentHelp(
            """
            The plan: its name or id. Default: the one that you made, imported or chose last with \
            steward plan use.
            """, valueName: "name"))
    var named: String?

    /// The plan as the service is asked for it: by name or id.
    ///
    /// - Throws: ``Failure`` when there is none, or several and none is in use; it names them.
    func plan(_ session: Session) throws -> String {
        try Self.plan(named: named, session)
    }

    /// The same for a plan that is named otherwise; nil for none.
    static func plan(named: String?, _ session: Session) throws -> String {
        if let named { return named }
        if let kept = try session.keptPlan.chosen() { return kept.id }
        let plans = try session.ask(.plan, ListPlans(limit: 10), for: Messages.Plans.self).plans
        guard let only = plans.first else {
            throw Failure(
                .refused, "there is no plan yet", advice: "make one: steward plan create NAME")
        }
        guard plans.count == 1 else {
            let names = plans.prefix(5).map { "“\($0.name)”" }.joined(separator: ", ")
            throw Failure(
                .refused,
                "it is not known which plan is meant; there are \(names)"
                    + (plans.count > 5 ? " and more" : ""),
                advice: "say -p NAME, or choose one: steward plan use \(only.typed)")
        }
        return only.id
    }
}

/// A command about a plan that is there.
protocol PlanTargetingCommand: ParsableCommand {
    /// Which plan.
    var target: PlanOption { get set }
}

/// A command after which another plan is in use.
protocol PlanChoosingCommand: ParsableCommand {}

/// A plan as commands keep it.
struct ChosenPlan: Codable, Hashable {
    /// Its id.
    let id: String
    /// Its name, when it was chosen.
    let name: String
    /// The name of the account that chose it; empty for the owner of the machine.
    let by: String
}

/// The plan that commands without `--plan` are about: of each account its own.
struct KeptPlan {
    private let file: PersonalFile<[ChosenPlan]>
    private let logIn: KeptLogIn

    init(_ configuration: Bus.Configuration, _ connection: Connection, _ logIn: KeptLogIn) {
        file = PersonalFile(
            name: "plan", of: "your plan", cure: "remove it and choose again: steward plan use",
            configuration, connection)
        self.logIn = logIn
    }

    /// The plan that is in use; nil for none.
    func chosen() throws -> ChosenPlan? {
        let name = try account
        return try file.read()?.first { $0.by == name }
    }

    /// Takes a plan into use.
    func keep(_ plan: Messages.Plan) throws {
        let name = try account
        try file.locked { kept, _ in
            let others = (kept ?? []).filter { $0.by != name }
            kept = others + [ChosenPlan(id: plan.id, name: plan.name, by: name)]
        }
    }

    /// Forgets a plan that is gone.
    func forget(_ id: String) throws {
        guard try file.read()?.contains(where: { $0.id == id }) == true else { return }
        try file.locked { kept, _ in kept?.removeAll { $0.id == id } }
    }

    private var account: String { get throws { try logIn.entry()?.name ?? "" } }
}

extension Messages.Plan {
    /// What it is called.
    var name: String { (details?.name ?? "").printable }

    /// Its name as one word of a command line.
    var typed: String { name.asWord }

    /// What it is called, as a sentence names it.
    var words: String { "“\(name)”" }
}

extension String {
    /// The text as one word of a command line: in quotes when it needs them.
    var asWord: String {
        let plain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), 128...:
                true
            default: false
            }
        }
        return plain && !isEmpty && !hasPrefix("-") ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}

extension Session {
    /// Asks plan-service. A plan that was in use and is gone is told by its name.
    func askPlan<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for type: R.Type, repeating: RepeatOptions? = nil,
        deadline: Duration = .seconds(10)
    ) throws -> R {
        do {
            return try ask(
                .plan, message, for: type, repeating: repeating, deadline: deadline)
        } catch ClientError.refused(let refusal) where refusal.code == .notFound {
            guard let kept = try keptPlan.chosen(), refusal.message.contains(kept.id) else {
                guard refusal.message.hasPrefix("there is no plan ") else {
                    throw ClientError.refused(refusal)
                }
                throw Failure(
                    .refused, refusal.message, advice: "see what there is: steward plan list")
            }
            throw Failure(
                .refused, "the plan “\(kept.name)”, which was in use, is there no more",
                advice: "choose another: steward plan list, then steward plan use NAME")
        }
    }
}
