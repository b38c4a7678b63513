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
                .refused, "there is no plan yet", advice: "create one: steward plan create NAME")
        }
        guard plans.count == 1 else {
            let names = plans.prefix(5).map { "“\($0.name)”" }.joined(separator: ", ")
            throw Failure(
                .refused,
                "it is unclear which plan is meant; there are \(names)"
                    + (plans.count > 5 ? " and more" : ""),
                advice: "say -p NAME, or choose one: steward plan use \(only.typed)")
        }
        return only.id
    }
}

/// A command about an existing plan.
protocol PlanTargetingCommand: ParsableCommand {
    /// The plan.
    var target: PlanOption { get set }
}

/// A command that makes another plan the one in use.
protocol PlanChoosingCommand: ParsableCommand {}

/// Where a thing stands: against a wall.
struct AgainstOptions: ParsableArguments {
    @Option(help: "Stand it with its rear against this wall, turned to face the room.")
    var against: String?
    @Option(help: "Along that wall from its corner: start, end, or the wall that meets it there.")
    var from: WallCorner?
    @Option(
        help: "From the face of the wall in that corner to its nearer side. Default: 0.",
        transform: PlanMeasure.length)
    var offset: UInt32?
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The room, for a wall between two.", valueName: "room"))
    var inside: String?

    /// True if an option is given.
    var isGiven: Bool { against != nil || from != nil || offset != nil || inside != nil }

    func validate() throws {
        guard !isGiven || against != nil else {
            throw ValidationError("--from, --offset and --in go with --against WALL")
        }
    }

    /// The centre and the angle of a thing of this size; nil if no wall is given.
    func stand(
        width: UInt32, depth: UInt32, _ plan: PlanAtHand
    ) throws -> (PlanPoint, angle: UInt32)? {
        guard let against else { return nil }
        return try PlaceAlongWall(
            plan.wall(against), from: from ?? .start, in: inside, plan, needsOne: true
        ).stand(offset ?? 0, width: width, depth: depth)
    }
}

/// Where a new item is, and how it is rotated.
struct StandOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: "Its centre: east and north of the origin.",
        transform: PlanMeasure.place)
    var at: PlaceInPlan?
    @Option(
        parsing: .unconditional, help: "Its angle, in degrees counter-clockwise. Default: 0.",
        transform: PlanMeasure.angle)
    var angle: UInt32?
    @OptionGroup var wall: AgainstOptions

    private static let unsaid = "say where it stands: --at X,Y or --against WALL"

    func validate() throws {
        guard (at == nil) == wall.isGiven else { throw ValidationError(Self.unsaid) }
        guard angle == nil || !wall.isGiven else {
            throw ValidationError("--against also sets the angle; use --angle only with --at")
        }
    }

    /// The centre and the angle of a thing of this size.
    func place(
        width: UInt32, depth: UInt32, _ plan: PlanAtHand
    ) throws -> (centre: PlanPoint, angle: UInt32) {
        if let stood = try wall.stand(width: width, depth: depth, plan) {
            return (centre: stood.0, angle: stood.angle)
        }
        guard let at else { throw ValidationError(Self.unsaid) }
        return (centre: try plan.point(at), angle: angle ?? 0)
    }

    /// The action that places an item of the library or the catalogue there.
    func action(placing place: PlaceItem, _ plan: PlanAtHand) throws -> PlanAction {
        var place = place
        if wall.isGiven {
            let item = try plan.placeable(place)
            guard case .element(let element) = item.item else {
                throw Failure(
                    .refused, "“\(place.name.printable)” is \(item.aKind), which has no rear",
                    advice: "say where its middle is: --at X,Y")
            }
            let stood = try self.place(width: element.width, depth: element.depth, plan)
            // The action turns it from the angle at which it is kept.
            let turn = stood.angle + 360_000 - element.angle % 360_000
            (place.centre, place.angle) = (stood.centre, turn % 360_000)
        } else {
            let there = try self.place(width: 0, depth: 0, plan)
            (place.centre, place.angle) = (there.centre, there.angle)
        }
        return PlanAction(action: .place(place))
    }
}

extension WallCorner: ExpressibleByArgument {
    /// The corner as it is typed.
    package init?(argument: String) { self.init(argument) }
}
