import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests the health check of a container, with a service that runs here.
@Suite(.serialized, .waiting) struct HealthTests {
    private let system: System
    private static let script =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/deploy/health"

    init() throws { system = try System() }

    @Test func `a start is noticed immediately, and a healthy service is asked rarely`() throws {
        #expect(try begin().waitForEnd() == .exited(1), "it is not running")
        let service = try system.start("notifier")

        // A busy service may answer too late, and a busy machine may take as long as a pause.
        let pause = Duration.seconds(Self.pause)
        var looks: [(end: Program.End, time: Duration)] = []
        try eventually("it is well twice, the first time without a pause") {
            let mark = system.path("well")
            if FileManager.default.fileExists(atPath: mark) {
                try FileManager.default.removeItem(atPath: mark)
            }
            looks = [try timedLook()]
            guard looks[0].end == .exited(0), looks[0].time < pause else { return false }
            looks.append(try timedLook())
            return looks[1].end == .exited(0)
        }
        #expect(looks[1].time > pause)
        service.kill()
        #expect(try timedLook().end == .exited(1))
        // From now on, no look has a pause.
        let failing = try shortestTime(under: pause) {
            let look = try timedLook()
            #expect(look.end == .exited(1))
            return look.time
        }
        #expect(failing < pause)
    }

    @Test func `one process looks many times at a healthy service, and ends with it`() throws {
        let service = try system.start("notifier")
        try eventually("one process has looked three times") {
            let looks = try timedLook(pause: 1, looks: 3)
            return looks.end == .exited(0) && looks.time > .seconds(3)
        }
        #expect(FileManager.default.fileExists(atPath: system.path("well")))

        let long = try begin(pause: 1, looks: 100_000)
        service.kill()

        #expect(try long.waitForEnd() == .exited(1))
        #expect(!FileManager.default.fileExists(atPath: system.path("well")))
    }

    @Test func `the next look begins at once after one that was killed before its time`() throws {
        let service = try system.start("notifier")
        try eventually("it is well") { try begin().waitForEnd() == .exited(0) }

        // Longer than it may take to notice the next condition.
        let paused = try begin(through: ["/usr/bin/setsid"], pause: 600, looks: 2)
        // The pause is a process of its own, and would outlive the one that is killed.
        defer { kill(-paused.pid, SIGKILL) }
        try eventually("it waits") {
            !FileManager.default.fileExists(atPath: system.path("well"))
        }
        paused.kill()

        // If it paused, it would not exit while this waits.
        try eventually("it is well again") {
            try begin(pause: 600, looks: 2).waitForEnd() == .exited(0)
        }
        withExtendedLifetime(service) {}
    }

    private func timedLook(
        pause: Int = Self.pause, looks: Int = 1
    ) throws -> (end: Program.End, time: Duration) {
        let start = ContinuousClock.now
        let end = try begin(pause: pause, looks: looks).waitForEnd()
        return (end, ContinuousClock.now - start)
    }

    private static let pause = 8

    private func begin(
        through wrapper: [String] = [], pause: Int = Self.pause, looks: Int = 1
    ) throws -> Program {
        let environment = system.environment(adding: [
            "HEALTH_MARK": system.path("well"), "HEALTH_PAUSE": "\(pause)",
            "HEALTH_LOOKS": "\(looks)", "PATH": "\(System.executables):/usr/bin:/bin",
        ])
        return try system.spawn(
            wrapper + ["/bin/sh", Self.script, "notifier"], environment: environment)
    }
}
