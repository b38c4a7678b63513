import Bus
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

/// What is published about denied messages, and how little if there are many.
@Suite struct DenialTests {
    private let ann = Principal.account("ann", organisation: "o")

    @Test func `the first denial is published immediately, and the others as a count`() {
        var desk = DenialDesk()

        let first = desk.note("a.B", of: ann, at: 1000)
        let others = (0..<999).compactMap { desk.note("a.B", of: ann, at: 2000 + $0) }

        #expect(first == AccessDenied(account: "ann", organisation: "o", type: "a.B", count: 1))
        #expect(others == [])
        #expect(desk.numbers(at: 60_999) == [])
        #expect(
            desk.numbers(at: 61_000)
                == [AccessDenied(account: "ann", organisation: "o", type: "a.B", count: 999)])
        #expect(desk.numbers(at: 200_000) == [])
        #expect(desk.note("a.B", of: ann, at: 200_000)?.count == 1)
    }

    @Test func `denials are counted by sender, key and type, up to a limit`() {
        var desk = DenialDesk()
        let laptop = ann.coming(from: Peer(name: "laptop", role: .gateway))

        #expect(desk.note("a.B", of: ann, at: 0)?.key == "")
        #expect(desk.note("a.B", of: laptop, at: 0)?.key == "laptop")
        #expect(desk.note("a.C", of: ann, at: 0)?.type == "a.C")
        #expect(desk.note("a.B", of: .anonymous, at: 0)?.account == "")
        let told = (0..<1000).compactMap { number in
            desk.note("a.B", of: .account("bob \(number)", organisation: "o"), at: 1)
        }

        #expect(told.count == DenialDesk.toldApart - 4)
        #expect(desk.numbers(at: 60_000) == [AccessDenied(count: 994)])
    }

    @Test func `setting the clock back holds no count back`() {
        var desk = DenialDesk()
        for _ in 0..<3 { _ = desk.note("a.B", of: ann, at: 1_000_000) }

        #expect(desk.numbers(at: 500_000).map(\.count) == [2])
    }
}

extension Processes {
    @Suite(.serialized) struct Denials {
        @Test func `a storm of denials becomes one event and a count`() throws {
            let toys = try Toys()
            try toys.startService()
            toys.client.token = [1, 2, 3]

            for _ in 0..<500 { _ = try toys.refusal(of: Deposit(account: "a", amount: 1)) }

            toys.client.token = []
            let status = try toys.client.ask(ReadStatus(), for: ServiceStatus.self)
            let events = try toys.system.published(by: .transitAlert)
            // A message that had to be sent again counts twice.
            #expect((status.counters["access.denied"] ?? 0) >= 500)
            #expect(events.map(\.type) == [AccessDenied.protobufName])
            #expect(
                try AccessDenied(unpacking: try #require(events.first).data)
                    == AccessDenied(type: Deposit.protobufName, count: 1))
            #expect(try toys.system.query(.transitAlert, "SELECT id FROM inbox") == [])
        }
    }
}
