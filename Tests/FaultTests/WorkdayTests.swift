import Bus
import Foundation
import Messages
import Synchronization
import TestSupport
import Testing
import Workday

/// Several rounds of kills on one set of stores.
struct Shifts: Sendable, CustomTestStringConvertible {
    let rounds: Int
    let seed: Seed

    var testDescription: String { "\(rounds) rounds, \(seed)" }

    /// The rounds: as many as `ROUNDS` says, 20 by default, ten to a set of stores.
    static let all: [Shifts] = {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["ROUNDS"].flatMap { Int($0) } ?? 20
        let first = environment["SEED"].flatMap { UInt64($0) } ?? 1
        print("SEED=\(first) ROUNDS=\(rounds)")
        return stride(from: 0, to: rounds, by: 10).enumerated().map { number, begin in
            Shifts(rounds: min(10, rounds - begin), seed: Seed(first &+ UInt64(number)))
        }
    }()
}

extension Faults {
    /// All services with real commands, followers and devices, while they are killed at random
    /// moments.
    @Suite(.serialized) struct Workdays {
        /// The number of kills in a round, after which everything is compared: `KILLS`, or 20 by
        /// default.
        static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 20
        static let total = Mutex((kills: 0, answered: 0, journeys: 0))

        @Test(arguments: Shifts.all)
        func `nothing is lost and nothing happens twice, whichever service is killed`(
            shifts: Shifts
        ) throws {
            var seed = shifts.seed
            var settings = Workday.Settings()
            settings.changesShifts = false
            let workday = try Workday(in: System(), settings, seed: seed)
            let till = try Till(workday.system)
            for _ in 0..<shifts.rounds {
                for _ in 0..<Self.kills {
                    try workday.work(for: .milliseconds(seed.below(300)))
                    try till.turn(&seed)
                    workday.kill(seed.pick(ServiceName.allCases))
                    // Now and then, a second service is down at the same time.
                    if !seed.oneIn(4) { try workday.startEnded() }
                }
                try workday.rest()
                try till.rest()
                try workday.inspect()
                try till.inspect()
            }
            // Some are already dead when they would be killed again.
            let kills = workday.kills.values.reduce(0, +)
            #expect(kills > shifts.rounds * Self.kills / 4)
            Self.total.withLock { total in
                total.kills += kills + till.kills
                total.answered += workday.answered + till.kept
                total.journeys += workday.journeys
                print(
                    "\(shifts): \(workday.kills.sorted { $0.key.rawValue < $1.key.rawValue }), "
                        + "\(till.kills) of devices; in all \(total.kills) kills, "
                        + "\(total.answered) commands answered, \(total.journeys) journeys")
            }
        }
    }
}

/// A device that runs `steward todo add` again and again, and is killed now and then.
private final class Till {
    private let system: System
    private var program: Program?
    private var number = 0
    /// The titles that were acknowledged, and those whose command was killed first.
    private var done: Set<String> = []
    private var doubtful: Set<String> = []
    private(set) var kills = 0
    var kept: Int { done.count }

    init(_ system: System) throws {
        self.system = system
        // From here on, the device knows the shift and works without the service.
        try rest()
    }

    private var title: String { "Job \(number)" }

    private func begin(_ words: String...) throws -> Program {
        try system.makeFolder("till")
        return try system.spawn(
            ["\(System.executables)/steward"] + words,
            environment: system.environment(adding: ["HOME": system.path("till")]))
    }

    /// Begins the next command when the last one has ended; kills it now and then.
    func turn(_ seed: inout Seed) throws {
        if let program, program.isRunning {
            guard seed.oneIn(8) else { return }
            program.kill()
            kills += 1
        }
        try settle()
        number += 1
        program = try begin(
            "todo", "add", title, "--site", "Harbour", "--area", "kitchen", "--priority",
            "immediate")
    }

    /// Records the outcome of the command.
    private func settle() throws {
        guard let ended = program else { return }
        switch try ended.waitForEnd() {
        case .exited(0): done.insert(title)
        case .killed(SIGKILL): doubtful.insert(title)
        case let end: throw Complaint("steward todo add ended with \(end): \(ended.lastWords)")
        }
        program = nil
    }

    /// Waits until the device has sent everything.
    func rest() throws {
        try settle()
        try eventually("the device has sent all", within: .seconds(300)) {
            let list = try begin("todo", "list", "--site", "Harbour")
            let end = try list.waitForEnd()
            return end == .exited(0) && !list.err.contains("wait")
        }
    }

    /// Expects each acknowledged to-do in the log once, and each killed one at most once.
    func inspect() throws {
        let shifts = try system.published(by: .checklist)
            .filter { $0.type == ShiftAdvanced.protobufName }
            .flatMap { try ShiftAdvanced(unpacking: $0.data).operations }
        let titles = shifts.compactMap { operation -> String? in
            guard case .addTodo(let todo)? = operation.change else { return nil }
            return todo.title
        }
        #expect(!done.isEmpty)
        #expect(Set(titles).count == titles.count, "a to-do was added twice")
        #expect(done.isSubset(of: titles), "a to-do was lost")
        #expect(Set(titles).isSubset(of: done.union(doubtful)))
    }
}
