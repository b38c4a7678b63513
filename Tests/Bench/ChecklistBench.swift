import Bus
import Foundation
import Messages

/// Shifts as a restaurant runs them: 150 tasks, three shifts a day, for 400 days; and how soon
/// overdue tasks are escalated.
enum ChecklistBench {
    static let tasks = 150
    static let shifts = 1200

    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let accounts = try Child(ServiceName.account.rawValue, scratch)
        let service = try Child(ServiceName.checklist.rawValue, scratch)
        let place = try Workplace(scratch)
        let site = try place.makeSite("Harbour")
        let list = try place.keepList("Opening", .preShift, tasks: tasks)
        try year(place, site, list, &figures)
        try ticks(place, site, list, &figures)
        try search(place, site, &figures)
        try statistics(place, site, &figures)
        try escalation(place, scratch, &figures)
        accounts.stop()
        service.stop()
    }

    /// Begins and ends shifts, each with every task marked; some are not ok, and have notes.
    private static func year(
        _ place: Workplace, _ site: String, _ list: String, _ figures: inout Figures
    ) throws {
        var starts = Samples()
        var records = Samples()
        var ends = Samples()
        for number in 0..<shifts {
            var shift = ""
            starts.add(try time { shift = try place.start(site) })
            let device = BenchDevice("phone", shift)
            let marks = (1...tasks).map { task in
                device.make(
                    .mark(
                        MarkTask(
                            list: list, task: "t\(task)",
                            finding: (task * 7 + number).isMultiple(of: 23) ? .notOk : .ok)))
            }
            let words = ["fryer", "gasket", "drain", "freezer", "cellar", "window", "grill"]
            let notes = (0..<12).map { index in
                let word = words[(index + number) % words.count]
                return device.make(
                    .note(
                        NoteTask(
                            list: list, task: "t\(1 + (index * 11 + number) % tasks)",
                            text: "\(word) number \(number % 97) was cleaned, needs a look")))
            }
            let all = marks + notes
            records.add(try time { try place.record(all) })
            ends.add(
                try time {
                    _ = try place.client.ask(
                        EndShift(shift: shift, despiteOpen: true), for: Shift.self)
                })
        }
        let figure = { (samples: Samples) in samples.percentile(0.5) / 1000 }
        figures.add("start of a shift with 150 tasks, p50", figure(starts), "ms", goal: .atMost(20))
        figures.add("162 operations of a device at once, p50", figure(records), "ms")
        figures.add("end of a shift with 150 tasks, p50", figure(ends), "ms")
    }

    /// One mark after the other, each durable before it is answered, in a shift that fills up.
    private static func ticks(
        _ place: Workplace, _ site: String, _ list: String, _ figures: inout Figures
    ) throws {
        let shift = try place.start(site)
        let device = BenchDevice("phone", shift)
        var samples = Samples()
        for number in 0..<600 {
            let mark = device.make(
                .mark(MarkTask(list: list, task: "t\(1 + number % tasks)", finding: .ok)))
            samples.add(try time { try place.record([mark]) })
        }
        _ = try place.client.ask(EndShift(shift: shift, despiteOpen: true), for: Shift.self)
        figures.add("tick, durable, p50", samples.percentile(0.5) / 1000, "ms", goal: .atMost(10))
        figures.add("tick, durable, p99", samples.percentile(0.99) / 1000, "ms")
    }

    private static func search(
        _ place: Workplace, _ site: String, _ figures: inout Figures
    ) throws {
        var samples = Samples()
        let texts = ["fryer number 13", "gasket", "task 17", "drain 96", "window cleaned", "needs"]
        for number in 0..<300 {
            let query = FindShifts(
                site: site, text: number.isMultiple(of: 7) ? "" : texts[number % texts.count])
            samples.add(try time { _ = try place.client.ask(query, for: FoundShifts.self) })
        }
        figures.add(
            "search in 1,200 shifts, p95", samples.percentile(0.95) / 1000, "ms",
            goal: .atMost(50))
    }

    private static func statistics(
        _ place: Workplace, _ site: String, _ figures: inout Figures
    ) throws {
        for by in [Gathering.manager, .week, .task] {
            var samples = Samples()
            for _ in 0..<20 {
                samples.add(
                    try time {
                        _ = try place.client.ask(
                            ReadStatistics(site: site, by: by), for: Statistics.self)
                    })
            }
            figures.add(
                "statistics of 1,200 shifts by \(by), p95", samples.percentile(0.95) / 1000, "ms",
                goal: .atMost(200))
        }
    }

    /// Forty sites have ten tasks each that become overdue at the same moment, with no grace
    /// period. The superiors of a site get one alert about its ten.
    private static func escalation(
        _ place: Workplace, _ scratch: Scratch, _ figures: inout Figures
    ) throws {
        let (sites, perSite) = (40, 10)
        let minute = WallClock.milliseconds() / 60_000 + 2
        _ = try place.keepList(
            "Rush", .during, tasks: perSite, carryOut: UInt32(minute % 1440))
        let events = try scratch.connection().connect(
            .subscriber, to: .checklist, .events, subscribing: [AlertRaised.topic])
        for number in 0..<sites {
            let site = try place.makeSite("Site \(number)")
            var settings = try place.client.ask(ReadSettings(site: site), for: SiteSettings.self)
            (settings.grace, settings.escalateAfter) = (0, 0)
            _ = try place.client.ask(ChangeSettings(settings: settings), for: SiteSettings.self)
            _ = try place.start(site)
        }
        guard WallClock.milliseconds() < minute * 60_000 else {
            throw ConfigurationError("the sites were not ready in time")
        }
        var samples = Samples()
        var count = 0
        let end = ContinuousClock.now + .seconds(180)
        while count < sites {
            guard ContinuousClock.now < end else {
                throw ConfigurationError("only \(count) sites were told above")
            }
            guard let frames = try events.receive() else {
                usleep(200)
                continue
            }
            let alert = try AlertRaised(unpacking: Envelope(unpacking: frames[1].bytes).data)
            guard alert.kind == "checklist.escalated", alert.key.contains("/tasks/") else {
                continue
            }
            count += 1
            samples.add(.milliseconds(WallClock.milliseconds() - minute * 60_000))
        }
        figures.add(
            "overdue to told above, 400 tasks at once, p99", samples.percentile(0.99) / 1000, "ms",
            goal: .atMost(1000))
    }
}

