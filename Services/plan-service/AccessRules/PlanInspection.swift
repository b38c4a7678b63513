import FloorPlan
import Messages
import Phrases

/// The findings of some standards' rules in a plan. After a change of the plan only the affected
/// rooms are checked again, with their doors and the elements in them.
package struct PlanInspection: Sendable {
    private(set) var layout: PlanLayout
    /// The same with other sizes of things whose size is a guess; nil if there are none.
    var guesses: GuessedLayouts?
    /// The plan that was checked.
    package var plan: FloorPlan { layout.plan }
    let judge: Judge
    let sets: [RuleSet]
    /// The findings by the id of the room, door or element.
    private var found: [String: [Found]] = [:]
    /// All findings, failures first.
    private(set) var sorted: [Found] = []
    /// The results of rules that one room or thing of a dwelling has to meet, for the room and the
    /// things in it, by the id of the item.
    private(set) var scoped: [String: Scoped] = [:]
    /// The ids of these items by the id of their room.
    private(set) var scopedItems: [String: Set<String>] = [:]
    /// The rooms in which such a result has changed since the dwellings were decided.
    var undecided: Set<String> = []
    /// The dwellings of the rooms; nil until they are needed.
    var dwellings: Dwellings?
    /// The earlier findings of items whose present findings aren't sorted in yet.
    private var unsorted: [String: [Found]] = [:]

    /// A finding of one rule. It never changes, and there can be thousands, so it is a class to
    /// avoid copies.
    final class Found: Sendable {
        let finding: PlanFinding
        /// What it was made from, in addition to the rule and the id of the item: equal inputs give
        /// equal findings.
        fileprivate let assessment: Assessment
        fileprivate let name: Name
        /// The index of the standard and of the rule among those that are checked.
        let order: (set: Int, rule: Int)
        let measure: Measure
        /// The sort order: by verdict, standard and rule. What fails only for the chair comes
        /// before advice that isn't followed.
        fileprivate let rank: Int

        fileprivate init(
            _ finding: PlanFinding, _ result: Result, named name: Name, measure: Measure
        ) {
            self.finding = finding
            self.name = name
            assessment = result.assessment
            let (set, rule) = (result.set, result.rule)
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

    /// Checks a whole plan.
    /// - Parameters:
    ///   - details: its tolerance, and its standards if none are given.
    ///   - standards: their names; if empty, those of the details, or else the usual one.
    ///   - chair: the person's chair, to say what each place means for it.
    ///   - language: `en`, `nb` or `sv`; empty for English.
    /// - Throws: for an unknown standard or language, naming the known ones.
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
        guesses = GuessedLayouts(plan)
        for id in plan.rooms.keys where !WorkLimit.isOver { inspect(room: id) }
        for id in plan.openings.keys where !WorkLimit.isOver { inspect(opening: id) }
        sortIn()
    }

    /// The same for another plan, to try a change there. Where the limits of ramps aren't
    /// known, those that are taken instead count: a ramp has to be chosen in any case, and a check
    /// then says that they aren't known.
    init(_ plan: FloorPlan, like other: PlanInspection) {
        sets = other.sets.map(\.takingRamps)
        judge = other.judge
        layout = PlanLayout(plan)
        guesses = GuessedLayouts(plan)
        for id in plan.rooms.keys where !WorkLimit.isOver { inspect(room: id) }
        for id in plan.openings.keys where !WorkLimit.isOver { inspect(opening: id) }
        sortIn()
    }

    /// Applies changes of the plan, and checks what they affect.
    package mutating func apply(_ changes: [ItemChange]) {
        var places: [Bounds] = []
        var openings: Set<String> = []
        if changes.contains(where: \.dividesDwellings) { dwellings = nil }
        for change in changes {
            note(change.before, &places, &openings)
            layout.apply(change)
            applyToGuesses(change)
            note(change.after, &places, &openings)
            if change.after == nil, let id = change.before?.id { keep([], of: id) }
        }
        var rooms: Set<String> = []
        for place in places {
            rooms.formUnion(layout.rooms(meeting: place))
            // Includes a door that opens where there is no room.
            openings.formUnion(layout.openings(meeting: place))
        }
        for id in rooms {
            guard let room = layout.plan.rooms[id] else { continue }
            openings.formUnion(layout.openings(meeting: room.polygon.bounds.grown(by: 200)))
        }
        // An item that is no longer in any room has no findings.
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

    /// Replaces the findings of an item. Unchanged ones stay.
    mutating func keep(_ results: [Result], of item: PlanItem) {
        let old = found[item.id] ?? []
        let name = judge.phrases.nameValue(item)
        let new = results.map { result in
            old.first {
                $0.order == (result.set, result.rule) && $0.name == name
                    && $0.assessment == result.assessment
            } ?? finding(result, item, named: name)
        }
        guard !new.elementsEqual(old, by: ===) else { return }
        keep(new, of: item.id)
    }

    private mutating func keep(_ new: [Found], of id: String) {
        if new.isEmpty { setScoped(nil, of: id) }
        if unsorted[id] == nil { unsorted[id] = found[id] ?? [] }
        found[id] = new.isEmpty ? nil : new
    }

    /// Replaces the findings of a room, or of an item in it. Those that another room or thing of
    /// the dwelling may meet are decided when all rooms are inspected.
    private mutating func keep(_ results: [Result], of item: PlanItem, in room: String) {
        let isScoped = results.contains { isShared($0) }
        setScoped(isScoped ? Scoped(item: item, room: room, results: results) : nil, of: item.id)
        if !isScoped { keep(results, of: item) }
    }

    private mutating func setScoped(_ new: Scoped?, of id: String) {
        if let old = scoped[id] {
            undecided.insert(old.room)
            scopedItems[old.room]?.remove(id)
            if scopedItems[old.room]?.isEmpty == true { scopedItems[old.room] = nil }
        }
        scoped[id] = new
        guard let new else { return }
        undecided.insert(new.room)
        scopedItems[new.room, default: []].insert(id)
    }

    /// Merges new findings into the sorted list, and removes those that are gone.
    private mutating func sortIn() {
        decideDwellings()
        let new = unsorted.keys.flatMap { found[$0] ?? [] }.sorted(by: <)
        let old = unsorted.values.joined().map { sorted.place(of: $0) }.sorted()
        unsorted = [:]
        // Thousands may stay, so they are swapped, which counts no references to them.
        var end = old.first ?? sorted.count
        var next = 0
        for place in end..<sorted.count {
            if next < old.count, old[next] == place {
                next += 1
            } else {
                sorted.swapAt(end, place)
                end += 1
            }
        }
        sorted.removeSubrange(end...)
        let places = new.map { sorted.place(of: $0) }
        // Add room at the end, and move those that stay into it to make room for the new ones.
        sorted += new
        var free = sorted.count
        for (number, place) in places.enumerated().reversed() {
            for staying in (place..<end).reversed() {
                free -= 1
                sorted.swapAt(staying, free)
            }
            end = place
            free -= 1
            sorted[free] = new[number]
        }
    }

    private func isInRoom(_ element: String) -> Bool {
        layout.plan.elements[element].flatMap { layout.room(at: $0.place) } != nil
    }

    /// Checks a room and the elements whose centres are in it.
    private mutating func inspect(room id: String) {
        guard let room = layout.plan.rooms[id] else { return keep([], of: id) }
        var survey = Survey(room, in: layout)
        var guess = guesses?.surveys(of: room)
        let ofRoom = results { rule, terms in
            guard rule.elements == nil, rule.doors == nil, rule.isAbout(survey.floor) else {
                return nil
            }
            let found = judge.room(rule, terms, &survey)
            let isAsked = rule.swept != true || survey.floor.isSwept(surely: true)
            return guess?.allow(for: found, by: judge, isAsked: isAsked) {
                judge.room(rule, terms, &$0)
            } ?? found
        }
        keep(ofRoom, of: PlanItem(item: .room(room)), in: id)
        for element in survey.floor.elements where layout.room(at: element.place)?.id == id {
            if WorkLimit.isOver { return }
            let ofElement = results { rule, terms in
                guard rule.isAbout(element, in: room, off: judge.tolerance) else { return nil }
                let found = judge.element(rule, terms, element, in: survey.floor)
                let allowed: Assessment? =
                    guess?.allow(for: found, by: judge) { survey in
                        let sized = survey.floor.elements.first { $0.id == element.id } ?? element
                        return judge.element(rule, terms, sized, in: survey.floor)
                    } ?? found
                return judge.allow(for: allowed, askedBy: rule, of: element)
            }
            keep(ofElement, of: PlanItem(item: .element(element)), in: id)
        }
    }

    private mutating func inspect(opening id: String) {
        guard let doorway = layout.doorway(id), doorway.opening.isPassable else {
            return keep([], of: id)
        }
        let things = guesses?.things(around: doorway) ?? []
        let ofDoor = results { rule, terms in
            guard rule.isAbout(doorway, in: layout) else { return nil }
            let found = judge.door(rule, terms, doorway, in: layout)
            guard let guesses, !things.isEmpty else { return found }
            let others = guesses.others(doorway) { judge.door(rule, terms, $0, in: $1) }
            return judge.allow(for: found, things, others)
        }
        keep(ofDoor, of: PlanItem(item: .opening(doorway.opening)))
    }

    /// What a rule finds, with the indices of its standard and of itself.
    typealias Result = (set: Int, rule: Int, assessment: Assessment)
    /// What rules say about an item, before other rooms are considered.
    struct Scoped {
        let item: PlanItem
        let room: String
        let results: [Result]
    }

    /// What an item is called.
    typealias Name = Said<FindingPhrase>.Value

    /// The findings of each rule of each standard that applies.
    private func results(_ look: (Rule, FloorTerms) -> Assessment?) -> [Result] {
        sets.indices.flatMap { set in
            sets[set].rules.indices.compactMap { number in
                let rule = sets[set].rules[number]
                return look(rule, sets[set].terms(rule)).map { (set, number, $0) }
            }
        }
    }

    private func finding(_ result: Result, _ item: PlanItem, named name: Name) -> Found {
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
            source: set.sources[rule.source] ?? "", line: judge.line(assessment, item),
            estimated: assessment.isEstimated)
        return Found(finding, result, named: name, measure: rule.measure)
    }
}

extension [PlanInspection.Found] {
    /// The index of a finding in a sorted list, or where it would be.
    fileprivate func place(of found: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < found { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
