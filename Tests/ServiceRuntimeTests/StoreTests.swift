import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Whatever is wrong with a store, the service reports the file and the fix in one sentence,
    /// ends with an exit code, and changes nothing.
    @Suite(.serialized) struct StoreFaults {
        @Test func `a second process on a store refuses and names the first`() throws {
            let toys = try Toys()
            let first = try toys.startService()

            let second = try toys.system.launch("toy-service")

            #expect(try second.waitForEnd() == .exited(75))
            #expect(
                sentence(second).contains(
                    "transit-alert-service already runs on this store as process \(first.pid); "
                        + "stop that one first (the lock is "
                        + "\(toys.system.path("data/transit-alert-service.lock")))"))
            try toys.deposit(1)
        }

        @Test func `a second process on a bus refuses and names the first`() throws {
            let toys = try Toys()
            let first = try toys.startService()

            let second = try toys.system.launch("toy-service", data: "other")

            #expect(try second.waitForEnd() == .exited(75))
            #expect(
                sentence(second).contains(
                    "transit-alert-service already runs on this bus as process \(first.pid)"))
            try toys.deposit(1)
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test func `a store of a newer version is refused and left as it is`() throws {
            let toys = try Toys()
            try makeStore(toys)
            try toys.system.edit(
                .transitAlert, "INSERT INTO grdb_migrations VALUES ('from the future')")

            try expectRefusal(toys, code: 65, "was written by a newer version than")
        }

        @Test(arguments: [0, 3, 7])
        func `a store with a damaged page is refused and left as it is`(page: Int) throws {
            let toys = try Toys()
            try makeStore(toys)
            // Empties the write-ahead log, which would repair the damage below it.
            try toys.system.edit(.transitAlert, "PRAGMA user_version = 0")
            try damage(toys.system.store(.transitAlert), page: page)

            try expectRefusal(toys, code: 65, "move it away and restore a backup")
        }

        @Test func `a damaged store is left as it is with its write-ahead log`() throws {
            let toys = try Toys()
            try makeStore(toys)
            // Earlier writes go to the file; later ones stay in the log.
            try toys.system.edit(.transitAlert, "PRAGMA user_version = 0")
            let service = try toys.startService()
            try toys.deposit(7)
            service.kill()
            try damage(toys.system.store(.transitAlert), page: 3)

            try expectRefusal(toys, code: 65, "move it away and restore a backup")
        }

        @Test func `a file that isn't a store is refused and left as it is`() throws {
            let toys = try Toys()
            try FileManager.default.createDirectory(
                atPath: toys.system.path("data"), withIntermediateDirectories: true)
            let text = Data(String(repeating: "These are my holiday notes. ", count: 100).utf8)
            try text.write(to: URL(filePath: toys.system.store(.transitAlert)))

            try expectRefusal(toys, code: 65, "move it away and restore a backup")
        }

        @Test func `a read-only store is refused and left as it is`() throws {
            let toys = try Toys()
            try makeStore(toys)
            try chmod(toys.system.path("data/transit-alert-service.lock"), 0o666)
            for suffix in ["", "-wal", "-shm"] {
                try chmod(toys.system.store(.transitAlert) + suffix, 0o444)
            }
            try chmod(toys.system.path("data"), 0o777)

            try expectRefusal(toys, code: 74, "make the", withoutRights: true)
        }

        @Test func `a read-only directory is refused and left as it is`() throws {
            let toys = try Toys()
            try makeStore(toys)
            for suffix in [".lock", ".sqlite", ".sqlite-wal", ".sqlite-shm"] {
                try chmod(toys.system.path("data/transit-alert-service" + suffix), 0o444)
            }
            try chmod(toys.system.path("data"), 0o555)

            try expectRefusal(toys, code: 74, "writable for this account", withoutRights: true)
            try chmod(toys.system.path("data"), 0o777)
        }

        @Test func `a store that another program has locked is refused`() throws {
            let toys = try Toys()
            try makeStore(toys)
            let store = toys.system.store(.transitAlert)
            let other = try toys.system.spawn(
                [
                    "/bin/sh", "-c",
                    "{ echo 'BEGIN EXCLUSIVE; SELECT 1;'; cat; } | exec sqlite3 \(store)",
                ], environment: toys.system.environment())
            try eventually("it is locked") { other.out.contains("1") }

            let service = try toys.system.launch("toy-service")

            #expect(try service.waitForEnd() == .exited(75))
            #expect(sentence(service).contains("another program has locked the store \(store)"))
        }

        // MARK: Helpers

        /// Three acknowledged deposits and some ballast, in the store of a service that was killed.
        private func makeStore(_ toys: Toys) throws {
            let service = try toys.startService()
            for amount in 1...3 { try toys.deposit(Int64(amount)) }
            for _ in 0..<20 {
                let ballast = [UInt8](repeating: 1, count: 3000)
                _ = try toys.answer(to: Deposit(account: "b", amount: 1, note: ballast))
            }
            service.kill()
        }

        private func damage(_ path: String, page: Int) throws {
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: UInt64(page * 4096))
            try file.write(contentsOf: Data(repeating: 0xA5, count: page == 0 ? 100 : 4096))
            try file.close()
        }

        private func expectRefusal(
            _ toys: Toys, code: Int32, _ part: String, withoutRights: Bool = false
        ) throws {
            let before = try contents(toys)
            var wrapper: [String] = []
            if withoutRights {
                wrapper = Surroundings.withoutRights
                try chmod(toys.system.directory, 0o777)
                try FileManager.default.removeItem(atPath: toys.system.path("run"))
                try toys.system.makeFolder("run")
                if !wrapper.isEmpty { chown(toys.system.path("run"), 65534, 65534) }
            }

            let service = try toys.system.launch("toy-service", through: wrapper)

            #expect(try service.waitForEnd() == .exited(code))
            let sentence = sentence(service)
            #expect(sentence.contains(part), "\(service.lastWords)")
            #expect(sentence.contains(toys.system.path("data/transit-alert-service")))
            #expect(try contents(toys) == before)
        }

        private func sentence(_ program: Program) -> String {
            let lines = program.err.split(separator: "\n")
            #expect(lines.count == 1, "\(program.err)")
            return String(lines.last ?? "")
        }

        /// The bytes of the store's file and of its log.
        private func contents(_ toys: Toys) throws -> [String: Data] {
            var contents: [String: Data] = [:]
            for suffix in ["", "-wal"] {
                let path = toys.system.store(.transitAlert) + suffix
                let bytes = FileManager.default.contents(atPath: path) ?? Data()
                if !bytes.isEmpty { contents[suffix] = bytes }
            }
            return contents
        }

        private func chmod(_ path: String, _ mode: mode_t) throws {
            guard Glibc.chmod(path, mode) == 0 || errno == ENOENT else {
                throw Complaint.system("chmod \(path)")
            }
        }
    }
}
