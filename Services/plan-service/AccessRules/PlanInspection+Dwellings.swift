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

    /// Decides what one room of a dwelling has to meet: where one meets all that is asked of
    /// another, that other needn't; and what one thing has to: where one does, no other needs to.
    /// Only dwellings in which something has changed are decided again, or all of them after a
    /// change of what belongs to which.
    mutating func decideDwellings() {
        let known = scopedItems.count > 1 ? dwellings ?? Dwellings(layout) : Dwellings()
        let areSame = scopedItems.count > 1 && dwellings != nil
        if scopedItems.count > 1 { dwellings = known }
        let changed = Set(undecided.map(known.dwelling))
        let rooms = scopedItems.keys.filter { !areSame || changed.contains(known.dwelling(of: $0)) }
            .sorted()
        func isMet(_ result: Result) -> Bool? {
            scope(of: result) == .dwelling ? result.assessment.verdict == .pass : nil
        }
        // By room and standard: such rules that are asked of it. By dwelling and standard: rooms
        // that meet all of theirs, one for each choice of rules.
        var asked: [String: [Int: Set<Int>]] = [:]
        var serving: [String: [Int: [String]]] = [:]
        let entries = rooms.map { room in
            (room, (scopedItems[room] ?? []).sorted().compactMap { scoped[$0] })
        }
        let meeting = things(meetingTheirsAmong: entries.flatMap(\.1), known)
        for (room, items) in entries {
            let results = items.flatMap(\.results).filter { isMet($0) != nil }
            let failing = Set(results.filter { isMet($0) == false }.map(\.set))
            let rules = Dictionary(grouping: results, by: \.set).mapValues { found in
                Set(found.map { sets[$0.set].need($0.rule) })
            }
            asked[room] = rules
            let dwelling = known.dwelling(of: room)
            for (set, these) in rules where !failing.contains(set) {
                let others = serving[dwelling]?[set] ?? []
                if others.contains(where: { asked[$0]?[set] == these }) { continue }
                serving[dwelling, default: [:]][set, default: []].append(room)
            }
        }
        for entry in entries.flatMap(\.1) {
            let dwelling = known.dwelling(of: entry.room)
            let others = serving[dwelling] ?? [:]
            let results = entry.results.map { result -> Result in
                let shared = Shared(dwelling: dwelling, set: result.set, rule: result.rule)
                if let other = meeting[shared], result.assessment.verdict != .pass {
                    return met(result, by: other)
                }
                // A bathroom without a toilet can't stand in for one with a toilet.
                let needed = asked[entry.room]?[result.set] ?? []
                guard isMet(result) == false,
                    let other = others[result.set]?.first(where: {
                        asked[$0]?[result.set]?.isSuperset(of: needed) == true
                    }), let room = layout.plan.rooms[other]
                else { return result }
                let name = judge.phrases.nameValue(PlanItem(item: .room(room)))
                return met(result, Said(.metElsewhere, ["item": name]))
            }
            keep(results, of: entry.item)
        }
        undecided = []
    }

    /// The first of the things that meet a rule which one thing of their dwelling has to meet.
    private func things(
        meetingTheirsAmong entries: [Scoped], _ known: Dwellings
    ) -> [Shared: Scoped] {
        var first: [Shared: Scoped] = [:]
        for entry in entries {
            let dwelling = known.dwelling(of: entry.room)
            for result in entry.results
            where scope(of: result) == .thing && result.assessment.verdict == .pass {
                let shared = Shared(dwelling: dwelling, set: result.set, rule: result.rule)
                if first[shared] == nil { first[shared] = entry }
            }
        }
        return first
    }

    private func met(_ result: Result, by other: Scoped) -> Result {
        guard let room = layout.plan.rooms[other.room] else { return result }
        let values: [String: Name] = [
            "item": judge.phrases.nameValue(other.item), "id": .text(other.item.id),
            "room": judge.phrases.nameValue(PlanItem(item: .room(room))),
        ]
        return met(result, Said(.metByOther, values))
    }

    private func met(_ result: Result, _ text: Said<FindingPhrase>) -> Result {
        var met = result
        (met.assessment.verdict, met.assessment.margin) = (.pass, nil)
        met.assessment.text.append(text)
        return met
    }

    /// A rule that one thing of a dwelling has to meet.
    private struct Shared: Hashable {
        let dwelling: String
        let set: Int
        let rule: Int
    }
}
