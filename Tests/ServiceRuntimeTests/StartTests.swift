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
