import LocalTime
import Messages
import RoutineDay

/// The rules of a day's contents.
extension Day {
    /// Creates an empty day of a person.
    ///
    /// - Throws: a refusal if the date or the zone is invalid.
    static func begin(
        _ date: String, of person: PersonRow, zone: String, wake: UInt32?, sleep: UInt32?
    ) throws(Refusal) -> Day {
        let settings = person.settings
        let (wake, sleep) = (wake ?? settings.wake, sleep ?? settings.sleep)
        try DaySettings.validate(wake: wake, sleep: sleep)
        return Day(
            person: person.account, date: date, timeZone: zone, state: .proposed, wake: wake,
            sleep: sleep, warning: settings.warning)
    }

    /// Adds a routine that isn't in the day yet, to be planned.
    ///
    /// - Throws: a refusal if the day is full.
    mutating func add(_ routine: Routine) throws(Refusal) {
        guard items.count(where: { !$0.isAppointment }) < RoutineLimits.dayRoutines,
            items.reduce(routine.actions.count, { $0 + $1.steps.count }) <= RoutineLimits.daySteps
        else {
            throw .conflict(
                "a day has at most \(RoutineLimits.dayRoutines) routines with "
                    + "\(RoutineLimits.daySteps) actions")
        }
        let id = freeID
        items.append(
            DayItem(
                id: id, routine: routine.id, name: routine.name, emoji: routine.emoji,
                steps: routine.actions.enumerated().map { index, action in
                    DayStep(id: "\(id).\(index + 1)", action: action)
                }, from: routine.from, until: routine.until, best: max(routine.from, wake),
                picture: routine.picture))
    }

    /// Adds an appointment. It may overlap a meeting or a shift that the person knows about.
    ///
    /// - Parameters:
    ///   - appointment: the appointment.
    ///   - time: the times of the day.
    ///   - isRepeated: whether it comes from another day or a template, so that nobody chose its
    ///     time for this date. If the clock skips that time, it begins after that.
    /// - Throws: a refusal if it is invalid or overlaps another that the person has made.
    mutating func add(
        _ appointment: Appointment, _ time: DayTime, isRepeated: Bool = false
    ) throws(Refusal) {
        let appointment = try appointment.tidied()
        let others = items.filter(\.isAppointment)
        guard others.count < RoutineLimits.appointments else {
            throw .conflict("a day has at most \(RoutineLimits.appointments) appointments")
        }
        let start = time.instant(appointment.from)
        var end = time.instant(appointment.until)
        if isRepeated, start == end {
            let minutes = Int64(appointment.until - appointment.from)
            end = min(start + minutes * DayTime.minute, time.end)
        }
        guard start < end else {
            throw .invalid(
                "“\(appointment.title)” lies where the clock is put forward; give another time")
        }
        if let other = others.first(where: {
            $0.event.isEmpty && $0.from < appointment.until && appointment.from < $0.until
        }) {
            throw .conflict(
                "“\(appointment.title)” overlaps “\(other.title)”, which lasts from "
                    + "\(LocalTime.text(minutes: Int(other.from))) to "
                    + "\(LocalTime.text(minutes: Int(other.until)))")
        }
        let id = freeID
        let action = RoutineAction(
            name: appointment.name, emoji: appointment.emoji,
            minutes: UInt32(clamping: (end - start) / DayTime.minute), priority: 5)
        items.append(
            DayItem(
                id: id, name: appointment.name, emoji: appointment.emoji,
                steps: [DayStep(id: "\(id).1", action: action, start: start, end: end)],
                from: appointment.from, until: appointment.until,
                preparation: appointment.preparation, best: appointment.from))
    }

    /// Returns the index of the item with an id or a name.
    ///
    /// - Throws: a refusal if there is none.
    func index(of item: String) throws(Refusal) -> Int {
        let key = item.nameKey
        let found =
            items.firstIndex { $0.id == item } ?? items.firstIndex { $0.title.nameKey == key }
        guard let found else {
            throw .notFound("there is no “\(item.prefix(100))” in this day; see steward day show")
        }
        return found
    }
}

extension Appointment {
    /// The name, or the emoji if there is no name.
    var title: String { name.isEmpty ? emoji : name }

    /// Creates the appointment of a day's item.
    init(_ item: DayItem) {
        self.init(
            name: item.name, emoji: item.emoji, from: item.from, until: item.until,
            preparation: item.preparation)
    }
}
