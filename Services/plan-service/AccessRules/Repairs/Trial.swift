import FloorPlan
import Messages

/// A copy of the part of a plan around something, in which changes are tried.
struct Trial {
    /// All of the plan.
    let whole: PlanLayout
    private let editor: PlanEditor
    private let inspection: PlanInspection
    private let failing: Set<String>

    /// How far around a room things are copied, in millimetres.
    private static let around = 400.0

    /// The rooms that a place touches, with all that is in and around them.
    init(_ whole: PlanInspection, around place: Bounds) {
        self.whole = whole.layout
        let plan = whole.layout.plan
        let rooms = whole.layout.rooms(meeting: place.grown(by: Self.around))
            .compactMap { plan.rooms[$0] }
        let area = rooms.map(\.polygon.bounds).reduce(place) { $0.union($1) }
            .grown(by: Self.around)
        var items = rooms.map { PlanItem(item: .room($0)) }
        for id in whole.layout.walls(meeting: area) {
            guard let wall = plan.walls[id] else { continue }
            items.append(PlanItem(item: .wall(wall)))
            items += plan.openings(in: id).map { PlanItem(item: .opening($0)) }
        }
        items += whole.layout.elements(meeting: area).compactMap(plan.item)
        let part = FloorPlan(items)
        editor = PlanEditor(part)
        inspection = PlanInspection(part, like: whole)
        failing = inspection.failing
    }

    /// What is in it.
    var plan: FloorPlan { editor.plan }
    var layout: PlanLayout { inspection.layout }

    /// What an action changes; nil if it is refused, hits something, makes a door open against
    /// something or rooms overlap, or moves something out of its room.
    func changes(by action: PlanAction) -> [ItemChange]? {
        var editor = editor
        do {
            let outcome = try editor.make(action)
            guard outcome.warnings.isEmpty else { return nil }
            return outcome.changes.allSatisfy(layout.keepsInRoom) ? outcome.changes : nil
        } catch {
            return nil
        }
    }

    /// What counts by the rule of a finding.
    func terms(_ found: PlanInspection.Found) -> FloorTerms {
        let set = inspection.sets[found.order.set]
        return set.terms(set.rules[found.order.rule])
    }

    /// The widths that the checked standards ask of passages in some rooms, in millimetres, the
    /// least first.
    func passageWidths(in rooms: [Room]) -> [UInt32] {
        let rules = inspection.sets.flatMap(\.rules).filter { rule in
            rule.measure == .passage && rooms.contains { rule.rooms?.contains($0.use) ?? true }
        }
        return Set(rules.compactMap(\.atLeast).map { UInt32($0) }).sorted()
    }

    /// What one rule says of one thing after some changes, as far as a repair aims at it.
    func verdict(_ found: PlanInspection.Found, after changes: [ItemChange]) -> Verdict? {
        var layout = layout
        for change in changes { layout.apply(change) }
        return inspection.verdict(found, in: layout)
    }

    /// True when a finding passes after some changes and nothing else fails that didn't before,
    /// whether for a clause or for the person's chair.
    func isRepaired(_ found: PlanInspection.Found, by changes: [ItemChange]) -> Bool {
        var changed = inspection
        changed.apply(changes)
        return changed.passes(found) && changed.failing.isSubset(of: failing)
    }
}

extension PlanLayout {
    /// True unless a change moves something out of its room.
    fileprivate func keepsInRoom(_ change: ItemChange) -> Bool {
        guard case .element(let before)? = change.before?.item,
            case .element(let after)? = change.after?.item,
            let room = self.room(at: before.place)?.polygon
        else { return true }
        return after.outline.corners.allSatisfy {
            room.contains($0) || room.distanceToOutline(from: $0) <= Overlap.tolerance
        }
    }
}

extension PlanInspection {
    /// The maximum number of failing findings for which repairs are searched, because nobody reads
    /// more, and each takes some time.
    package static let mostRepaired = 100

