import Bus
import Foundation
import Messages
import Synchronization
import TestSupport
import TestThreads
import Testing

/// Backs up the real services while someone works with them, and restores the backups.
@Suite(.serialized, .waiting) struct BackupTests {
    private let system: System
    private let services: [String]

    init() throws {
        system = try System()
        services = ServiceName.allCases.map(\.rawValue)
    }

    @Test func `a backup made under load is restored without loss or duplicates`() throws {
        var programs = try start()
        let worker = Worker(try system.connection())
        try eventually("some work is done") { worker.acknowledged.count > 20 }
        try eventually("the notifier has heard of it") {
            try !system.query(
                .notifier, "SELECT 1 FROM cursor WHERE producer = 'account-service'"
            ).isEmpty
        }
        let before = worker.acknowledged

        for number in 1...4 {
            let other = try system.run("steward", "backup", system.path("backup \(number)"))
            #expect(!other.err.contains("have seen more"), "\(other.err)")
            try expectFitting("backup \(number)")
        }
        let made = try system.run("steward", "backup", system.path("backup"))
        try expectFitting("backup")
        let during = worker.acknowledged
        try eventually("more work is done") { worker.acknowledged.count > during.count + 20 }
        worker.stop()
        #expect(made.end == .exited(0), "\(made.err)")
        for program in programs { program.kill() }
        programs = []
        let restored = try system.run("steward", "restore", system.path("backup"))
        #expect(restored.end == .exited(0), "\(restored.err)")
        programs = try start()

        let client = try system.client(of: .account)
        let known = try system.query(.account, "SELECT name FROM organisation")
            .map { $0[0] }.filter { $0.hasPrefix("work") }
        #expect(Set(known).count == known.count)
        #expect(Set(known).isSuperset(of: before))
        #expect(Set(known).isSubset(of: worker.acknowledged))
        #expect(known.count < worker.acknowledged.count)
        try expectFollowed(.account, by: .notifier)
        _ = try client.ask(CreateOrganisation(name: "work after"), for: Organisation.self)
        try expectFollowed(.account, by: .notifier)
        withExtendedLifetime(programs) {}
    }

    @Test func `copies of idle services are consistent, and leave nothing behind`() throws {
        var programs = try start()
        let heads = try eventualHeads()
        let made = try system.run("steward", "backup", system.path("backup"))
        #expect(made.end == .exited(0))
        #expect(!made.err.contains("have seen more"), "\(made.err)")
        #expect(try eventualHeads() == heads)
        // A service that starts would delete it too.
        for service in services {
            try eventually("\(service) has deleted its copy") {
                !FileManager.default.fileExists(atPath: system.path("data/\(service).backup"))
            }
        }
        for program in programs { program.kill() }
        try succeed("restore", system.path("backup"))
        programs = try start()

        for service in ServiceName.allCases {
            #expect(try system.query(service, "SELECT id FROM job") == [])
        }
        withExtendedLifetime(programs) {}
    }

    /// Returns the newest sequence of each service, once all services have caught up with each
    /// other.
    private func eventualHeads() throws -> [UInt64] {
        var heads: [UInt64] = []
        try eventually("everyone has followed") {
            let statuses = try ServiceName.allCases.map {
                try system.client(of: $0).ask(ReadStatus(), for: ServiceStatus.self)
            }
            heads = statuses.map(\.head)
            return statuses.allSatisfy { status in
                status.cursors.allSatisfy { $0.heard > 0 && $0.sequence == $0.head }
            }
        }
        return heads
    }

    @Test func `timetables are restored with their store`() throws {
        var programs = try start()
        let feed =
            #filePath.replacing("Tests/SystemTests/BackupTests.swift", with: "")
            + "deploy/demo/harbour-line"
        try succeed("transit", "import", feed)
        try succeed("backup", system.path("backup"))
        for program in programs { program.kill() }
        try FileManager.default.removeItem(atPath: system.path("data"))

        try succeed("restore", system.path("backup"))
        programs = try start()

        #expect(try succeed("transit", "stops", "gen", "hosp").contains("General Hospital"))
        withExtendedLifetime(programs) {}
    }

    @Test func `a store that is sent in many pieces comes back whole`() throws {
        var programs = try start()
        for program in programs { program.kill() }
        try system.edit(
            .notifier,
            """
            CREATE TABLE ballast (bytes BLOB NOT NULL);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO ballast SELECT randomblob(1000) FROM n;
            """)
        let ballast = "SELECT group_concat(hex(substr(bytes, 1, 4))) FROM ballast"
        let before = try system.query(.notifier, ballast)
        programs = try start()
        try succeed("backup", system.path("backup"))
        for program in programs { program.kill() }
        try system.edit(.notifier, "DELETE FROM ballast")

        try succeed("restore", system.path("backup"), "--service", "notifier")

        #expect(try system.query(.notifier, ballast) == before)
    }

