import Foundation
import TestSupport
import Workday

/// Long days: people work with all services while the clock runs fast, jumps, and skips weeks in
/// which nobody works. In the first half services are also killed, the disk fills up, and backups
/// are restored; in the second half no process ends, which shows what each needs in the long run.
struct Soak {
    /// How much faster than the real clock this one runs.
    static let speed = 50.0
    /// How long a person waits between two commands.
    static let pause: Duration = .milliseconds(200)
    /// How often the clock skips weeks, and by how many seconds. In an hour it passes two years,
    /// the longest time for which anything is kept.
    static let leap = (interval: Duration.seconds(75), seconds: 20 * 24 * 3600)
    /// The size of the stores' disk, in bytes.
    private static let diskSize = 2 << 30
    /// The free space that is left when the disk is filled, in bytes.
    private static let leftFree = 64 << 10
    /// The exit code of a service that can't write.
    private static let storageFailed: Int32 = 74

    /// Events that happen now and then.
    private enum Event: CaseIterable {
        case sample, jump, leap, kill, restore, fullDisk

        var interval: Duration {
            switch self {
            case .sample: .seconds(5)
            case .jump: .seconds(110)
            case .leap: Soak.leap.interval
            case .kill: .seconds(13)
            case .restore: .seconds(230)
            case .fullDisk: .seconds(170)
            }
        }

        /// True for events that end processes.
        var isHard: Bool {
            switch self {
            case .sample, .jump, .leap: false
            case .kill, .restore, .fullDisk: true
            }
        }
    }

    private let clock: FastClock
    private let disk: SmallDisk?
    private let workday: Workday
    private var sampler: Sampler
    private var seed: Seed
    private var counts: [Event: Int] = [:]

    init(to path: String, _ seed: Seed) throws {
        self.seed = seed
        let system = try System()
        let clock = try FastClock(at: system.path("clock"), speed: Self.speed)
        self.clock = clock
        disk = try SmallDisk(at: system.path("data"), bytes: Self.diskSize)
        var settings = Workday.Settings()
        settings.environment = clock.environment
        settings.clock = { clock.now }
        settings.pause = Self.pause
        workday = try Workday(in: system, settings, seed: seed)
        sampler = try Sampler(to: path)
    }

    /// Runs for a while and returns problems, in sentences.
    mutating func run(for time: Duration) throws -> [String] {
        let (start, end) = (ContinuousClock.now, ContinuousClock.now + time)
        var next: [Event: ContinuousClock.Instant] = [:]
        for event in Event.allCases { next[event] = start + event.interval }
        while ContinuousClock.now < end {
            try clock.advance()
            try workday.work(for: .milliseconds(100))
            let isCalm = ContinuousClock.now > start + time / 2
            for event in Event.allCases where !(event.isHard && isCalm) {
                guard let due = next[event], ContinuousClock.now >= due else { continue }
                try happen(event)
                counts[event, default: 0] += 1
                next[event] = ContinuousClock.now + event.interval
            }
            try workday.startEnded()
        }
        try rest()
        try workday.inspect()
        let happened = Event.allCases.map { "\($0) \(counts[$0, default: 0])" }
        print(
            "\(workday.answered) commands answered, "
                + "\(workday.kills.values.reduce(0, +)) processes killed; "
                + happened.joined(separator: ", "))
        return sampler.complaints()
    }

    private mutating func happen(_ event: Event) throws {
        switch event {
        case .sample: try sampler.take(workday)
        // Back by no more than an id may be ahead.
        case .jump: try clock.jump(seed.pick([3600, 7200, -300, -600]))
        case .leap: try leap()
        case .kill: workday.kill(seed.pick(workday.running.map(\.name)))
        case .restore: try putBack()
        case .fullDisk: try fillDisk()
        }
        guard event != .sample, event != .kill else { return }
        print("\(event) \(counts[event, default: 0] + 1): \(workday.answered) commands answered")
        fflush(nil)
    }

    /// Skips weeks in which nobody works, and then a day, after which the skipped time counts for
    /// deleting old data: the clock goes on in steps of less than six hours, each seen by all
    /// services.
    private func leap() throws {
        try rest()
        try workday.inspect()
        try clock.jump(Self.leap.seconds)
        for _ in 0..<5 {
            let end = ContinuousClock.now + .seconds(2)
            while ContinuousClock.now < end {
                try clock.advance()
                try workday.work(for: .milliseconds(100))
            }
            try rest()
            try clock.jump(5 * 3600)
        }
    }

    /// Makes a backup while people pause, kills everything, and restores the backup.
    private mutating func putBack() throws {
        try rest()
        try workday.inspect()
        let copy = workday.system.path("backup")
        try workday.steward("backup", copy)
        for (name, _) in workday.running { workday.kill(name) }
        try workday.steward("restore", copy)
        try FileManager.default.removeItem(atPath: copy)
        try workday.startEnded()
        try workday.inspect()
    }

    /// Lets everyone finish what is under way, while the clock runs on.
    private func rest() throws {
        try clock.advance()
        try workday.rest()
        try clock.advance()
    }

    /// Leaves next to nothing free for some seconds.
    private mutating func fillDisk() throws {
        guard let disk else { return }
        // On a busy machine, a service that couldn't write may need a while to end.
        workday.excused = (Self.storageFailed, .now + .seconds(60))
        try disk.fill(leaving: Self.leftFree)
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end {
            try clock.advance()
            try workday.work(for: .milliseconds(200))
            try workday.startEnded()
        }
        try disk.enlarge(to: Self.diskSize)
        try workday.startEnded()
    }
}
