import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests the units of systemd with the programs that they start.
@Suite(.serialized, .waiting) struct SystemCallTests {
    private let system: System

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    init() throws { system = try System() }

    /// The command that runs a program under the system calls that a unit allows.
    private static func confined(by unit: String) -> [String] {
        let units = folder.appending(path: "../../../deploy/systemd").standardized
        return [
            "/usr/bin/python3", folder.appending(path: "confined.py").path,
            units.appending(path: unit).path,
        ]
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func `services need no system call that their unit refuses`() throws {
        let services = try ServiceName.allCases.map {
            try system.launch($0.rawValue, through: Self.confined(by: "steward@.service"))
        }
        for service in services { try service.waitUntilReady() }
        let status = try system.run("steward", "status")

        #expect(status.end == .exited(0), "\(status.err)\(services.map(\.err))")
        // Work that takes long needs further calls.
        for words in [["transit", "import", Town.feed], ["backup", system.path("backup")]] {
            let done = try system.spawn(tool: "steward", words)
            let end = try done.waitForEnd()
            #expect(end == .exited(0), "\(done.err)\(services.map(\.err))")
        }
        #expect(services.filter { !$0.isRunning }.isEmpty)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func `a backup needs no system call that its unit refuses`() throws {
        let services = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for service in services { try service.waitUntilReady() }

        let backup = try system.spawn(
            Self.confined(by: "steward-backup.service") + [
                "\(System.executables)/steward", "backup", "--keep", "2", system.path("backups"),
            ], environment: system.environment())

        #expect(try backup.waitForEnd() == .exited(0), "\(backup.err)")
        withExtendedLifetime(services) {}
    }
}
