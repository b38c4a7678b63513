import Messages

/// The operation that began a travel path.
struct TravelPathBeginning: Hashable, Sendable {
    let id: [UInt8]
    let stamp: Stamp
}

/// The operation that logged a travel path as walked.
struct TravelPathWalk: Hashable, Sendable {
    let id: [UInt8]
    let begun: [UInt8]
    let text: String
    let stamp: Stamp
}

/// A travel path.
package struct TravelPath: Hashable, Sendable {
    /// The id of the operation that began it; empty when its beginning was not recorded.
    package let begun: [UInt8]
    /// Who set out, and when; nil when that was not recorded.
    package let began: Stamp?
    /// Who finished it, and when; nil while it is under way, or when it was abandoned.
    package let logged: Stamp?
    /// What was seen, in a few words.
    package let text: String
    /// When the slot that it counts for was due, in milliseconds since 1970; nil when it counts for
    /// none.
    package let slot: Int64?
    /// The ids of the to-dos that were added on it.
    package let findings: [String]
}

/// A time at which a travel path is due, and its state.
package struct TravelPathSlot: Hashable, Sendable {
    /// The state of a slot.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is due, or the slot is not over.
        case open
        /// It was walked in time.
        case done
        /// It was walked later within the slot.
        case late
        /// It was not walked.
        case missed
    }

    /// When it is due, in milliseconds since 1970.
    package let due: Int64
    /// Whether it was walked.
    package let state: State
    /// Who walked it, and when; nil when nobody did.
    package let logged: Stamp?
}

extension ShiftState {
    /// The schedule of the travel paths.
    package var schedule: ShiftSchedule { ShiftSchedule(shift, settings) }

    /// The travel paths in order: the walked ones by the time of their end, then the others.
    package var travelPaths: [TravelPath] {
        let slots = walkedSlots
        let byBeginning = Dictionary(
            beginnings.map { ($0.id, $0.stamp) }, uniquingKeysWith: { first, _ in first })
        let findings = Dictionary(
            grouping: ownTodos.filter { !$0.content.travelPath.isEmpty }, by: \.content.travelPath)
        let walked = walksInTime.map { walk in
            TravelPath(
                begun: walk.begun, began: byBeginning[walk.begun], logged: walk.stamp,
                text: walk.text, slot: slots.byWalk[walk.id].map(schedule.due),
                findings: walk.begun.isEmpty ? [] : findings[walk.begun, default: []].map(\.id))
        }
        let ended = Set(walks.map(\.begun))
        let underWay = beginnings.filter { !ended.contains($0.id) }.map {
            TravelPath(
                begun: $0.id, began: $0.stamp, logged: nil, text: "", slot: nil,
                findings: findings[$0.id, default: []].map(\.id))
        }
        return walked + underWay
    }

    /// The maximum number of slots of a shift: more than it has in a year, with the usual interval.
    /// A clock that is ahead by decades would make millions.
    package static let mostSlots = 20_000

    /// The slots that have begun, in order, with their states, and one that has not begun but was
    /// already walked. When the shift has ended, a slot that began so shortly before the end that
    /// it could still have been walked in time is not counted.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func slots(at now: Int64) -> [TravelPathSlot] {
        let schedule = schedule
        let walked = walkedSlots.bySlot
        let until = isOpen ? now : min(now, shift.ended)
        var slots: [TravelPathSlot] = []
        for number in 0..<Self.mostSlots {
            let due = schedule.due(number)
            guard due < until || isOpen && (due == until || walked[number] != nil) else { break }
            let lateFrom = due + schedule.lateAfter
            if let walk = walked[number] {
                let state: TravelPathSlot.State = walk.stamp.time < lateFrom ? .done : .late
                slots.append(TravelPathSlot(due: due, state: state, logged: walk.stamp))
            } else if due + schedule.interval <= until {
                slots.append(TravelPathSlot(due: due, state: .missed, logged: nil))
            } else if isOpen {
                slots.append(TravelPathSlot(due: due, state: .open, logged: nil))
            } else if lateFrom <= until {
                slots.append(TravelPathSlot(due: due, state: .missed, logged: nil))
            }
        }
        return slots
    }

    /// The slot whose travel path is due now; nil when it was walked, none is due yet, or the shift
    /// has ended.
    package func travelPathDue(at now: Int64) -> TravelPathSlot? {
        guard isOpen, now >= schedule.first else { return nil }
        let number = schedule.slot(at: now)
        guard walkedSlots.bySlot[number] == nil else { return nil }
        return TravelPathSlot(due: schedule.due(number), state: .open, logged: nil)
    }

    /// When the next unwalked travel path is due after a time; nil when the shift has ended.
    ///
    /// - Returns: milliseconds since 1970.
    package func nextTravelPath(after now: Int64) -> Int64? {
        guard isOpen else { return nil }
        let walked = walkedSlots.bySlot
        var number = schedule.slot(at: now) + 1
        while walked[number] != nil { number += 1 }
        return schedule.due(number)
    }

    /// The walks, by the time of their end.
    private var walksInTime: [TravelPathWalk] {
        walks.sorted {
            ($0.stamp.time, $0.stamp.sequence) < ($1.stamp.time, $1.stamp.sequence)
        }
    }

    /// Assigns walks to slots. A walk counts for the slot in which it ends; if that was already
    /// walked, or none has begun, it counts for the next if that begins within a sixth of the
    /// interval. A walk that was logged twice counts once.
    private var walkedSlots: (bySlot: [Int: TravelPathWalk], byWalk: [[UInt8]: Int]) {
        let schedule = schedule
        var bySlot: [Int: TravelPathWalk] = [:]
        var byWalk: [[UInt8]: Int] = [:]
        var known: Set<[UInt8]> = []
        for walk in walksInTime where walk.begun.isEmpty || known.insert(walk.begun).inserted {
            var number = schedule.slot(at: walk.stamp.time)
            if number < 0 || bySlot[number] != nil {
                number += 1
                guard schedule.due(number) - walk.stamp.time <= schedule.interval / 6,
                    bySlot[number] == nil
                else { continue }
            }
            bySlot[number] = walk
            byWalk[walk.id] = number
        }
        return (bySlot, byWalk)
    }
}
