import Foundation
import TestSupport
import Testing

extension Processes {
    @Suite(.serialized) struct Starts {
        @Test func `an idle service uses much less memory than it did at start`() throws {
            let toys = try Toys()

            let service = try toys.startService()

            try eventually("a quarter of what the start took is given back") {
                try memory("VmRSS", of: service) < memory("VmHWM", of: service) * 3 / 4
            }
            try toys.deposit(1)
        }

        @Test func `nobody else may read what a service writes, or its memory after a crash`()
            throws
        {
            let toys = try Toys()
            // The operator has made the directory, and anyone may enter it.
            try FileManager.default.createDirectory(
                atPath: toys.system.path("data"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])

            var service = try startGenerously(toys)
            try toys.deposit(1)

            #expect(try openToOthers(toys) == [])
            let limits = try String(
                contentsOfFile: "/proc/\(service.pid)/limits", encoding: .utf8)
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
            let words = line?.split(whereSeparator: \.isWhitespace) ?? []
            #expect(words.count > 4 && words[4] == "0", "\(line ?? "there is no such limit")")

            service.kill()
            // As an earlier version has made it.
            for name in try FileManager.default.contentsOfDirectory(
                atPath: toys.system.path("data")) where name.contains(".sqlite")
            {
                chmod(toys.system.path("data/\(name)"), 0o644)
            }
            service = try startGenerously(toys)
            #expect(try openToOthers(toys) == [])
            #expect(try toys.balance() == 1)
        }

        /// Starts the service as a process that may write files for everyone, and all its memory.
        private func startGenerously(_ toys: Toys) throws -> Program {
            let script = "umask 022; ulimit -S -c unlimited || :; exec \"$@\""
            let service = try toys.system.launch(
                "toy-service", through: ["/bin/bash", "-c", script, "bash"])
            try service.waitUntilReady()
            return service
        }

        /// The files of the service that other accounts may read or write.
        private func openToOthers(_ toys: Toys) throws -> [String] {
            let folder = toys.system.path("data")
            return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
                let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                return (facts[.posixPermissions] as? Int ?? 0) & 0o077 != 0
            }
        }

        /// A figure of the kernel about a process's memory, in KiB: `VmRSS` is what it uses now,
        /// `VmHWM` the most that it has used.
        private func memory(_ line: String, of program: Program) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8)
            let words = status.split(separator: "\n").first { $0.hasPrefix("\(line):") }?
                .split(whereSeparator: \.isWhitespace)
            guard let words, words.count > 1, let kilobytes = Int(words[1]) else {
                throw Complaint("the kernel reports no \(line)")
            }
            return kilobytes
        }
    }
}
