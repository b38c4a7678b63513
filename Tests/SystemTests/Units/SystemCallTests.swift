import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests the units of systemd with the programs that they start.
@Suite(.serialized, .waiting) struct SystemCallTests {
    private let system: System

    init() throws { system = try System() }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func `services need no system call that their unit refuses`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let unit = folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/systemd/steward@.service")

        let services = try ServiceName.allCases.map {
            try system.launch(
                $0.rawValue,
                through: [
                    "/usr/bin/python3", folder.appending(path: "confined.py").path, unit.path,
                ])
        }
        for service in services { try service.waitUntilReady() }
        let status = try system.run("steward", "status")

        #expect(status.end == .exited(0), "\(status.err)\(services.map(\.err))")
        #expect(services.filter { !$0.isRunning }.isEmpty)
    }
}
