import Bus
import Messages
import TestSupport
import Testing

@testable import ChecklistService

extension Processes {
    /// Absurd numbers: the service answers every message, whatever is in it.
    @Suite struct ExtremeTests {
        private static func changes(_ list: String) -> [ShiftOperation.Change] {
            [
                .mark(list, "t1", .notOk), .markTodo(MarkTodo(todo: "\(list)/t1", mark: .done)),
                .note(NoteTask(list: list, task: "t2", text: "x")),
                .addTodo(AddTodo(title: "Sweep", area: "kitchen", priority: "immediate")),
                .beginTravelPath(BeginTravelPath()), .logTravelPath(LogTravelPath()),
                .figure(EnterFigure(hour: 1, kind: .salesActual, value: 1)),
                .figure(EnterFigure(hour: 1, kind: .service, name: "Guests", value: 1)),
                .review(ReviewTask(list: list, task: "t1", finding: .ok)),
            ]
        }

        private static func messages(
            _ restaurant: Restaurant, _ shift: String
        ) throws -> [any ProtobufMessage] {
            let site = restaurant.site
            let settings = try restaurant.ask(ReadSettings(site: site), for: SiteSettings.self)
            let timed = ChecklistTemplate.list("Timed") { _, task in task.carryOut = 600 }
            let task = ChecklistTask(
                id: "more", title: "More", area: "kitchen", priority: "immediate", carryOut: 600)
            return [
                PutTemplate(template: timed, expectedVersion: 0),
                EditTemplate(
                    template: "Timed", expectedVersion: 0,
                    edit: .addTask(PlaceTask(task: task, section: "s1"))),
                ReadTemplate(template: "Opening", version: 1), ListTemplates(),
                ChangeSettings(settings: settings), ReadSettings(site: site),
                StartShift(site: site, dayPart: 1),
                ReadShift(shift: shift), ReadOperations(shift: shift, after: 1, limit: 1),
                ReadOperations(shift: shift, limit: 1, device: "x", deviceHead: 1),
                FindShifts(site: site, before: 1, limit: 1),
                ReadArchive(site: site, after: 1, limit: 1), ReadArchiveHead(site: site),
                ReadStatistics(site: site, by: .week), ListRememberedTodos(site: site),
                ReportEquipment(site: site, name: "Grill", text: "Cold"),
                ListEquipment(site: site), FindSpareParts(site: site),
                PutSparePart(part: SparePart(site: site, name: "Belt", count: 1)),
                ListStandingTodos(site: site), KeepPhoto(shift: shift, file: [0xFF]),
                ReadPhoto(shift: shift, checksum: [1]), ListPhotos(shift: shift),
                ChangeStandingTodo(
                    site: site,
                    change: .add(
                        AddTodo(title: "Ice", area: "kitchen", priority: "immediate", due: 1))),
                Replay(epoch: 1, after: 1, limit: 1),
            ]
        }

        @Test func `no number in a message about shifts stops the service`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            var devices = 0
            let operations: [any ProtobufMessage] = Self.changes(list).map {
                Device("x", in: shift.id).sent($0)
            }
            var ids = MessageID.Generator()

            let wrong = try restaurant.client.answersToExtremes(
                of: try Self.messages(restaurant, shift.id) + operations,
                from: { restaurant.service },
                prepare: { message in
                    // Each comes from a different device, as its first.
                    guard var record = message as? RecordOperations else { return message }
                    devices += 1
                    record.operations[0].device = "device \(devices)"
                    record.operations[0].id = ids.next(at: WallClock.milliseconds()).bytes
                    return record
                })

            #expect(wrong == [])
            try restaurant.restart()
            _ = try restaurant.ask(ReadShift(shift: shift.id), for: ShiftSnapshot.self)
            let ended = try restaurant.ask(
                EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            #expect(ended.ended > 0)
            _ = try restaurant.ask(
                ReadStatistics(site: restaurant.site, by: .month), for: Statistics.self)
            try restaurant.restart()
            #expect(restaurant.service.isRunning)
        }
    }
}

extension Device {
    fileprivate func sent(_ change: ShiftOperation.Change) -> RecordOperations {
        record([make(change)])
    }
}
