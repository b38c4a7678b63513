import AccessRules
import FloorPlan
import Foundation
import Messages
import ServiceRuntime
import Texts

/// A snapshot of a plan to check outside the loop.
struct PlanSurvey: Sendable {
    let plan: Plan
    let drawing: FloorPlan

    /// The maximum number of findings in an answer, and about how many bytes they may take together
    /// with where the chair can go; findings always get ``leastBytes``.
    static let mostFindings = 1_000
    static let mostBytes = 700_000
    static let leastBytes = 200_000

    /// The maximum processor time of one examination of a plan, in seconds.
    static let mostSeconds = 30 * WorkLimit.debugFactor

    /// Runs work, and gives it up if it takes more processor time than `mostSeconds`.
    static func limited<R>(
        to seconds: Double = mostSeconds, _ work: () throws -> R
    ) throws -> R {
        try WorkLimit.run(
            for: seconds, by: ProcessorTime.ofThisThread, orThrow: .tooMuchWork, work)
    }

    var details: PlanDetails { plan.details ?? PlanDetails() }

    /// The person's chair: the requested one, or that of the plan unless it was removed.
    func chair(_ id: String) throws(Refusal) -> PersonChair? {
        if id.isEmpty {
            guard drawing.elements[details.chair]?.kind == .wheelchair else { return nil }
        }
        return try PersonChair.find(id.isEmpty ? details.chair : id, in: drawing)
    }

    /// The answer to a query for its findings.
    func check(_ query: CheckPlan) throws(Refusal) -> PlanCheck {
        guard !query.withoutMovable else { return try withoutMovable.check(query.withMovable) }
        let chair = try chair(query.chair)
        let inspection = try PlanInspection(
            drawing, details: details, standards: query.standards, chair: chair,
            language: query.language)
        let findings = inspection.findings(repairs: query.repairs)
        func count(_ verdicts: Verdict...) -> UInt32 {
            UInt32(findings.count { verdicts.contains($0.verdict) })
        }
        var check = PlanCheck(
            plan: plan, passed: count(.pass), failed: count(.fail),
            undecided: count(.uncertain, .unknown), passedOver: inspection.passedOver,
            standards: inspection.standards,
            combined: query.repairs ? inspection.combined(findings) : [])
        var most = Self.mostBytes - check.packed().count
        if let chair, hasEntrance {
            let found = try reach(of: chair, query.language)
            most -= found.packed().count
            check.reach = found
        }
        most = max(most, Self.leastBytes)
        var bytes = 0
        check.findings = Array(
            findings.filter { !query.failingOnly || !$0.passes }
                .prefix(Self.mostFindings).prefix {
                    bytes += $0.packed().count
                    return bytes <= most
                })
        return check
    }

    /// The answer to a query about where a chair can go in it.
    func reached(_ query: ReachPlan) throws(Refusal) -> PlanReach {
        guard !query.withoutMovable else { return try withoutMovable.reached(query.withMovable) }
        var chair = try chair(query.chair)
        if query.chair.isEmpty, query.width > 0 || query.length > 0 {
            guard (100...5_000).contains(query.width), (100...5_000).contains(query.length) else {
                throw .invalid("a chair is 100 mm to 5 m wide and long; give both")
            }
            let build = query.build ?? Wheelchair()
            try build.validatePerson("the chair")
            chair = PersonChair(width: query.width, length: query.length, build: build)
        }
        guard let chair else {
            throw Refusal.invalid(
                "the plan has no chair; name a wheelchair in it, or give a width and a length"
            ).because(.chairNone)
        }
        var answer = try reach(of: chair, query.language)
        guard !query.to.isEmpty else { return answer }
        let room = try room(query.to)
        guard !chair.isEstimated else { return answer }
        // A route is certain if a chair that is larger by the tolerance can take it.
        let tolerance = Double(details.tolerance)
        let way = try Dwelling(drawing).off(by: Dwelling.worst(tolerance)).route(
            for: chair.body.grown(by: tolerance), to: room)
        answer.route = (way ?? []).map(ChairPose.init)
        return answer
    }

    /// Where a chair can go, as far as that fits into an answer.
    private func reach(of chair: PersonChair, _ language: String) throws(Refusal) -> PlanReach {
        let tolerance = details.tolerance
        return try AccessRules.reach(
            drawing, chair: chair, tolerance: tolerance, language: language,
            remember: KnownReach.shared.remember(chair, tolerance: tolerance, language)
        ).bounded()
    }

    /// The failures by its own standards, or for its chair; none without standards.
    /// - Parameters:
    ///   - checked: the plans that were checked before.
    ///   - now: the time of this check.
    func failing(
        among checked: CheckedPlans, at now: Int64
    ) throws(Refusal) -> [PlanFinding] {
        guard !details.standards.isEmpty else { return [] }
        return try checked.findings(in: self, at: now).filter(\.fails)
    }

    /// The same without movable aids.
    private var withoutMovable: PlanSurvey {
        PlanSurvey(plan: plan, drawing: drawing.withoutMovable)
    }

    private var hasEntrance: Bool {
        drawing.openings.values.contains { $0.entrance && $0.isPassable }
    }

    /// The id of the room with an id or name.
    private func room(_ reference: String) throws(Refusal) -> String {
        if drawing.rooms[reference] != nil { return reference }
        let named = drawing.rooms.values.filter {
            FoldedText.name($0.name) == FoldedText.name(reference)
        }
        guard let room = named.first else {
            let names = drawing.rooms.values.map { $0.name.isEmpty ? $0.id : "“\($0.name)”" }
            let known = names.sorted().prefix(5).joined(separator: ", ")
            throw .notFound(
                "the plan has no room “\(reference.prefix(100))”"
                    + (known.isEmpty ? "" : "; it has \(known)\(names.count > 5 ? ", …" : "")"))
        }
        guard named.count == 1 else {
            let ids = named.map(\.id).sorted().joined(separator: ", ")
            throw .conflict("several rooms are called “\(room.name)”; give the id: \(ids)")
        }
        return room.id
    }
}

extension Refusal {
    /// The refusal for a plan so large, or so full, that examining it would keep others waiting.
    static let tooMuchWork = Refusal(
        code: .tooLarge,
        message: "checking or drawing this plan takes more than "
            + "\(Int(PlanSurvey.mostSeconds)) s of processor time; divide it, e.g. a plan for each "
            + "dwelling"
    ).because(.planWork)
}

extension CheckPlan {
    /// The same with movable aids, where they stand.
    fileprivate var withMovable: CheckPlan {
        var query = self
        query.withoutMovable = false
        return query
    }
}

extension ReachPlan {
    /// The same with movable aids, where they stand.
    fileprivate var withMovable: ReachPlan {
        var query = self
        query.withoutMovable = false
        return query
    }
}

extension ChairPose {
    /// A pose on a route.
    fileprivate init(_ pose: Pose) {
        let degrees = (pose.heading / .pi * 180_000).rounded()
        let turn = degrees.truncatingRemainder(dividingBy: 360_000)
        self.init(
            at: PlanPoint(pose.place), heading: UInt32(turn < 0 ? turn + 360_000 : turn) % 360_000)
    }
}