    @Test func `a backup is restored from a folder that its user may not enter`() throws {
        let programs = try start()
        try succeed("backup", system.path("backup"))
        for program in programs { program.kill() }
        let folder = system.path("closed")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        // Root may enter every folder, unless it gives that up.
        let script = """
            cd '\(folder)'; chmod 600 .
            [ "$(id -u)" -ne 0 ] \\
                || set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"
            exec "$@"
            """

        let restore = try system.spawn(
            ["/bin/sh", "-euc", script, "sh", "\(System.executables)/steward", "restore"]
                + [system.path("backup")],
            environment: system.environment())

        #expect(try restore.waitForEnd() == .exited(0), "\(restore.err)")
    }

    @Test func `restoring over a running service is refused and changes nothing`() throws {
        let programs = try start()
        try succeed("backup", system.path("backup"))
        let epoch = try system.query(.notifier, "SELECT max(epoch) FROM epoch")

        let refused = try system.run("steward", "restore", system.path("backup"))

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("already runs on this store as process"))
        #expect(refused.err.contains("nothing was replaced"))
        #expect(try system.query(.notifier, "SELECT max(epoch) FROM epoch") == epoch)
        withExtendedLifetime(programs) {}
    }

    @Test func `a damaged backup is refused before the first store is replaced`() throws {
        let programs = try start()
        try succeed("backup", system.path("backup"))
        for program in programs { program.kill() }
        // The damaged copy is the last to be restored.
        let last = try #require(services.last)
        let path = system.path("backup/\(last)/\(last).sqlite")
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
        let before = try stores()

        let refused = try system.run("steward", "restore", system.path("backup"))

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("is not what was backed up; nothing was changed"))
        #expect(try stores() == before)
    }

    @Test func `a manifest can't lead out of the data directory`() throws {
        let programs = try start()
        try succeed("backup", system.path("backup"))
        for program in programs { program.kill() }
        let manifest = URL(filePath: system.path("backup/manifest.json"))
        var backups = try JSONDecoder().decode([Backup].self, from: Data(contentsOf: manifest))
        let place = try #require(backups.firstIndex { $0.service == "notifier" })
        var file = try #require(backups[place].files.first)
        // Only its name is wrong: the file exists, and is what the manifest says.
        try FileManager.default.copyItem(
            atPath: system.path("backup/notifier/\(file.name)"), toPath: system.path("backup/x"))
        file.name = "../x"
        backups[place].files.append(file)
        try JSONEncoder().encode(backups).write(to: manifest)

        let refused = try system.run("steward", "restore", system.path("backup"))

        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("which is not one of its files"), "\(refused.err)")
        #expect(!FileManager.default.fileExists(atPath: system.path("x")))
        #expect(!FileManager.default.fileExists(atPath: system.path("data/x")))
    }

    @Test func `a service doesn't start on a half-replaced store`() throws {
        let programs = try start()
        try succeed("backup", system.path("backup"))
        for program in programs { program.kill() }
        try Data().write(to: URL(filePath: system.path("data/notifier.restoring")))

        let half = try system.launch("notifier")
        #expect(try half.waitForEnd() == .exited(65))
        #expect(half.err.contains("was interrupted"))
        try succeed("restore", system.path("backup"), "--service", "notifier")

        try system.launch("notifier").waitUntilReady()
    }

    @Test func `a backup needs every service, and a new directory`() throws {
        let programs = try start()
        try succeed("backup", system.path("backup"))
        let manifest = FileManager.default.contents(atPath: system.path("backup/manifest.json"))
        let twice = try system.run("steward", "backup", system.path("backup"))
        programs[1].kill()
        let partial = try system.run("steward", "backup", system.path("other"))

        #expect(twice.end == .exited(1) && twice.err.contains("already exists"))
        #expect(
            FileManager.default.contents(atPath: system.path("backup/manifest.json")) == manifest)
        #expect(partial.end == .exited(69) && partial.err.contains("\(services[1]) can't be asked"))
        #expect(!FileManager.default.fileExists(atPath: system.path("other")))
    }

    @Test func `only the newest dated backups are kept, and nothing else is touched`() throws {
        let programs = try start()
        let shelf = system.path("shelf")
        let manager = FileManager.default
        // One from when the clock was wrong, one that was interrupted, and what others put there.
        for name in [
            "2999-01-01T00-00-00.000Z", "2020-01-01T00-00-00.000Z",
            "2020-01-02T00-00-00.000Z.part", "2020-01-03T00-00-00.000Z", "monday",
        ] {
            try manager.createDirectory(
                atPath: "\(shelf)/\(name)", withIntermediateDirectories: true)
            guard name != "2020-01-03T00-00-00.000Z" else { continue }
            try Data("[]".utf8).write(to: URL(filePath: "\(shelf)/\(name)/manifest.json"))
        }

        try succeed("backup", "--keep", "2", shelf)
        let first = try manager.contentsOfDirectory(atPath: shelf).sorted()
        try succeed("backup", "--keep", "1", shelf)
        let second = try manager.contentsOfDirectory(atPath: shelf).sorted()

        let others = ["2020-01-03T00-00-00.000Z", "monday"]
        #expect(first.count == 4 && Set(first).isSuperset(of: others))
        #expect(first.contains("2999-01-01T00-00-00.000Z"))
        #expect(second.count == 3 && Set(second).isSuperset(of: others))
        let made = try #require(second.first { !others.contains($0) })
        #expect(!first.contains(made))
        for program in programs { program.kill() }
        try succeed("restore", "\(shelf)/\(made)")
        let failed = try system.run("steward", "backup", "--keep", "1", shelf)
        #expect(failed.end != .exited(0))
        #expect(try Set(manager.contentsOfDirectory(atPath: shelf)).isSuperset(of: second))
        let wrong = try system.run("steward", "backup", "--keep", "0", shelf)
        #expect(wrong.end == .exited(64) && wrong.err.contains("from 1 to 1000"))
    }

    // MARK: Tools

    /// Expects that no copy has seen an event that its producer's copy lacks.
    private func expectFitting(_ name: String) throws {
        let manifest = try Data(
            contentsOf: URL(filePath: system.path("\(name)/manifest.json")))
        let backups = try JSONDecoder().decode([Backup].self, from: manifest)
        #expect(backups.count == services.count)
        #expect(backups.contains { !$0.cursors.isEmpty })
        for follower in backups {
            for cursor in follower.cursors {
                let producer = try #require(backups.first { $0.service == cursor.producer })
                #expect(
                    cursor.epoch != producer.epoch || cursor.sequence <= producer.head,
                    "\(follower.service) has seen more of \(cursor.producer)")
            }
        }
    }

    private func start() throws -> [Program] {
        let programs = try services.map { try system.launch($0) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }

    @discardableResult
    private func succeed(_ arguments: String...) throws -> String {
        let program = try system.spawn(tool: "steward", arguments)
        let end = try program.waitForEnd()
        try #require(end == .exited(0), "steward \(arguments): \(program.err)")
        return program.out
    }

    private func stores() throws -> [Data] {
        try services.map {
            try Data(contentsOf: URL(filePath: system.path("data/\($0).sqlite")))
        }
    }

    private func expectFollowed(_ producer: ServiceName, by follower: ServiceName) throws {
        try eventually("\(follower) has all of \(producer) in its present history") {
            let has = try system.query(
                follower,
                "SELECT epoch, sequence FROM cursor WHERE producer = '\(producer.rawValue)'")
            let head = try system.query(
                producer,
                "SELECT (SELECT max(epoch) FROM epoch), (SELECT max(sequence) FROM outbox)")
            return has == head
        }
    }
}

/// Sends one command after another on a thread of its own.
private final class Worker: Sendable {
    private let names = Mutex<[String]>([])
    private let isWanted = Atomic(true)
    private let end = DispatchSemaphore(value: 0)

    /// The names of the organisations whose creation was acknowledged.
    var acknowledged: [String] { names.withLock { $0 } }

    init(_ connection: Connection) {
        Thread.detachNewThread { [self] in
            defer { end.signal() }
            do {
                let client = try Client(connection, to: .account, isPatient: true)
                while isWanted.load(ordering: .relaxed) {
                    let name = "work \(acknowledged.count)"
                    _ = try client.ask(
                        CreateOrganisation(name: name), for: Organisation.self,
                        deadline: .seconds(300))
                    names.withLock { $0.append(name) }
                }
            } catch { names.withLock { $0.append("failed: \(error)") } }
        }
    }

    /// Waits until the pending command is answered.
    func stop() {
        isWanted.store(false, ordering: .relaxed)
        end.wait()
    }
}
