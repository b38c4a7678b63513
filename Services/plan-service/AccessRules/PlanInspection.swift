import FloorPlan
import Messages
import Phrases

/// What the rules of some standards find in a plan. After a change of the plan only the rooms that
/// it touches are looked at again, with their doors and what stands in them.
package struct PlanInspection: Sendable {
    private(set) var layout: PlanLayout
    /// The plan as it was looked at.
    package var plan: FloorPlan { layout.plan }
    let judge: Judge
    let sets: [RuleSet]
    /// By the id of the room, door or element.
    private var found: [String: [Found]] = [:]
    /// All of them, what fails first.
    private(set) var sorted: [Found] = []
    /// The things of which something may have been found that isn't sorted in yet.
    private var unsorted: [String: [Found]] = [:]

    /// What one rule found. It never changes, and there can be thousands: they aren't copied.
    final class Found: Sendable {
        let finding: PlanFinding
        /// The place of the standard and of the rule among those that are checked.
        let order: (set: Int, rule: Int)
        let measure: Measure
        /// What comes first: by verdict, standard and rule. What fails for the chair alone comes
        /// before advice that isn't followed.
        fileprivate let rank: Int

        fileprivate init(_ finding: PlanFinding, set: Int, rule: Int, measure: Measure) {
            self.finding = finding
            order = (set, rule)
            self.measure = measure
            let verdict =
                switch finding.verdict {
                case .fail: finding.advisory ? 2 : 0
                case _ where finding.person?.verdict == .fail: 1
                case .uncertain: 3
                case .unknown: 4
                default: 5
                }
            rank = (verdict << 16 | set) << 16 | rule
        }

        fileprivate static func < (first: Found, second: Found) -> Bool {
            first.rank != second.rank
                ? first.rank < second.rank : first.finding.item < second.finding.item
        }
    }

    /// Looks at a whole plan.
    /// - Parameters:
    ///   - details: its tolerance, and its standards where none are given.
    ///   - standards: their names; without any those of the details, or else the usual one.
    ///   - chair: the person's chair, to say what each place means for it.
    ///   - language: `en`, `nb` or `sv`; empty for English.
    /// - Throws: for a standard or language that isn't there, with those that are.
    package init(
        _ plan: FloorPlan, details: PlanDetails, standards: [String] = [],
        chair: PersonChair? = nil, language: String = ""
    ) throws(Refusal) {
        let named = standards.isEmpty ? details.standards : standards
        sets = try RuleBook.sets(named.isEmpty ? [RuleBook.usual] : named)
        judge = Judge(
            tolerance: details.tolerance, chair: chair,
            phrases: try Words<FindingPhrase>.of(language))
        layout = PlanLayout(plan)
        for id in plan.rooms.keys where !WorkLimit.isOver { inspect(room: id) }
        for id in plan.openings.keys where !WorkLimit.isOver { inspect(opening: id) }
        sortIn()
    }

    /// The same for another plan, to try something there.
    init(_ plan: FloorPlan, like other: PlanInspection) {
        sets = other.sets
        judge = other.judge
        layout = PlanLayout(plan)
        for id in plan.rooms.keys where !WorkLimit.isOver { inspect(room: id) }
        for id in plan.openings.keys where !WorkLimit.isOver { inspect(opening: id) }
        sortIn()
    }

    /// Takes up changes of the plan.
    package mutating func apply(_ changes: [ItemChange]) {
        var places: [Bounds] = []
        var openings: Set<String> = []
        for change in changes {
            note(change.before, &places, &openings)
            layout.apply(change)
            note(change.after, &places, &openings)
            if change.after == nil, let id = change.before?.id { keep([], of: id) }
        }
        var rooms: Set<String> = []
        for place in places { rooms.formUnion(layout.rooms(meeting: place)) }
        for id in rooms {
            guard let room = layout.plan.rooms[id] else { continue }
            openings.formUnion(layout.openings(meeting: room.polygon.bounds.grown(by: 200)))
        }
        // What stands in no room any more is no matter of a rule.
        for item in changes.flatMap({ [$0.before, $0.after] }) {
            switch item?.item {
            case .element(let element): keep([], of: element.id)
            case .room(let room):
                for id in layout.elements(meeting: room.polygon.bounds) where !isInRoom(id) {
                    keep([], of: id)
                }
            default: break
            }
        }
        for id in rooms where !WorkLimit.isOver { inspect(room: id) }
        for id in openings where !WorkLimit.isOver { inspect(opening: id) }
        sortIn()
    }

    /// Keeps what was found of a thing.
    private mutating func keep(_ new: [Found], of id: String) {
        if unsorted[id] == nil { unsorted[id] = found[id] ?? [] }
        found[id] = new.isEmpty ? nil : new
    }

    /// Puts what is new in its place among what was there, and takes out what isn't found any more.
    private mutating func sortIn() {
        let new = unsorted.keys.flatMap { found[$0] ?? [] }.sorted(by: <)
        let old = unsorted.values.joined().map { sorted.place(of: $0) }.sorted()
        unsorted = [:]
        let places = new.map { sorted.place(of: $0) }
        var merged: [Found] = []
        merged.reserveCapacity(sorted.count + new.count - old.count)
        var (start, nextOld, nextNew) = (0, 0, 0)
        // Piece by piece, as there may be thousands that stay where they are.
        while nextOld < old.count || nextNew < new.count {
            let out = nextOld < old.count ? old[nextOld] : .max
            let into = nextNew < new.count ? places[nextNew] : .max
            merged += sorted[start..<min(out, into)]
            start = min(out, into)
            if into <= out {
                merged.append(new[nextNew])
                nextNew += 1
            } else {
                start += 1
                nextOld += 1
            }
        }
        sorted = merged + sorted[start...]
    }

    private func isInRoom(_ element: String) -> Bool {
        layout.plan.elements[element].flatMap { layout.room(at: $0.place) } != nil
    }

    /// Notes where a thing is, and the doors that depend on it.
    private func note(_ item: PlanItem?, _ places: inout [Bounds], _ openings: inout Set<String>) {
        guard let item else { return }
        guard let bounds = layout.bounds(of: item) else { return }
        switch item.item {
        case .element: places.append(bounds)
        // A door belongs to the rooms on both sides of its wall, which may begin a little off it.
        default: places.append(bounds.grown(by: 200))
        }
        switch item.item {
        case .opening(let opening): openings.insert(opening.id)
        case .room(let room):
            // Also those that lead into no other room, when this one is taken away.
            openings.formUnion(layout.openings(meeting: room.polygon.bounds.grown(by: 200)))
        case .wall(let wall):
            for opening in layout.plan.openings(in: wall.id) {
                openings.insert(opening.id)
                let bounds = layout.bounds(of: PlanItem(item: .opening(opening)))
                if let bounds { places.append(bounds.grown(by: 200)) }
            }
        default: break
        }
    }

    /// Looks at a room and at the elements whose middle lies in it.
    private mutating func inspect(room id: String) {
        guard let room = layout.plan.rooms[id] else { return keep([], of: id) }
        var survey = Survey(RoomFloor(room, in: layout))
        let ofRoom = results { rule, terms in
            guard rule.elements == nil, rule.doors == nil, rule.isAbout(survey.floor) else {
                return nil
            }
            return judge.room(rule, terms, &survey)
        }
        keep(ofRoom.map { finding($0, PlanItem(item: .room(room))) }, of: id)
        for element in survey.floor.elements where layout.room(at: element.place)?.id == id {
            if WorkLimit.isOver { return }
            let ofElement = results { rule, terms in
                guard rule.isAbout(element, in: room) else { return nil }
                return judge.element(rule, terms, element, in: survey.floor)
            }
            keep(ofElement.map { finding($0, PlanItem(item: .element(element))) }, of: element.id)
        }
    }

    private mutating func inspect(opening id: String) {
        guard let doorway = layout.doorway(id), doorway.opening.isDoor else {
            return keep([], of: id)
        }
        let ofDoor = results { rule, terms in
            guard rule.isAbout(doorway, in: layout) else { return nil }
            return judge.door(rule, terms, doorway, in: layout)
        }
        keep(ofDoor.map { finding($0, PlanItem(item: .opening(doorway.opening))) }, of: id)
    }

    /// What each rule of each standard says, when it says something.
    private func results(
        _ look: (Rule, FloorTerms) -> Assessment?
    ) -> [(set: Int, rule: Int, assessment: Assessment)] {
        sets.indices.flatMap { set in
            sets[set].rules.indices.compactMap { number in
                let rule = sets[set].rules[number]
                return look(rule, sets[set].terms(rule)).map { (set, number, $0) }
            }
        }
    }

    private func finding(
        _ result: (set: Int, rule: Int, assessment: Assessment), _ item: PlanItem
    ) -> Found {
        let (set, assessment) = (sets[result.set], result.assessment)
        let rule = set.rules[result.rule]
        let finding = PlanFinding(
            id: "\(set.standard)/\(rule.id)/\(item.id)", standard: set.standard,
            edition: set.edition, clause: rule.clause, rule: rule.id, item: item.id,
            itemName: judge.phrases.name(item), at: PlanPoint(assessment.at),
            verdict: assessment.verdict,
            requirement: judge.requirement(rule, assessment.required),
            text: judge.said(assessment.text),
            required: assessment.required, measured: assessment.measured,
            margin: assessment.margin, tolerance: assessment.tolerance,
            person: assessment.person.map(judge.finding), advisory: rule.level == .advisory,
            source: set.sources[rule.source] ?? "", line: judge.line(assessment, item))
        return Found(finding, set: result.set, rule: result.rule, measure: rule.measure)
    }

    /// Repairs are looked for in so many failing findings, the first ones; more nobody reads, and
    /// each takes some time.
    package static let mostRepaired = 100

    /// The findings: what fails first, then what isn't certain, then what passes; each by standard,
    /// clause and place.
    /// - Parameters:
    ///   - repairs: looks for what would make the failing ones pass, which takes longer.
    ///   - most: so many of them, the first ones.
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
}

