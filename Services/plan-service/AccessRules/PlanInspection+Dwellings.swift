import FloorPlan
import Messages
import Phrases

/// What one room or one thing of a dwelling has to meet.
extension PlanInspection {
    /// True if another room or thing of the dwelling may meet a rule instead.
    func isShared(_ result: Result) -> Bool { scope(of: result) != .room }

    private func scope(of result: Result) -> Rule.Scope {
        sets[result.set].rules[result.rule].scope ?? .room
    }

    /// Decides what one room or one thing of a dwelling has to meet: where one meets all that is
    /// asked of another, that other needn't, and where one may, it is uncertain. Only dwellings in
    /// which something has changed are decided again, or all of them after a change of what belongs
    /// to which.
    mutating func decideDwellings() {
        let known = scopedItems.count > 1 ? dwellings ?? Dwellings(layout) : Dwellings()
        let areSame = scopedItems.count > 1 && dwellings != nil
        if scopedItems.count > 1 { dwellings = known }
        let changed = Set(undecided.map(known.dwelling))
        let rooms = scopedItems.keys.filter { !areSame || changed.contains(known.dwelling(of: $0)) }
            .sorted()
        let entries = rooms.flatMap { room in
            (scopedItems[room] ?? []).sorted().compactMap { scoped[$0] }
        }
        let asked = asked(of: entries)
        let serving = serving(among: asked, known)
        for entry in entries {
            let dwelling = known.dwelling(of: entry.room)
            let results = entry.results.map { result -> Result in
                guard isShared(result), result.assessment.verdict != .pass,
                    let own = asked[bearer(of: result, entry)]
                else { return result }
                func standIn(isSure: Bool) -> Bearer? {
                    let key = Serving(dwelling: dwelling, set: result.set, isSure: isSure)
                    // A bathroom without a toilet can't stand in for one with a toilet.
                    return serving[key]?.first { own.needs.isSubset(of: $0.needs) }?.bearer
                }
                if let other = standIn(isSure: true) { return excused(result, by: other, .pass) }
                guard result.assessment.verdict == .fail, let other = standIn(isSure: false) else {
                    return result
                }
                return excused(result, by: other, .uncertain)
            }
            keep(results, of: entry.item)
        }
        undecided = []
    }

    /// What is asked of each room and thing by such rules, and what was found.
    private func asked(of entries: [Scoped]) -> [Bearer: Asked] {
        var asked: [Bearer: Asked] = [:]
        for entry in entries {
            for result in entry.results where isShared(result) {
                let bearer = bearer(of: result, entry)
                var all = asked[bearer] ?? Asked(bearer: bearer, order: asked.count)
                all.needs.insert(sets[result.set].need(result.rule))
                all.verdicts.insert(result.assessment.verdict)
                asked[bearer] = all
            }
        }
        return asked
    }

    /// The rooms and things that meet, or may meet, all that is asked of them: the first one for
    /// each set of rules.
    private func serving(
        among asked: [Bearer: Asked], _ known: Dwellings
    ) -> [Serving: [Asked]] {
        var serving: [Serving: [Asked]] = [:]
        for all in asked.values.sorted(by: { $0.order < $1.order })
        where !all.verdicts.contains(.fail) {
            let key = Serving(
                dwelling: known.dwelling(of: all.bearer.room), set: all.bearer.set,
                isSure: all.verdicts == [.pass])
            if serving[key]?.contains(where: { $0.needs == all.needs }) == true { continue }
            serving[key, default: []].append(all)
        }
        return serving
    }

    /// A room has to meet all such rules of a standard together, a thing each rule by itself.
    private func bearer(of result: Result, _ entry: Scoped) -> Bearer {
        let isThing = scope(of: result) == .thing
        return Bearer(
            room: entry.room, set: result.set, thing: isThing ? entry.item.id : nil,
            rule: isThing ? result.rule : nil)
    }

    /// A result for which another room or thing of the dwelling stands in, or may.
    private func excused(_ result: Result, by other: Bearer, _ verdict: Verdict) -> Result {
        guard let room = layout.plan.rooms[other.room] else { return result }
        let isMet = verdict == .pass
        let roomName = judge.phrases.nameValue(PlanItem(item: .room(room)))
        var text = Said<FindingPhrase>(
            isMet ? .metElsewhere : .perhapsElsewhere, ["item": roomName])
        if let id = other.thing {
            guard let thing = layout.plan.item(id) else { return result }
            text = Said(
                isMet ? .metByOther : .perhapsByOther,
                ["item": judge.phrases.nameValue(thing), "id": .text(id), "room": roomName])
        }
        var excused = result
        (excused.assessment.verdict, excused.assessment.margin) = (verdict, nil)
        excused.assessment.text.append(text)
        return excused
    }

    /// A room or thing that has to meet rules of a standard.
    private struct Bearer: Hashable {
        let room: String
        let set: Int
        /// The thing in the room, and the rule; both nil for the room itself.
        let thing: String?
        let rule: Int?
    }

    /// What is asked of a room or thing.
    private struct Asked {
        let bearer: Bearer
        let order: Int
        var needs: Set<Int> = []
        var verdicts: Set<Verdict> = []
    }

    /// The key of those that stand in for others of a dwelling, by a standard.
    private struct Serving: Hashable {
        let dwelling: String
        let set: Int
        /// False if it isn't certain that they meet what is asked.
        let isSure: Bool
    }
}