/// The services as a manager's program uses them.
private final class Workplace {
    let client: Client
    private let accounts: Client

    init(_ scratch: Scratch) throws {
        client = try Client(scratch.connection(), to: .checklist, isPatient: true)
        accounts = try Client(scratch.connection(), to: .account, isPatient: true)
    }

    func makeSite(_ name: String) throws -> String {
        let organisation = try accounts.ask(
            CreateSite(name: name, timeZone: "Etc/UTC"), for: Organisation.self)
        guard let id = organisation.sites.first(where: { $0.name == name })?.id else {
            throw ConfigurationError("there is no site \(name)")
        }
        while true {
            do {
                _ = try client.ask(ReadSettings(site: id), for: SiteSettings.self)
                return id
            } catch ClientError.refused { usleep(1000) }
        }
    }

    func keepList(
        _ name: String, _ kind: ListKind, tasks: Int, carryOut: UInt32? = nil
    ) throws -> String {
        let sections = (0..<max(1, tasks / 10)).map { section in
            ChecklistSection(
                id: "s\(section)", name: "Section \(section)",
                tasks: (1...10).map { number in
                    ChecklistTask(
                        id: "t\(section * 10 + number)", title: "Task \(section * 10 + number)",
                        area: "kitchen", priority: "immediate", carryOut: carryOut,
                        timeCritical: carryOut != nil)
                })
        }
        return try client.ask(
            PutTemplate(template: ChecklistTemplate(name: name, kind: kind, sections: sections)),
            for: ChecklistTemplate.self
        ).id
    }

    func start(_ site: String) throws -> String {
        try client.ask(StartShift(site: site, dayPart: 1), for: ShiftSnapshot.self).shift?.id ?? ""
    }

    func record(_ operations: [ShiftOperation]) throws {
        let reply = try client.ask(
            RecordOperations(operations: operations), for: OperationsRecorded.self)
        guard reply.outcomes.allSatisfy({ $0.kind == .takenIn }) else {
            throw ConfigurationError("an operation was refused: \(reply.outcomes)")
        }
    }
}

/// A device that numbers its operations.
private final class BenchDevice {
    private let name, shift: String
    private var made: UInt64 = 0
    private var ids = MessageID.Generator()

    init(_ name: String, _ shift: String) { (self.name, self.shift) = (name, shift) }

    func make(_ change: ShiftOperation.Change) -> ShiftOperation {
        made += 1
        let now = WallClock.milliseconds()
        return ShiftOperation(
            id: ids.next(at: now).bytes, shift: shift, device: name, deviceSequence: made,
            deviceTime: now, change: change)
    }
}