extension [PlanInspection.Found] {
    /// Where something is, or would be, in what is sorted.
    fileprivate func place(of found: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < found { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Rule {
    /// True when it is about a room.
    func isAbout(_ floor: RoomFloor) -> Bool {
        guard rooms?.contains(floor.room.use) ?? true else { return false }
        if swept == true, !floor.doorways.contains(where: { $0.sweptRoom == floor.room.id }) {
            return false
        }
        guard let entered else { return true }
        return entered
            == floor.doorways.contains { $0.opening.entrance && $0.opening.isPassable }
    }

    /// True when it is about an element in a room.
    func isAbout(_ element: Element, in room: Room) -> Bool {
        guard elements?.contains(element.kind) == true, rooms?.contains(room.use) ?? true else {
            return false
        }
        let width = Double(element.width)
        return width >= widerThan ?? 0 && width < upToWidth ?? .infinity
    }

    /// True when it is about a door.
    func isAbout(_ doorway: Doorway, in layout: PlanLayout) -> Bool {
        switch doors {
        case nil: return false
        case .entrance: guard doorway.opening.entrance else { return false }
        case .inside: guard !doorway.opening.entrance else { return false }
        case .all: break
        }
        guard let rooms else { return true }
        return [doorway.rooms.left, doorway.rooms.right].contains { id in
            id.flatMap { layout.plan.rooms[$0] }.map { rooms.contains($0.use) } ?? false
        }
    }
}
