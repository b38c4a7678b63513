import Bus
import Checksum
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Backups that can't be restored here: the sentence says whether the backup is at fault.
@Suite(.serialized, .waiting) struct RefusedBackupTests {
    private let system: System

    init() throws {
        system = try System()
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        let made = try system.run("steward", "backup", system.path("backup"))
        guard made.end == .exited(0) else { throw Complaint("there is no backup: \(made.err)") }
        for program in programs { program.kill() }
    }

    /// Changes the manifest of the backup.
    private func editManifest(_ change: (inout [Backup]) throws -> Void) throws {
        let manifest = URL(filePath: system.path("backup/manifest.json"))
        var backups = try JSONDecoder().decode([Backup].self, from: Data(contentsOf: manifest))
        try change(&backups)
        try JSONEncoder().encode(backups).write(to: manifest)
    }

    /// The newest epoch of a store, which a restoration changes.
    private func epoch(_ service: ServiceName) throws -> [[String]] {
        try system.query(service, "SELECT max(epoch) FROM epoch")
    }

    @Test func `a copy of a newer version is named as one`() throws {
        try system.edit(
            .notifier, data: "backup/notifier",
            "INSERT INTO grdb_migrations VALUES ('from the future')")
        try editManifest { backups in
            let place = try #require(backups.firstIndex { $0.service == "notifier" })
            let found = try Checksum.ofFile(system.store(.notifier, data: "backup/notifier"))
            backups[place].version = "9.9.9"
            backups[place].files[0].size = found.size
            backups[place].files[0].sha256 = found.sum
        }
        let before = try epoch(.account)

        let refused = try system.run("steward", "restore", system.path("backup"))

        #expect(refused.end == .exited(1))
        #expect(
            refused.err.contains("was made by version 9.9.9, which is newer than"),
            "\(refused.err)")
        #expect(refused.err.contains("nothing was changed"))
        #expect(!refused.err.contains("move the store away"))
        #expect(try epoch(.account) == before)
    }

    @Test func `a backup with a service that this version lacks is not restored in part`() throws {
        try editManifest { $0.append(Backup(service: "weather-service", version: "9.9.9")) }
        let before = try epoch(.account)

        let refused = try system.run("steward", "restore", system.path("backup"))

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("this version has no weather-service"), "\(refused.err)")
        #expect(refused.err.contains("restore it with version 9.9.9"))
        #expect(try epoch(.account) == before)
    }

    @Test func `services of which an old backup has no copy are named`() throws {
        try editManifest { backups in
            backups.removeAll { ["plan-service", "notifier"].contains($0.service) }
        }
        let before = try epoch(.plan)

        let restored = try system.run("steward", "restore", system.path("backup"))

        #expect(restored.end == .exited(0), "\(restored.err)")
        #expect(
            restored.err.contains(
                "the backup has nothing from notifier and plan-service; nothing was changed there"),
            "\(restored.err)")
        #expect(try epoch(.plan) == before)
    }

    private static let lack: Comment = "a full disk needs the right to mount one"

    @Test(.enabled(if: SmallDisk.isAllowed, lack))
    func `a backup is not called damaged because the disk is full`() throws {
        let copy = system.store(.notifier, data: "backup/notifier")
        let facts = try FileManager.default.attributesOfItem(atPath: copy)
        let size = try #require(facts[.size] as? Int)
        let disk = try #require(try SmallDisk(at: system.path("small"), bytes: size))
        var ends: Set<Program.End> = []

        // Sometimes there is no room for the copy, and sometimes none for what is changed in it.
        for pages in 0..<40 {
            try disk.enlarge(to: size + 4096 * (pages + 1))
            let check = try system.spawn(
                ["\(System.executables)/notifier", "--check-backup", system.path("backup")],
                environment: system.environment(data: "small"))
            ends.insert(try check.waitForEnd())
            #expect(!check.err.contains("damaged"), "\(check.err)")
        }

        let (good, full) = (Program.End.exited(0), Program.End.exited(74))
        #expect(ends.contains(full))
        #expect(ends.subtracting([good, full]).isEmpty, "\(ends)")
        withExtendedLifetime(disk) {}
    }
}
