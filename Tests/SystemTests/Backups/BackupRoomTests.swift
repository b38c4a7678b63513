import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Backups and restorations on machines that have little room.
@Suite(.serialized, .waiting) struct BackupRoomTests {
    private let system: System

    init() throws { system = try System() }

    private func start() throws -> [Program] {
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }

    private static let lack: Comment = "a full disk needs the right to mount one"

    @Test(.enabled(if: SmallDisk.isAllowed, lack))
    func `a backup stops before the disk of the stores is full, and ends no service`() throws {
        let disk = try #require(try SmallDisk(at: system.path("data"), bytes: 256 << 20))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: system.path("data"))
        for program in try start() { program.kill() }
        try system.edit(
            .notifier,
            """
            CREATE TABLE ballast (bytes BLOB NOT NULL);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO ballast SELECT zeroblob(10000) FROM n;
            """)
        let programs = try start()
        try disk.fill(leaving: 30 << 20)

        let refused = try system.run("steward", "backup", system.path("backup"))

        #expect(refused.end == .exited(1), "\(refused.err)")
        #expect(refused.err.contains("there is too little room beside"), "\(refused.err)")
        for program in programs { #expect(program.isRunning, "\(program.lastWords)") }
        for service in ServiceName.allCases {
            try eventually("\(service) has deleted its copy") {
                !FileManager.default.fileExists(
                    atPath: system.path("data/\(service.rawValue).backup"))
            }
        }
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: SmallDisk.isAllowed, lack))
    func `a backup that finds no room leaves nothing behind`() throws {
        let programs = try start()
        let disk = try #require(try SmallDisk(at: system.path("shelf"), bytes: 1 << 20))

        let refused = try system.run("steward", "backup", "--keep", "2", system.path("shelf"))

        #expect(refused.end != .exited(0))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: system.path("shelf")) == [],
            "\(refused.err)")
        withExtendedLifetime((programs, disk)) {}
    }

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
