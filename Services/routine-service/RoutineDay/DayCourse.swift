import Messages

/// Where a person is in a day; the service and every device use the same rules.
extension Day {
    /// The place of an action in a day.
    package struct Place: Hashable, Sendable {
        /// The index of its item.
        package let item: Int
        /// Its index in the item.
        package let step: Int
    }

    /// The places of all actions, in the order of the items.
    package var places: [Place] {
        items.indices.flatMap { item in
            items[item].steps.indices.map { Place(item: item, step: $0) }
        }
    }

    /// The action at a place.
    package subscript(place: Place) -> DayStep {
        get { items[place.item].steps[place.step] }
        set { items[place.item].steps[place.step] = newValue }
    }

    /// The actions that are planned and current or still to come, in order of time.
    package var toCome: [Place] {
        places.filter { self[$0].isToCome }.sorted {
            let (one, other) = (self[$0], self[$1])
            return (one.start, $0.item, $0.step) < (other.start, $1.item, $1.step)
        }
    }

    /// Returns what is current at a time: the appointment that began last, such as a meeting during
    /// a shift, or else the action that was begun, or else the first whose time has come; nil when
    /// there is none.
    ///
    /// - Parameter now: the time, in milliseconds since 1970.
    package func current(at now: Int64) -> Place? {
        guard state == .confirmed else { return nil }
        let come = toCome.filter { self[$0].start <= now }
        return come.last { items[$0.item].isAppointment && now < self[$0].end }
            ?? come.first { self[$0].began > 0 && !items[$0.item].isAppointment }
            ?? come.first { !items[$0.item].isAppointment }
    }

    /// Returns what comes after the current action, or first of all when there is none.
    package func next(at now: Int64) -> Place? {
        let current = current(at: now)
        return toCome.first {
            $0 != current && !(items[$0.item].isAppointment && self[$0].start <= now)
        }
    }

    /// Whether the day is confirmed and nothing is left to come.
    package var isFinished: Bool {
        state == .confirmed && !items.isEmpty && toCome.isEmpty
    }
}

extension DayStep {
    /// Whether it is planned, and neither done nor skipped.
    package var isToCome: Bool { state == .unspecified && start > 0 }

    /// How long it takes, in milliseconds.
    package var length: Int64 { Int64(action?.minutes ?? 0) * DayTime.minute }
}

extension DayItem {
    /// How long its actions take together, in milliseconds.
    package var length: Int64 { steps.reduce(0) { $0 + $1.length } }
}
