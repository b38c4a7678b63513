import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Restorations that end when some stores have been replaced and others have not.
@Suite(.serialized, .waiting) struct HalfRestorationTests {
    private let system: System

    init() throws { system = try System() }

    private func start() throws -> [Program] {
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }

    @Test func `no service that has not been restored starts beside one that has`() throws {
        let programs = try start()
        let made = try system.run("steward", "backup", system.path("backup"))
        #expect(made.end == .exited(0), "\(made.err)")
        for program in programs { program.kill() }
        // The last store can't be replaced, as if the restoration had been killed before.
        let last = try #require(ServiceName.allCases.last).rawValue
        let obstacle = system.path("data/\(last).restoring")
        try FileManager.default.createDirectory(
            atPath: obstacle, withIntermediateDirectories: false)

        let half = try system.run("steward", "restore", system.path("backup"))
        try FileManager.default.removeItem(atPath: obstacle)

        #expect(half.end == .exited(1), "\(half.err)")
        #expect(half.err.contains("no service starts that has not been restored"))
        let waiting = try system.launch(last)
        #expect(try waiting.waitForEnd() == .exited(65))
        #expect(waiting.err.contains("a restoration of \(last) was interrupted"))

        let whole = try system.run("steward", "restore", system.path("backup"))
        #expect(whole.end == .exited(0), "\(whole.err)")
        let names = try FileManager.default.contentsOfDirectory(atPath: system.path("data"))
        #expect(names.filter { $0.hasSuffix(".announced") } == [])
        withExtendedLifetime(try start()) {}
    }

    @Test func `a service whose restoration is announced doesn't start, even after a kill`()
        throws
    {
        let programs = try start()
        let made = try system.run("steward", "backup", system.path("backup"))
        #expect(made.end == .exited(0), "\(made.err)")
        for program in programs { program.kill() }
        let announcing = try system.spawn(
            ["\(System.executables)/notifier", "--announce-restore", system.path("backup")],
            environment: system.environment())
        #expect(try announcing.waitForEnd() == .exited(0), "\(announcing.err)")

        let waiting = try system.launch("notifier")
        #expect(try waiting.waitForEnd() == .exited(65))
        #expect(waiting.err.contains("run steward restore again"))

        let restored = try system.run(
            "steward", "restore", system.path("backup"), "--service", "notifier")
        #expect(restored.end == .exited(0), "\(restored.err)")
        try system.launch("notifier").waitUntilReady()
    }
}
