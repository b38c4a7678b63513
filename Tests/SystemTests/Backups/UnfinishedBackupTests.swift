import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Backups that end before they are complete.
@Suite(.serialized, .waiting) struct UnfinishedBackupTests {
    private let system: System

    init() throws { system = try System() }

    private func start() throws -> [Program] {
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: system.path(name))
    }

    @Test func `Ctrl-C and SIGTERM end a backup also while it fetches a copy`() throws {
        for program in try start() { program.kill() }
        // So large that it is still being fetched when its service is stopped.
        try system.edit(
            .notifier,
            """
            CREATE TABLE ballast (bytes BLOB NOT NULL);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO ballast SELECT zeroblob(1000000) FROM n;
            """)
        let programs = try start()
        let notifier = try #require(programs.first { $0.name == "notifier" })

        for (signal, goesOn) in [(SIGINT, false), (SIGTERM, true)] {
            let backup = try system.spawn(tool: "steward", ["backup", system.path("backup")])
            try eventually("the copy is being fetched") {
                isThere("backup.part/notifier/notifier.sqlite")
            }
            notifier.signal(SIGSTOP)
            backup.signal(signal)
            if goesOn { notifier.signal(SIGCONT) }

            // An answer would be awaited for a minute.
            #expect(try backup.waitForEnd(within: .seconds(30)) == .exited(130))
            #expect(backup.err.contains("the backup was stopped"))
            #expect(!isThere("backup") && !isThere("backup.part"))
            notifier.signal(SIGCONT)
        }
        // The copies contain everyone's password hashes.
        for service in ServiceName.allCases {
            try eventually("\(service) has deleted its copy") {
                !isThere("data/\(service.rawValue).backup")
            }
        }
    }

    @Test func `a backup deletes what another left, and no folder of someone else`() throws {
        let programs = try start()
        let manager = FileManager.default
        try system.makeFolder("backup.part/notifier")
        try Data([1]).write(to: URL(filePath: system.path("backup.part/manifest.json")))
        let diary = system.path("backup.part/diary.txt")
        try Data("dear diary".utf8).write(to: URL(filePath: diary))

        let refused = try system.run("steward", "backup", system.path("backup"))

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("backup.part already exists"))
        #expect(manager.contents(atPath: diary) == Data("dear diary".utf8))
        #expect(!isThere("backup"))

        try manager.removeItem(atPath: diary)
        let made = try system.run("steward", "backup", system.path("backup"))
        #expect(made.end == .exited(0), "\(made.err)")
        #expect(isThere("backup/SHA256SUMS") && !isThere("backup.part"))

        // A file, and a folder that is only linked.
        try Data([1]).write(to: URL(filePath: system.path("other.part")))
        try system.makeFolder("elsewhere/notifier")
        try manager.createSymbolicLink(
            atPath: system.path("third.part"), withDestinationPath: system.path("elsewhere"))
        for name in ["other", "third"] {
            let refused = try system.run("steward", "backup", system.path(name))
            #expect(refused.end == .exited(1), "\(refused.err)")
            #expect(isThere(name + ".part"))
        }
        withExtendedLifetime(programs) {}
    }
}
