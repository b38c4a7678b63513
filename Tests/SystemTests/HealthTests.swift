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
        #expect(try look() == .exited(1), "it is not running")
        let service = try system.start("notifier")

        // A busy service may answer too late. The look after that begins without a pause.
        var looks: [(end: Program.End, time: Duration)] = []
        try eventually("it is well twice") {
            looks = [try timedLook()]
            guard looks[0].end == .exited(0) else { return false }
            looks.append(try timedLook())
            return looks[1].end == .exited(0)
        }
        let (first, second) = (looks[0], looks[1])
        service.kill()
        let third = try timedLook()
        let fourth = try timedLook()

        #expect([first, second, third, fourth].map(\.end) == [0, 0, 1, 1].map { .exited($0) })
        #expect(second.time > .seconds(Self.pause))
        #expect(first.time < second.time)
        #expect(fourth.time < second.time)
    }

    private func timedLook() throws -> (end: Program.End, time: Duration) {
        let start = ContinuousClock.now
        let end = try look()
        return (end, ContinuousClock.now - start)
    }

    private static let pause = 20

    private func look() throws -> Program.End {
        let environment = system.environment(adding: [
            "HEALTH_MARK": system.path("well"), "HEALTH_PAUSE": "\(Self.pause)",
            "PATH": "\(System.executables):/usr/bin:/bin",
        ])
        return try system.spawn(["/bin/sh", Self.script, "notifier"], environment: environment)
            .waitForEnd()
    }
}
