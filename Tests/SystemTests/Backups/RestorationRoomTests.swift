import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Restorations on machines that have little room.
@Suite(.serialized, .waiting) struct RestorationRoomTests {
    private let system: System

    init() throws { system = try System() }

    private func start() throws -> [Program] {
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }

    private static let lack: Comment = "a full disk needs the right to mount one"

    @Test(.enabled(if: SmallDisk.isAllowed, lack))
    func `a large store is separated without room outside its own directory`() throws {
        for program in try start() { program.kill() }
        let organisation = try #require(
            try system.query(.account, "SELECT organisation FROM account").first?.first)
        // More than SQLite keeps in memory while it writes the store anew.
        try system.edit(.account, "UPDATE account SET password = hex(randomblob(4000000))")
        let programs = try start()
        let made = try system.run("steward", "backup", system.path("backup"))
        #expect(made.end == .exited(0), "\(made.err)")
        for program in programs { program.kill() }

        let restore = try system.spawn(
            [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                "mount -t tmpfs -o size=4k tmpfs /var/tmp && exec \"$@\"", "sh",
                "\(System.executables)/steward", "restore", system.path("backup"), "--service",
                "account-service", "--only", organisation,
            ], environment: system.environment())

        #expect(try restore.waitForEnd() == .exited(0), "\(restore.err)")
        let sizes = try system.query(.account, "SELECT max(length(password)) FROM account")
        #expect(sizes == [["8000000"]])
    }
}
