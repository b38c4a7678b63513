import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// How calls are listed if they are more than an answer has.
@Suite(.serialized, .waiting) struct CallPageTests {
    @Test func `an answer without room for all calls says where the next page begins`() throws {
        let office = try PostOffice(hasServer: false)
        for number in 0..<30 {
            try office.raise(
                AlertRaised(
                    key: "k\(number)", severity: .warning, title: "Come",
                    body: String(repeating: "a b ", count: 16_000), needsAcknowledgement: true,
                    audience: Audience()))
        }
        try eventually("all of them are kept") {
            try office.system.query(.notifier, "SELECT count(*) FROM call") == [["30"]]
        }

        var pages = [try office.ask(ListCalls(), for: Messages.Calls.self)]
        while let next = pages.last?.next, !next.isEmpty, pages.count < 50 {
            pages.append(try office.ask(ListCalls(before: next), for: Messages.Calls.self))
        }

        let keys = pages.flatMap(\.calls).compactMap(\.raised?.key)
        #expect(keys == (0..<30).reversed().map { "k\($0)" })
        #expect(pages.count > 1)
    }
}
