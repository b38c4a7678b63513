import ArgumentParser
import Bus
import Foundation
import Messages
import PlanSpeech
import Speech

/// The plan that a command is about: the one named by the option, else the one in use, else the
/// only one there is.
struct PlanOption: ParsableArguments {
    @Option(
        name: [.customLong("plan"), .customShort("p")],
        help: ArgumentHelp(
            """
            The plan: its name or id. Default: the one that you last created, imported or chose \
            with steward plan use.
            """, valueName: "name"), completion: Offered.plans)
    var named: String?

    /// The plan's name or id, for messages to the service.
    ///
    /// - Throws: ``Failure`` naming the plans, if there is none, or there are several and none is
    ///   in use.
    func plan(_ session: Session) throws -> String {
        try Self.plan(named: named, session)
    }

    /// The same for a plan that another option or argument names; nil for none.
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

/// A command about an existing plan.
protocol PlanTargetingCommand: ParsableCommand {
    /// Which plan.
    var target: PlanOption { get set }
}

/// A command that makes another plan the one in use.
protocol PlanChoosingCommand: ParsableCommand {}
