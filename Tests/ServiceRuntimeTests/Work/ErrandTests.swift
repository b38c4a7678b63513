import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Work outside the loop that no one waits for.
    @Suite(.serialized) struct Errands {
        @Test func `an errand is done once, and others are answered meanwhile`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.balance()
            let barrier = try toys.barrier("working")

            try toys.entrust("a")
            try eventually("work has begun") { try toys.worked() == ["a"] }
            #expect(try toys.balance() == 0)
            try FileManager.default.removeItem(at: barrier)

            try eventually("the deposit is made") { try toys.entries() == [["a", "1"]] }
            try toys.deposit(1, "b")
            #expect(try toys.worked() == ["a"])
            #expect(try toys.system.query(.transitAlert, "SELECT id FROM errand").isEmpty)
        }

        @Test func `an errand that a kill interrupted is done again, and its result applied once`()
            throws
        {
            let toys = try Toys()
            let program = try toys.startService()
            let barrier = try toys.barrier("working")
            try toys.entrust("a")
            try eventually("work has begun") { try toys.worked() == ["a"] }

            program.kill()
            try FileManager.default.removeItem(at: barrier)
            try toys.startService()

            try eventually("the deposit is made") { try toys.balance() == 1 }
            #expect(try toys.worked() == ["a", "a"])
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test
        func `a result that can't be applied is retried without new work, and stops no other`()
            throws
        {
            let toys = try Toys()
            let program = try toys.startShifted("toy-service")
            try toys.entrust("broken")
            try eventually("the deposit fails") {
                program.err.contains("errand failed")
            }
            #expect(try toys.entries().isEmpty)

            try toys.entrust("a")
            try toys.setClock("31")
            try eventually("the next one is done") { try toys.entries() == [["a", "1"]] }
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
            try toys.setClock("62")

            try eventually("the deposit is made") {
                try toys.entries() == [["a", "1"], ["broken", "1"]]
            }
            #expect(try toys.worked() == ["broken", "a"])
        }

        @Test func `errands continue after a failure when the clock is set back`() throws {
            let toys = try Toys()
            try toys.setClock("86400")
            let program = try toys.startShifted("toy-service")
            try toys.entrust("broken")
            try eventually("the deposit fails") {
                program.err.contains("errand failed")
            }

            try toys.setClock("0")
            try toys.entrust("a")

            try eventually("the next one is done") { try toys.balance("a") == 1 }
        }
    }
}

extension Toys {
    fileprivate func entrust(_ account: String) throws {
        _ = try client.ask(Entrust(account: account), for: Entrusted.self)
    }

    /// The accounts for which work was begun, in order.
    fileprivate func worked() throws -> [String] {
        let file = system.path("data/worked")
        guard FileManager.default.fileExists(atPath: file) else { return [] }
        return try String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }
}
