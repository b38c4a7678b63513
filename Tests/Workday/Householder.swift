import Bus
import Foundation
import Messages
import TestSupport

/// Keeps routines, and plans a day far ahead. A routine kept twice shows in the list of routines,
/// an appointment added twice in the revision of the day.
final class Householder: Occupation {
    private enum Step { case keep, delete, plan, appoint }

    /// How many routines are kept.
    private static let mostKept = 40
    /// How many appointments a day gets before another is planned.
    private static let mostAppointments = 12
    /// How far ahead a day is planned, so that nothing on it becomes due, in milliseconds.
    private static let ahead: Int64 = 300 * 24 * 3600 * 1000

    let service = ServiceName.routine
    private let clock: () -> Int64
    private var step = Step.keep
    private var number = 0
    private var routines: [(id: String, name: String)] = []
    private var date = ""
    private var revision: UInt64 = 0
    private var appointments = 0

    init(clock: @escaping () -> Int64) { self.clock = clock }

    func next() -> (any ProtobufMessage)? {
        number += 1
        if routines.count > Self.mostKept {
            step = .delete
            return DeleteRoutine(routine: routines[0].id)
        }
        if routines.isEmpty || number % 3 == 0 {
            step = .keep
            let action = RoutineAction(name: "Task \(number)", minutes: 5, priority: 3)
            return KeepRoutine(
                routine: Routine(name: "Routine \(number)", actions: [action], until: 1_440))
        }
        guard !date.isEmpty, appointments < Self.mostAppointments else {
            step = .plan
            let time = Date(timeIntervalSince1970: Double((clock() + Self.ahead) / 1000))
            date = time.formatted(.iso8601.year().month().day())
            appointments = 0
            return PlanDay(
                date: date, routines: [routines.last?.id ?? ""], timeZone: "Etc/UTC", anew: true)
        }
        step = .appoint
        let start = 480 + 30 * UInt32(appointments)
        let visit = Appointment(name: "Visit \(number)", from: start, until: start + 10)
        return ChangeDay(date: date, change: .addAppointment(visit))
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        switch step {
        case .keep:
            let kept = try answer.message(Routine.self)
            guard kept.id == "\(id)" else {
                throw Complaint("routine \(kept.id) was made by a command other than \(id)")
            }
            routines.append((kept.id, kept.name))
        case .delete:
            let deleted = try answer.message(Routine.self)
            guard deleted.id == routines.removeFirst().id, deleted.deleted > 0 else {
                throw Complaint("another routine was deleted: \(deleted)")
            }
        case .plan:
            revision = try answer.message(Day.self).revision
        case .appoint:
            let day = try answer.message(Day.self)
            revision += 1
            appointments += 1
            guard day.revision == revision else {
                throw Complaint("revision \(revision) of a day is \(day)")
            }
        }
    }

    func inspect(_ system: System, _ client: Client) throws {
        let listed = try client.ask(
            ListRoutines(), for: Routines.self, deadline: .seconds(3000)
        ).routines.map(\.id)
        guard listed.count == routines.count, Set(listed) == Set(routines.map(\.id)) else {
            throw Complaint("\(routines.count) routines are kept, and \(listed.count) are there")
        }
        guard !date.isEmpty else { return }
        let day = try client.ask(ReadDay(date: date), for: Day.self, deadline: .seconds(3000))
        let visits = day.items.filter(\.routine.isEmpty)
        guard day.revision == revision, visits.count == appointments else {
            throw Complaint("\(appointments) appointments in revision \(revision) became \(day)")
        }
    }
}
