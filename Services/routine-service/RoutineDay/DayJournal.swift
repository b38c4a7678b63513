import Messages

/// A day, and the operations that devices have sent for it: the same for the service and for every
/// device.
///
/// The result doesn't depend on the order in which devices send their operations. An action is done
/// if any device says so and has not undone that; otherwise it is skipped if any says so; otherwise
/// it is as it was. So nothing that was done is lost, and an operation sent twice counts once.
package struct DayJournal: Hashable, Sendable {
    /// What became of an operation from a device.
    package enum Effect: Int, Hashable, Sendable {
        /// It changed nothing, because the day already had the same or more.
        case none = 0
        /// The day is as the operation says.
        case counts = 1
        /// It waits until the day is confirmed.
        case waits = 2
    }

    /// An operation from a device.
    package struct Entry: Hashable, Sendable {
        package let operation: DayOperation
        package fileprivate(set) var effect: Effect
        /// True when the device has undone it.
        package fileprivate(set) var isUndone: Bool

        package init(_ operation: DayOperation, effect: Effect, isUndone: Bool) {
            (self.operation, self.effect, self.isUndone) = (operation, effect, isUndone)
        }
    }

    /// The day as it stands.
    package var day: Day
    /// The operations for it, in the order in which they came.
    package private(set) var entries: [Entry]

    package init(_ day: Day, entries: [Entry] = []) {
        (self.day, self.entries) = (day, entries)
    }

    /// Applies an operation from a device. One that was applied before is ignored.
    package mutating func apply(_ operation: DayOperation) {
        guard !entries.contains(where: { $0.operation.id == operation.id }) else { return }
        if case .undone(let id) = operation.what {
            entries.append(Entry(operation, effect: .none, isUndone: false))
            guard let index = entries.firstIndex(where: { $0.operation.id == id }) else { return }
            takeBack(index)
            return
        }
        let isUndone = entries.contains { $0.operation.what == .undone(operation.id) }
        entries.append(Entry(operation, effect: .none, isUndone: isUndone))
        if !isUndone { put(entries.count - 1) }
    }

    /// Applies the operations that waited, because the person has confirmed the day.
    package mutating func confirmed() {
        for index in entries.indices where entries[index].effect == .waits {
            entries[index].effect = .none
            if !entries[index].isUndone { put(index, isLate: true) }
        }
    }

    /// Keeps what was done in a day that is planned again: it waits until the new plan is
    /// confirmed. What people marked themselves becomes an operation, like what devices send.
    ///
    /// - Parameters:
    ///   - earlier: the day as it was before it was planned again; nil if that can't be read. Then
    ///     what devices have sent waits.
    ///   - makeID: makes the id of an operation: 16 bytes, different each time.
    package mutating func replanned(from earlier: Day?, makeID: () -> [UInt8]) {
        guard let earlier else {
            for index in entries.indices where entries[index].effect == .counts {
                entries[index].effect = .waits
            }
            return
        }
        wentBack(from: earlier)
        let waiting = entries.filter { $0.effect == .waits && $0.operation.state == .done }
        let known = Set(waiting.compactMap { earlier.place(of: $0.operation) })
        for place in earlier.places where earlier[place].state == .done {
            let (item, step) = (earlier.items[place.item], earlier[place])
            // An appointment is done when its time is over, and the new plan has its own.
            guard !item.isAppointment, !known.contains(place) else { continue }
            let operation = DayOperation(
                id: makeID(), step: step.id, time: step.ended, routine: item.routine,
                name: item.name, action: step.action, what: .done(true))
            entries.append(Entry(operation, effect: .waits, isUndone: false))
        }
    }

    /// Keeps the operations in step with a day in which a change was undone. If the day is a
    /// proposal again, the operations that it showed wait until it is confirmed; what the person
    /// had undone before stays undone. If it is confirmed again, the operations that waited count.
    ///
    /// - Parameter later: the day with the change that was undone.
    package mutating func wentBack(from later: Day) {
        guard day.state != .confirmed else { return confirmed() }
        for index in entries.indices
        where !entries[index].isUndone && later.shows(entries[index].operation) {
            entries[index].effect = .waits
        }
    }

    /// Applies an operation, as far as it says more than the day.
    ///
    /// - Parameters:
    ///   - index: the index of its entry.
    ///   - isLate: true if it waited for the plan, whose actions then don't begin at its time.
    private mutating func put(_ index: Int, isLate: Bool = false) {
        let operation = entries[index].operation
        guard day.state == .confirmed else {
            entries[index].effect = .waits
            return
        }
        guard let state = operation.state else { return }
        if state == .done, day.place(of: operation) == nil { day.add(operation) }
        guard let place = day.place(of: operation), day[place].state != .done,
            day[place].state != state
        else { return }
        do { try day.mark(place, state, at: operation.time) } catch { return }
        if state == .done, !isLate { day.goOn(after: place, at: operation.time) }
        for other in entries.indices where isSame(entries[other].operation, operation) {
            if entries[other].effect == .counts { entries[other].effect = .none }
        }
        entries[index].effect = .counts
    }

    /// Takes back an operation that a device has undone: what others say about its action counts
    /// then.
    private mutating func takeBack(_ index: Int) {
        let operation = entries[index].operation
        guard operation.state != nil, !entries[index].isUndone else { return }
        entries[index].isUndone = true
        guard entries[index].effect == .counts else { return }
        entries[index].effect = .none
        guard let place = day.place(of: operation), day[place].state == operation.state,
            day[place].ended == operation.time
        else { return }
        day[place].state = .unspecified
        (day[place].ended, day[place].began, day[place].rested) = (0, 0, 0)
        (day[place].isMeasured, day[place].reason) = (false, nil)
        // What began only because this was done has not begun.
        for next in day.toCome where next.item == place.item && day[next].start == operation.time {
            day[next].began = 0
        }
        let others = entries.indices.filter {
            !entries[$0].isUndone && entries[$0].effect == .none
                && isSame(entries[$0].operation, operation)
        }
        for state in [StepState.done, .skipped] {
            guard let other = others.first(where: { entries[$0].operation.state == state })
            else { continue }
            return put(other)
        }
    }

    private func isSame(_ one: DayOperation, _ other: DayOperation) -> Bool {
        one.state != nil && other.state != nil && one.step == other.step
            && one.action?.measureKey == other.action?.measureKey
            && (one.routine == other.routine || one.routine.isEmpty || other.routine.isEmpty)
    }
}