    /// The findings: failures first, then uncertain ones, then those that pass; each group by
    /// standard, clause and place.
    /// - Parameters:
    ///   - repairs: true to search for repairs of the failing ones, which takes longer.
    ///   - most: the maximum number of findings returned, the first ones.
    package func findings(repairs: Bool = false, atMost most: Int = .max) -> [PlanFinding] {
        let sorted = sorted.prefix(most)
        guard repairs else { return sorted.map(\.finding) }
        var trials: [String: Trial] = [:]
        var left = Self.mostRepaired
        return sorted.map { found in
            guard found.aim != nil, left > 0, !WorkLimit.isOver,
                let place = layout.plan.item(found.finding.item).flatMap(layout.bounds)
            else { return found.finding }
            left -= 1
            let trial = trials[found.finding.item] ?? Trial(self, around: place)
            trials[found.finding.item] = trial
            var finding = found.finding
            finding.repairs =
                RepairSearch(
                    found, in: trial, phrases: judge.phrases, tolerance: judge.tolerance
                ).run()
            return finding
        }
    }

    /// The ids of findings whose first repairs can be made one after another in this order. In the
    /// plan as those before it leave it, each makes its finding pass, hits nothing, and makes
    /// nothing else fail. A finding that passes by then needs no repair, and one whose first repair
    /// can't be made in the plan alone has none here.
    /// - Parameter findings: findings of this inspection, with their repairs.
    package func combined(_ findings: [PlanFinding]) -> [String] {
        var (editor, now, failing) = (PlanEditor(plan), self, self.failing)
        var made: [String] = []
        for finding in findings {
            guard let repair = finding.repairs.first, !repair.actions.isEmpty,
                !WorkLimit.isOver,
                let found = sorted.first(where: { $0.finding.id == finding.id }),
                !now.passes(found)
            else { continue }
            var (tried, changed) = (editor, now)
            do {
                let outcome = try tried.make(repair.actions)
                guard outcome.warnings.isEmpty,
                    outcome.changes.allSatisfy(now.layout.keepsInRoom)
                else { continue }
                changed.apply(outcome.changes)
            } catch {
                // An earlier repair is in its way.
                continue
            }
            let still = changed.failing
            guard changed.passes(found), still.isSubset(of: failing) else { continue }
            (editor, now, failing) = (tried, changed, still)
            made.append(finding.id)
        }
        return made
    }

    /// The ids of the failing findings, and of those where the chair fails.
    fileprivate var failing: Set<String> {
        var failing: Set<String> = []
        for found in sorted {
            let finding = found.finding
            if finding.verdict == .fail { failing.insert(finding.id) }
            if finding.person?.verdict == .fail { failing.insert(finding.id + "/person") }
        }
        return failing
    }

    /// True when the clause passes or, if the chair is the aim, when the chair passes and the
    /// clause passes too or is as undecided as before.
    fileprivate func passes(_ found: Found) -> Bool {
        guard let now = sorted.first(where: { $0.finding.id == found.finding.id })?.finding else {
            return false
        }
        guard found.aim == .chair else { return now.verdict == .pass }
        return now.person?.verdict == .pass
            && (now.verdict == .pass || now.verdict == found.finding.verdict)
    }

    /// What the rule of a finding says of the same thing in another state of the plan.
    fileprivate func verdict(_ found: Found, in layout: PlanLayout) -> Verdict? {
        let forChair = found.aim == .chair
        let judge = Judge(
            tolerance: judge.tolerance, chair: forChair ? judge.chair : nil,
            phrases: judge.phrases)
        let now = assessment(of: found, in: layout, by: judge)
        return forChair ? now?.person?.verdict : now?.verdict
    }

    private func assessment(of found: Found, in layout: PlanLayout, by judge: Judge) -> Assessment?
    {
        let set = sets[found.order.set]
        let rule = set.rules[found.order.rule]
        let (terms, id) = (set.terms(rule), found.finding.item)
        if let room = layout.plan.rooms[id] {
            var survey = Survey(room, in: layout)
            return judge.room(rule, terms, &survey)
        }
        if let element = layout.plan.elements[id], let room = layout.room(at: element.place) {
            return judge.element(rule, terms, element, in: RoomFloor(room, in: layout))
        }
        return layout.doorway(id).flatMap { judge.door(rule, terms, $0, in: layout) }
    }
}
