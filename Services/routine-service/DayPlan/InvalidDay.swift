/// The reason why a day can't be planned: what is wrong, where, and what would be valid.
package struct InvalidDay: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the day that is invalid.
    package enum Place: Hashable, Sendable {
        case day
        /// An appointment, by its index in the list.
        case appointment(Int)
        /// A routine, by its index in the list.
        case routine(Int)
        /// An action, by the index of its routine and its own index in it.
        case action(Int, routine: Int)
    }

    package let place: Place
    /// A sentence for a person that names the part and says how to fix it.
    package let description: String
}

/// The limits of a day.
package enum DayLimits {
    /// The last minute: the end of the following day.
    package static let lastMinute = 2_880
    package static let appointments = 100
    package static let routines = 40
    /// The maximum number of actions in one routine.
    package static let actions = 40
    /// The maximum number of actions in the whole day.
    package static let allActions = 400
    /// The longest action and the longest preparation, in minutes.
    package static let minutes = 1_440
    /// The longest pause between routines, in minutes.
    package static let pause = 240
    /// The maximum length of an id, in bytes of UTF-8.
    package static let idBytes = 200
}

extension DayProblem {
    /// Checks every limit.
    ///
    /// - Throws: the first fault, in the order of the day's parts.
    package func validate() throws(InvalidDay) {
        try within(wake, "wakes at minute", .day)
        try within(sleep, "ends at minute", .day)
        if let now { try within(now, "is planned at minute", .day) }
        guard wake < sleep else {
            throw InvalidDay(
                place: .day,
                description: "the day ends at minute \(sleep), not after minute \(wake), when it "
                    + "begins: give an end after the beginning")
        }
        guard (0...DayLimits.pause).contains(pause) else {
            throw InvalidDay(
                place: .day,
                description: "the pause between routines is \(pause) minutes: "
                    + "give 0 to \(DayLimits.pause)")
        }
        try counts()
        var ids: Set<String> = []
        for (number, appointment) in appointments.enumerated() {
            try validate(appointment, .appointment(number), &ids)
        }
        ids = []
        var actionIDs: Set<String> = []
        var running: String?
        for (number, routine) in routines.enumerated() {
            try validate(routine, number, &ids)
            for (index, action) in routine.actions.enumerated() {
                let place = InvalidDay.Place.action(index, routine: number)
                try validate(action, in: routine, place, &actionIDs)
                guard case .running = action.state else { continue }
                if let running {
                    throw InvalidDay(
                        place: place,
                        description: "the actions \(running) and \(action.id) run at once: "
                            + "end one of them first")
                }
                running = action.id
            }
        }
    }

    private func counts() throws(InvalidDay) {
        guard appointments.count <= DayLimits.appointments else {
            throw InvalidDay(
                place: .day,
                description: "the day has \(appointments.count) appointments: "
                    + "it may have \(DayLimits.appointments)")
        }
        guard routines.count <= DayLimits.routines else {
            throw InvalidDay(
                place: .day,
                description: "the day has \(routines.count) routines: "
                    + "it may have \(DayLimits.routines)")
        }
        var actions = 0
        for routine in routines { actions += routine.actions.count }
        guard actions <= DayLimits.allActions else {
            throw InvalidDay(
                place: .day,
                description: "the day has \(actions) actions: it may have \(DayLimits.allActions)")
        }
    }

    private func validate(
        _ appointment: DayAppointment, _ place: InvalidDay.Place, _ ids: inout Set<String>
    ) throws(InvalidDay) {
        let name = "the appointment \(appointment.id)"
        try new(appointment.id, "appointment", place, &ids)
        try validate(appointment.span, name, place)
        guard (0...DayLimits.minutes).contains(appointment.preparation) else {
            throw InvalidDay(
                place: place,
                description: "\(name) needs \(appointment.preparation) minutes of preparation: "
                    + "give 0 to \(DayLimits.minutes)")
        }
    }

    private func validate(
        _ routine: DayRoutine, _ number: Int, _ ids: inout Set<String>
    ) throws(InvalidDay) {
        let place = InvalidDay.Place.routine(number)
        try new(routine.id, "routine", place, &ids)
        let name = "the routine \(routine.id)"
        try validate(routine.window, name, place)
        try within(routine.preferred, "\(name) begins best at minute", place)
        if let start = routine.fixedStart { try within(start, "\(name) begins at minute", place) }
        guard !routine.actions.isEmpty else {
            throw InvalidDay(place: place, description: "\(name) has no action: add one")
        }
        guard routine.actions.count <= DayLimits.actions else {
            throw InvalidDay(
                place: place,
                description: "\(name) has \(routine.actions.count) actions: "
                    + "it may have \(DayLimits.actions)")
        }
    }

    private func validate(
        _ action: DayAction, in routine: DayRoutine, _ place: InvalidDay.Place,
        _ ids: inout Set<String>
    ) throws(InvalidDay) {
        try new(action.id, "action", place, &ids)
        let name = "the action \(action.id) of the routine \(routine.id)"
        guard (1...DayLimits.minutes).contains(action.minutes) else {
            throw InvalidDay(
                place: place,
                description: "\(name) takes \(action.minutes) minutes: "
                    + "give 1 to \(DayLimits.minutes)")
        }
        guard (1...5).contains(action.priority) else {
            throw InvalidDay(
                place: place,
                description: "\(name) has the priority \(action.priority): "
                    + "give 1, the least important, to 5")
        }
        if let start = action.earlierStart { try within(start, "\(name) was at minute", place) }
        switch action.state {
        case .open, .skipped: break
        case .done(let span), .running(let span):
            try within(span.from, "\(name) began at minute", place)
            try within(span.until, "\(name) ends at minute", place)
            guard span.from <= span.until else {
                throw InvalidDay(
                    place: place,
                    description: "\(name) ends at minute \(span.until), before it begins at "
                        + "minute \(span.from): give an end that is not before its beginning")
            }
        }
    }

    private func validate(
        _ span: MinuteSpan, _ name: String, _ place: InvalidDay.Place
    ) throws(InvalidDay) {
        try within(span.from, "\(name) begins at minute", place)
        try within(span.until, "\(name) ends at minute", place)
        guard span.from < span.until else {
            throw InvalidDay(
                place: place,
                description: "\(name) ends at minute \(span.until), not after minute "
                    + "\(span.from), when it begins: give an end after the beginning")
        }
    }

    private func within(
        _ minute: Int, _ what: String, _ place: InvalidDay.Place
    ) throws(InvalidDay) {
        guard (0...DayLimits.lastMinute).contains(minute) else {
            let name = place == .day ? "the day \(what)" : what
            throw InvalidDay(
                place: place,
                description: "\(name) \(minute): give a minute from 0 to \(DayLimits.lastMinute)")
        }
    }

    private func new(
        _ id: String, _ kind: String, _ place: InvalidDay.Place, _ ids: inout Set<String>
    ) throws(InvalidDay) {
        guard !id.isEmpty else {
            throw InvalidDay(place: place, description: "one \(kind) has no id: give it one")
        }
        guard id.utf8.count <= DayLimits.idBytes else {
            throw InvalidDay(
                place: place,
                description: "the id of one \(kind) has \(id.utf8.count) bytes: "
                    + "it may have \(DayLimits.idBytes)")
        }
        guard ids.insert(id).inserted else {
            throw InvalidDay(
                place: place,
                description: "two parts of the day have the id \(id): give each \(kind) its own")
        }
    }
}