extension DayOperation {
    /// What it says about its action; nil when it undoes another one.
    package var state: StepState? {
        switch what {
        case .done(true): .done
        case .skipped(true): .skipped
        default: nil
        }
    }
}

extension Day {
    /// The action that is meant: of those in the same routine with the same name, the one with that
    /// id or, if the day was replanned, the first that isn't done yet. The medicine of the morning
    /// is not that of the evening, even if a replanned day gives it the number that the other had.
    fileprivate func place(of operation: DayOperation) -> Place? {
        let key = operation.action?.measureKey
        let same = places.filter { self[$0].action?.measureKey == key }
        let own = same.filter {
            operation.routine.isEmpty || items[$0.item].routine == operation.routine
        }
        return own.first { self[$0].id == operation.step }
            ?? own.first { self[$0].state == operation.state && self[$0].ended == operation.time }
            ?? own.first { self[$0].state != .done }
    }

    /// True if the action that is meant is as the operation says, or done instead of skipped.
    fileprivate func shows(_ operation: DayOperation) -> Bool {
        guard let state = operation.state, let place = place(of: operation) else { return false }
        return self[place].state == state || self[place].state == .done
    }

    /// Adds what was done and is no longer in the day.
    fileprivate mutating func add(_ operation: DayOperation) {
        let id = freeID
        items.append(
            DayItem(
                id: id, routine: operation.routine.isEmpty ? "-" : operation.routine,
                name: operation.name,
                steps: [DayStep(id: "\(id).1", action: operation.action)], until: 1_440))
    }

    /// An id that no item has had in this plan of the day.
    package var freeID: String {
        let greatest = items.compactMap { UInt32($0.id) }.max() ?? 0
        return "\(Int(max(greatest, lastItem)) + 1)"
    }

    /// Takes items out of the day. Nothing that is added later gets their ids.
    ///
    /// - Parameter isGone: whether an item is taken out.
    package mutating func removeItems(where isGone: (DayItem) -> Bool) {
        let gone = items.filter(isGone).compactMap { UInt32($0.id) }
        lastItem = max(lastItem, gone.max() ?? 0)
        items.removeAll(where: isGone)
    }

    /// Keeps the ids of items that only another version of the day has from being given to later
    /// items: somebody may have read that version.
    ///
    /// - Parameter other: the other version, such as the one whose last change was undone.
    package mutating func keepIDs(of other: Day) {
        let present = Set(items.map(\.id))
        let gone = other.items.filter { !present.contains($0.id) }.compactMap { UInt32($0.id) }
        lastItem = max(lastItem, other.lastItem, gone.max() ?? 0)
    }
}
