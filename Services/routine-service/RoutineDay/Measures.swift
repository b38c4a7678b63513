import ActionLibrary
import Messages

/// How long an action really took.
package struct Measure: Hashable, Sendable {
    /// The action's id in its day.
    package let step: String
    /// The key of the action across days: ``RoutineAction/measureKey``.
    package let action: String
    /// When it was done, in milliseconds since 1970.
    package let ended: Int64
    /// How long it took, in milliseconds.
    package let length: Int64

    /// The number of measures after which the measured duration is offered instead of the planned
    /// one.
    package static let enough = 5
    /// The maximum number of measures that count, the latest ones.
    package static let most = 20

    /// Returns the usual duration of an action, by its latest measures: the median in whole
    /// minutes, at least 1; nil without any.
    ///
    /// - Parameter lengths: the measures, in milliseconds.
    package static func minutes(of lengths: [Int64]) -> UInt32? {
        guard !lengths.isEmpty else { return nil }
        let sorted = lengths.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        return UInt32(clamping: max(1, (median + DayTime.minute / 2) / DayTime.minute))
    }
}

extension RoutineAction {
    /// The key that identifies the action across days: its library key or, for other actions, its
    /// name.
    package var measureKey: String {
        library.isEmpty ? "=" + (name.isEmpty ? emoji : name).nameKey : library
    }
}

extension Day {
    /// How long the actions of this day really took, where that is known. Actions that were marked
    /// late, or several at once, say nothing and are left out.
    package var measures: [Measure] {
        places.compactMap { place in
            let step = self[place]
            guard !items[place.item].isAppointment, let action = step.action,
                let length = measuredLength(of: step)
            else { return nil }
            return Measure(
                step: step.id, action: action.measureKey, ended: step.ended, length: length)
        }
    }

    private func measuredLength(of step: DayStep) -> Int64? {
        guard step.isMeasured, step.state == .done, step.began > 0, step.ended > step.began else {
            return nil
        }
        let interrupted = items.filter(\.isAppointment).reduce(Int64(0)) { sum, item in
            guard let fixed = item.steps.first, fixed.state != .skipped else { return sum }
            return sum + max(0, min(step.ended, fixed.end) - max(step.began, fixed.start))
        }
        let length = step.ended - step.began - max(0, step.rested) - interrupted
        let planned = step.length
        guard length >= max(planned / 5, 20_000),
            length <= 4 * planned + 30 * DayTime.minute
        else { return nil }
        return length
    }
}

extension DayStatistics {
    /// Computes what was kept up, from days.
    ///
    /// - Parameters:
    ///   - days: the days, in order of their dates.
    ///   - from: the first date, in ISO 8601.
    ///   - until: the last date.
    package init(of days: [Day], from: String, until: String) {
        var found: [String: RoutineStatistic] = [:]
        var lengths: [String: [Int64]] = [:]
        for day in days {
            let measured = Dictionary(
                day.measures.map { ($0.step, $0.length) }, uniquingKeysWith: { first, _ in first })
            for item in day.items where !item.isAppointment {
                let done = item.steps.filter { $0.state == .done }
                guard !done.isEmpty else { continue }
                var one = found[item.routine] ?? RoutineStatistic(routine: item.routine)
                (one.name, one.emoji) = (item.name, item.emoji)
                one.days += 1
                one.actions += UInt32(done.count)
                found[item.routine] = one
                let all = item.steps.compactMap { measured[$0.id] }
                if all.count == item.steps.count {
                    lengths[item.routine, default: []].append(all.reduce(0, +))
                }
            }
        }
        for (routine, all) in lengths {
            found[routine]?.minutes = Measure.minutes(of: all) ?? 0
        }
        self.init(
            from: from, until: until,
            routines: found.values.sorted { ($0.name, $0.routine) < ($1.name, $1.routine) })
    }
}
