import Bus
import Foundation
import TestSupport

/// The processes of a fault test, and the harm that it does to them.
///
///     clients ── network ── service
///                   └────── follower ── network ── a person's program (a thread of the test)
///
/// The service uses the folder `far`. The network stands in for it in `near`, which the follower
/// also uses. The person uses `home`, where another network stands in for the follower.
final class Crowd {
    enum Role: Hashable {
        case service
        case follower
        case client(Int)
        case network
        case homeNetwork
    }

    /// Counts of what was done, for the report.
    struct Tally {
        var kills: [String: Int] = [:]
        var pauses = 0
        var passed = 0, dropped = 0, doubled = 0, delayed = 0

        static func + (left: Tally, right: Tally) -> Tally {
            var sum = left
            sum.kills.merge(right.kills) { $0 + $1 }
            sum.pauses += right.pauses
            sum.passed += right.passed
            sum.dropped += right.dropped
            sum.doubled += right.doubled
            sum.delayed += right.delayed
            return sum
        }
    }

    let system: System
    let follower: String
    let alerts: Int
    private(set) var tally = Tally()
    private(set) var commands = 0
    private var seed: Seed
    private var rate = 0
    private var programs: [Role: Program] = [:]
    private var finished: Set<Role> = []
    private let clients: [Role] = [.client(0), .client(1)]

    /// Creates the folders of a fault test; no process runs yet.
    ///
    /// - Parameters:
    ///   - follower: the executable that follows the service.
    ///   - alerts: how many commands in a hundred raise alerts.
    ///   - seed: the seed of all random decisions.
    init(follower: String, alerts: Int, seed: Seed) throws {
        system = try System()
        (self.follower, self.alerts, self.seed) = (follower, alerts, seed)
        for folder in ["far", "near", "home"] { try system.makeFolder(folder) }
    }

    func journal(_ client: Int) -> String { system.path("client\(client).journal") }

    /// Begins a round in which every client is to send `count` more commands.
    func begin(commands count: Int, rate: Int) throws {
        commands += count
        self.rate = rate
        finished = []
        for role in [.network, .homeNetwork, .service, .follower] + clients { try start(role) }
    }

    /// Does harm for a while: kills and pauses processes at random moments and starts them again.
    func harm(for duration: Duration, meanwhile: () throws -> Void) throws {
        let end = ContinuousClock.now + duration
        var victims: [Role] = [.service, .service, .service, .follower, .follower]
        victims += clients + [.network]
        if follower == "notifier" { victims.append(.homeNetwork) }
        while ContinuousClock.now < end {
            let pause = ContinuousClock.now + .milliseconds(seed.below(120))
            while ContinuousClock.now < pause {
                try meanwhile()
                usleep(2000)
            }
            try restartEnded()
            let victim = seed.pick(victims)
            if seed.oneIn(6) {
                tally.pauses += 1
                programs[victim]?.signal(SIGSTOP)
                usleep(useconds_t(seed.below(60_000)))
                programs[victim]?.signal(SIGCONT)
            } else {
                kill(victim)
                if seed.oneIn(2) { try restartEnded() }
            }
        }
    }

    /// Ends the harm: everything runs, the network is faultless, and the clients finish.
    func calm(meanwhile: () throws -> Void) throws {
        rate = 0
        for role in [Role.network, .homeNetwork] { stop(role) }
        try eventually("the clients have all their answers") {
            try restartEnded()
            try meanwhile()
            return finished.isSuperset(of: clients)
        }
    }

    /// Kills everything, whatever its state.
    func stopAll() { for role in programs.keys { stop(role) } }

    private func restartEnded() throws {
        for role in [.network, .homeNetwork, .service, .follower] + clients
        where !finished.contains(role) && programs[role]?.isRunning != true {
            if case .client = role, let program = programs[role],
                case .exited(let status) = try program.waitForEnd()
            {
                guard status == 0 else { throw Complaint(program.lastWords) }
                finished.insert(role)
                continue
            }
            if let program = programs[role], case .exited = try program.waitForEnd() {
                throw Complaint("\(role) ended by itself: \(program.lastWords)")
            }
            try start(role)
        }
    }

    private func start(_ role: Role) throws {
        guard programs[role]?.isRunning != true else { return }
        switch role {
        case .service: programs[role] = try launch("toy-service", bus: "far")
        case .follower: programs[role] = try launch(follower, bus: "near")
        case .client(let number):
            programs[role] = try system.spawn(
                tool: "toy-client", bus: "near",
                [journal(number), "\(seed.next() >> 1)", "\(commands)", "20", "\(alerts)"])
        case .network:
            programs[role] = try network("transit-alert-service", near: "near", far: "far")
        case .homeNetwork:
            guard follower == "notifier" else { return }
            programs[role] = try network("notifier", near: "home", far: "near")
        }
    }

    private func launch(_ service: String, bus: String) throws -> Program {
        try system.launch(service, bus: bus, adding: ["STEWARD_LOG": "warning"])
    }

    private func network(_ service: String, near: String, far: String) throws -> Program {
        try system.spawn(
            tool: "toy-network",
            ["\(seed.next() >> 1)", "\(rate)", service, system.path(near), system.path(far)])
    }

    private func kill(_ role: Role) {
        guard programs[role]?.isRunning == true else { return }
        let name = if case .client = role { "client" } else { "\(role)" }
        tally.kills[name, default: 0] += 1
        stop(role)
    }

    private func stop(_ role: Role) {
        guard let program = programs.removeValue(forKey: role) else { return }
        program.kill()
        guard let line = program.err.split(separator: "\n").last(where: { $0.contains("counts") })
        else { return }
        let numbers = line.split(separator: " ").dropFirst().map { word in
            Int(word.drop { $0 != "=" }.dropFirst()) ?? 0
        }
        guard numbers.count == 4 else { return }
        tally.passed += numbers[0]
        tally.dropped += numbers[1]
        tally.doubled += numbers[2]
        tally.delayed += numbers[3]
    }
}
