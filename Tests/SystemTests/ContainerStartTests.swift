import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests how a container begins a service.
@Suite(.waiting) struct ContainerStartTests {
    private let system: System
    private static let script =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/deploy/run"

    init() throws { system = try System() }

    @Test func `what somebody must mend first is said once, and tried again after a pause`() throws
    {
        try FileManager.default.createDirectory(
            atPath: system.path("data"), withIntermediateDirectories: true)
        try Data(String(repeating: "These are my holiday notes. ", count: 100).utf8)
            .write(to: URL(filePath: system.store(.notifier)))
        let start = ContinuousClock.now

        let service = try begin(["\(System.executables)/notifier"], pause: 3)

        #expect(try service.waitForEnd() == .exited(65))
        #expect(ContinuousClock.now - start > .seconds(3))
        #expect(service.err.components(separatedBy: "event=stopped").count == 2, "\(service.err)")
    }

    @Test func `a service that crashed ends at once, so that it is started again`() throws {
        // If it paused, it would not exit while this waits.
        let service = try begin(["/bin/sh", "-c", "kill -9 $$"], pause: 100_000)

        #expect(try service.waitForEnd() == .exited(137))
    }

    private func begin(_ words: [String], pause: Int) throws -> Program {
        try system.spawn(
            ["/bin/sh", Self.script] + words,
            environment: system.environment(adding: ["RETRY_PAUSE": "\(pause)"]))
    }
}
