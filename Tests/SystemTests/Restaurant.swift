import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// A restaurant with everything that its shifts need: the services, a clock that a test can set,
/// and people at the command line.
final class Restaurant: CommandLineUser {
    private(set) var checklist: Program
    private let others: [Program]
    private let clock: String

    /// Creates a restaurant in Berlin whose clock shows a local time of Saturday, 2026-11-21.
    init(at time: String = "09:00") throws {
        let system = try System()
        clock = system.path("clock")
        try "0".write(toFile: clock, atomically: true, encoding: .utf8)
        let environment = Self.environment(clock)
        others = [
            try system.launch("account-service", adding: environment),
            try system.launch("notifier", adding: environment),
        ]
        checklist = try system.launch("checklist-service", adding: environment)
        super.init(of: system, device: "till", adding: environment)
        try setClock(to: time)
        for program in others + [checklist] { try program.waitUntilReady() }
        try addSite("Harbour", zone: "Europe/Berlin")
        try run("template restaurant")
    }

    private static func environment(_ clock: String) -> [String: String] {
        ["LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock]
    }

    /// Sets the clock of all programs to a local time of 2026-11-21.
    func setClock(to time: String) throws {
        let wanted = try Date("2026-11-21T\(time):00+01:00", strategy: .iso8601)
        let seconds = Int(wanted.timeIntervalSince1970) - Int(realTime())
        try "\(seconds)".write(toFile: clock, atomically: true, encoding: .utf8)
    }

    private func realTime() -> Int { Int(WallClock.milliseconds() / 1000) }

    /// Starts the services that shifts don't need, for a backup of all.
    func startOthers() throws -> [Program] {
        let here: [ServiceName] = [.account, .notifier, .checklist]
        return try ServiceName.allCases.filter { !here.contains($0) }.map {
            let program = try system.launch($0.rawValue, adding: Self.environment(clock))
            try program.waitUntilReady()
            return program
        }
    }

    /// Kills checklist-service, as a power cut would.
    func killService() { checklist.kill() }

    /// Starts checklist-service again.
    func startService() throws {
        checklist = try system.launch("checklist-service", adding: Self.environment(clock))
        try checklist.waitUntilReady()
    }

    /// Signs a person up with a role at the restaurant, and logs them in on a device of the same
    /// name.
    func person(_ name: String, _ role: Role) throws {
        try signUp(name, role, at: "Harbour")
    }

    /// Returns the notices about travel paths that `alerts watch --json` has printed so far, in
    /// order.
    func notices(_ watch: Program) throws -> [AlertNotice] {
        try watch.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .flatMap { line in
                try JSONDecoder().decode([String: [AlertNotice]].self, from: Data(line.utf8))[
                    "notices", default: []]
            }
            .filter { $0.alert?.raised?.kind == "checklist.travelPath" }
    }

    /// Sets the clock to the time at which a travel path is due, and then a minute on for each
    /// repetition of its reminder.
    ///
    /// - Parameters:
    ///   - time: the local time at which the travel path is due.
    ///   - times: the number of repetitions.
    ///   - watch: `alerts watch --json`, which has printed nothing about travel paths before.
    func waitForTravelPath(at time: String, repeated times: Int, told watch: Program) throws {
        try setClock(to: time)
        var wanted: [AlertNotice.Reason] = [.raised]
        let hour = time.prefix(3)
        let minute = Int(time.suffix(2)) ?? 0
        for number in 0...times {
            if number > 0 {
                try setClock(to: hour + "\(minute + number)")
                wanted.append(.repeated)
            }
            try eventually("it was told \(wanted)") { try notices(watch).map(\.reason) == wanted }
        }
    }

    /// Waits until the reminder of a travel path is closed and the next one is raised, and expects
    /// no repetition in between, although there was time for many.
    func expectNoRepetition(until next: String, told watch: Program) throws {
        try eventually("it is closed") { try notices(watch).last?.reason == .closed }
        let before = try notices(watch).map(\.reason)
        // The notifier does what is due before it answers a later request.
        try setClock(to: next.prefix(3) + "\((Int(next.suffix(2)) ?? 0) - 15)")
        for _ in 1...3 { try run("alerts list") }
        try setClock(to: next)
        try eventually("the next one is told") { try notices(watch).last?.reason == .raised }
        #expect(try notices(watch).map(\.reason) == before + [.raised])
    }

    /// Walks a list to its end with one key for each task.
    ///
    /// - Parameter list: the name or number of the list.
    /// - Returns: the number of keys typed.
    @discardableResult
    func walk(_ list: String) throws -> Int {
        let count = try tasks(of: list).count
        let walk = try terminal("checklist walk '\(list)'")
        try walk.waitFor("0 of \(count)")
        try walk.type(String(repeating: " ", count: count))
        try walk.waitFor("Every task of this list was looked at.")
        try walk.type("q")
        #expect(try walk.waitForEnd() == 0)
        #expect(walk.isSane)
        return count
    }

    /// Returns the id of the newest shift that has ended.
    func endedShift() throws -> String {
        let shift = try rows("archive find").first?["shift"] as? [String: Any]
        guard let id = shift?["id"] as? String else { throw Complaint("no shift has ended") }
        return id
    }

    /// Returns the numbers of the tasks of a list that can be ticked, in order.
    func tasks(of list: String, device: String? = nil) throws -> [Int] {
        let all = try rows("checklist show '\(list)'", device: device)
        let text = try run("checklist show '\(list)'", device: device)
        let parents = Set(
            text.split(separator: "\n").compactMap { line -> Int? in
                let words = line.split(separator: " ")
                return words.count > 1 && words[1].hasPrefix("(") ? Int(words[0]) : nil
            })
        return all.compactMap { $0["number"] as? Int }.filter { !parents.contains($0) }
    }

    /// Returns the name of a task's section in a template; nil when the template lacks the task.
    func section(of task: String, in template: String) throws -> String? {
        let sections = try run("template export \(template)")
            .components(separatedBy: "  - section: ").dropFirst()
        let found = sections.filter { $0.contains("id: \(task)\n") }
        #expect(found.count <= 1)
        return found.first.map { String($0.prefix { $0 != "\n" }) }
    }

    /// Returns the tasks of a list as shown, with the keys by which their to-dos are sorted.
    func shownTasks(of list: String) throws -> [ShownTask] {
        let priorities = ["immediate", "before-rush", "during-shift", "next-shift"]
        var sections: [String] = []
        return try rows("checklist show \(list)").map { row in
            let section = try #require(row["section"] as? String)
            if sections.last != section { sections.append(section) }
            let priority = try #require(row["priority"] as? String)
            return ShownTask(
                number: try #require(row["number"] as? Int),
                title: try #require(row["title"] as? String),
                priority: try #require(priorities.firstIndex(of: priority)),
                section: sections.count)
        }
    }
}

/// A task as shown in a list; the priority and the section count from the most urgent and the
/// first.
struct ShownTask {
    let number: Int
    let title: String
    let priority: Int
    let section: Int

    var byTitle: (Int, String) { (priority, title) }
    var byNumber: (Int, Int) { (priority, number) }

    static func isBefore(_ first: ShownTask, _ second: ShownTask) -> Bool {
        guard (first.priority, first.section) == (second.priority, second.section) else {
            return (first.priority, first.section) < (second.priority, second.section)
        }
        return first.title.localizedCaseInsensitiveCompare(second.title) == .orderedAscending
    }
}
