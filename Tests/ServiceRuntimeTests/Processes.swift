import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

@testable import ToyMessages

/// Tests that start processes: each has an installation of its own, so a few run at once.
@Suite(.waiting) struct Processes {}

/// An installation with the toy service, or with it and its follower.
struct Toys {
    let system: System
    let client: Client

    init(_ system: System) throws {
        self.system = system
        client = try system.client()
    }

    init() throws { self = try Toys(System()) }

    @discardableResult
    func startService(_ arguments: String...) throws -> Program {
        let program = try system.launch("toy-service", arguments)
        try program.waitUntilReady()
        return program
    }

    @discardableResult
    func startFollower() throws -> Program { try system.start("toy-follower") }

    @discardableResult
    func deposit(
        _ amount: Int64, _ account: String = "a", id: MessageID? = nil, deadline: Int = 60
    ) throws -> Deposited {
        try client.ask(
            Deposit(account: account, amount: amount), for: Deposited.self, id: id,
            deadline: .seconds(deadline))
    }

    /// Holds what the service does, until the file that this returns is removed: `reading` the
    /// account “slow”, `telling` its whole state, `pondering` and `working` on errands.
    func barrier(_ name: String) throws -> URL {
        let file = URL(filePath: system.path("data/\(name)"))
        try Data().write(to: file)
        return file
    }

    /// The reply to a message, of any type.
    func answer(to message: some ProtobufMessage, id: MessageID? = nil) throws -> Envelope {
        try client.send(message, id: id, deadline: .seconds(60))
        while true {
            for answer in try client.receive(within: .seconds(60)) {
                return try answer.result.get()
            }
        }
    }

    /// The refusal of a message.
    func refusal(of message: some ProtobufMessage, id: MessageID? = nil) throws -> Refusal {
        try Refusal(unpacking: try answer(to: message, id: id).data)
    }

    func balance(_ account: String = "a") throws -> Int64 {
        try client.ask(ReadBalance(account: account), for: Balance.self).balance
    }

    /// Every entry as account and amount.
    func entries() throws -> [[String]] {
        try system.query(.transitAlert, "SELECT account, amount FROM entry ORDER BY position")
    }

    /// The ids of the events that the follower has seen, in order of arrival.
    func seen() throws -> [String] {
        guard FileManager.default.fileExists(atPath: system.store(.notifier)) else { return [] }
        return try system.query(.notifier, "SELECT event FROM seen ORDER BY position").map { $0[0] }
    }

    /// The ids of the events that the toy service has published.
    func published() throws -> [String] {
        try system.published(by: .transitAlert).compactMap { MessageID(bytes: $0.id)?.description }
    }

    /// Waits until the follower has seen everything that was published, once and in order.
    func expectFollowed() throws {
        try eventually("the follower has seen as much as was published") {
            try seen().count >= published().count
        }
        #expect(try seen() == published())
    }

    /// Waits until both have the same balances.
    func expectSameBalances() throws {
        let size = "SELECT count(*), sum(balance) FROM account"
        let sql = "SELECT name, balance FROM account ORDER BY name"
        try eventually("the follower's balances are those of the service") {
            // There may be thousands of them.
            try system.query(.notifier, size) == system.query(.transitAlert, size)
                && system.query(.notifier, sql) == system.query(.transitAlert, sql)
        }
    }
}
