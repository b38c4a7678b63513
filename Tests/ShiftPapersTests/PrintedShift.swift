import Messages
import ShiftLog
import TemplateFile

/// A shift to print, built operation by operation.
struct PrintedShift {
    private(set) var state: ShiftState
    private var count: UInt16 = 0

    /// 2026-03-14, 09:00 in Oslo.
    static let started: Int64 = 1_773_475_200_000

    /// A shift that has begun; each list has its name as its id.
    init(_ lists: [ChecklistTemplate], language: String = "en", site: String = "Harbour") throws {
        var settings = SiteSettings.standard(for: "site")
        settings.language = language
        settings.currency = "NOK"
        let shift = Shift(
            id: "shift", site: "site", siteName: site, managerName: "Åse Ødegård", dayPart: 1,
            date: "2026-03-14", timeZone: "Europe/Oslo", started: Self.started,
            settings: settings.packed(), firstTravelPath: Self.started + 75 * 60_000)
        state = try ShiftState(shift: shift, lists: lists)
    }

    /// Adds an operation this many minutes after the beginning.
    mutating func add(_ minutes: Int64, _ change: ShiftOperation.Change, by name: String = "Åse") {
        count += 1
        let time = Self.started + minutes * 60_000
        let id = [UInt8](repeating: 0, count: 14) + [UInt8(count >> 8), UInt8(count & 0xFF)]
        state.apply(
            ShiftOperation(
                id: id, shift: "shift", device: "tablet", deviceSequence: UInt64(count),
                deviceTime: time, seen: UInt64(count) - 1, actor: name, actorName: name,
                sequence: UInt64(count), time: time, change: change))
    }

    /// The shipped restaurant's long list with some findings, two travel paths and sales.
    static func restaurant(language: String) throws -> PrintedShift {
        let lists = try ["pre-shift-day", "travel-path"].compactMap { id in
            try ShippedTemplate.restaurant.first { $0.id == id }.map {
                var list = try ChecklistTemplate(yaml: $0.yaml)
                (list.id, list.version) = (id, 3)
                return list
            }
        }
        var shift = try PrintedShift(lists, language: language)
        let list = "pre-shift-day"
        let leaves = shift.state.lists.tasks.filter { $0.isLeaf && $0.key.list == list }
        for (index, task) in leaves.prefix(120).enumerated() {
            let finding: Finding = index % 6 == 4 ? .notOk : .ok
            let reason = index % 41 == 40 ? "Closed for the winter" : ""
            shift.add(
                Int64(2 + index / 8),
                .mark(
                    MarkTask(
                        list: list, task: task.key.task,
                        finding: reason.isEmpty ? finding : .unspecified, notApplicable: reason)))
            guard index % 18 == 4 else { continue }
            shift.add(
                Int64(2 + index / 8),
                .note(NoteTask(list: list, task: task.key.task, text: "Ring 22 33 44 – Jørgen vet"))
            )
        }
        let todos = shift.state.todos
        for todo in todos.prefix(3) {
            shift.add(60, .markTodo(MarkTodo(todo: todo.id, mark: .done)), by: "Siv")
        }
        shift.add(
            61,
            .addTodo(
                AddTodo(
                    title: "Bytt pære over kasse 2", section: "", area: "kitchen",
                    priority: "during-shift")))
        shift.add(78, .logTravelPath(LogTravelPath(text: "Alt i orden")), by: "Siv")
        shift.add(80, .figure(EnterFigure(hour: 10, kind: .salesPlanned, value: 1_234_550)))
        shift.add(80, .figure(EnterFigure(hour: 10, kind: .salesActual, value: 1_198_000)))
        shift.add(80, .figure(EnterFigure(hour: 10, kind: .crewPlanned, value: 450)))
        shift.add(
            80,
            .figure(
                EnterFigure(
                    hour: 10, kind: .service, name: "seconds per order", value: 87_500)))
        return shift
    }

    /// A list with one section of kitchen tasks, all not ok.
    static func busy(_ tasks: [(title: String, note: String)]) throws -> PrintedShift {
        let list = ChecklistTemplate(
            id: "list", name: "List", kind: .preShift,
            sections: [
                ChecklistSection(
                    id: "section", name: "Section",
                    tasks: tasks.enumerated().map { index, task in
                        ChecklistTask(
                            id: "t\(index)", title: task.title, area: "kitchen",
                            priority: index % 2 == 0 ? "immediate" : "before-rush")
                    })
            ], version: 1)
        var shift = try PrintedShift([list])
        for (index, task) in tasks.enumerated() {
            shift.add(
                Int64(index), .mark(MarkTask(list: "list", task: "t\(index)", finding: .notOk)))
            guard !task.note.isEmpty else { continue }
            shift.add(
                Int64(index), .note(NoteTask(list: "list", task: "t\(index)", text: task.note)))
        }
        return shift
    }
}
