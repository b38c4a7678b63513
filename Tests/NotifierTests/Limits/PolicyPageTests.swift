import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// How an organisation's policies are listed if they are more than an answer has.
struct PolicyPageTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore

    init() throws { notifier = try MemoryStore.ofNotifier() }

    private func save(_ count: Int, keysOf bytes: Int) throws {
        try notifier.run(at: Self.now) { transaction in
            for number in 0..<count {
                try EscalationPolicy(
                    name: "p\(number)", kind: "late", key: String(repeating: "k", count: bytes),
                    steps: [EscalationStep(who: Audience(account: "bob"))]
                ).save(Principal.localOrganisation, transaction.db)
            }
        }
    }

    private func list(after name: String = "") throws -> EscalationPolicies {
        try notifier.run(at: Self.now) {
            try EscalationPolicy.list(ListPolicies(after: name), in: $0)
        }
    }

    @Test func `every policy that escalates alerts is on one of the pages, by name`() throws {
        try save(EscalationPolicy.most, keysOf: 900)

        var pages = [try list()]
        while let next = pages.last?.next, !next.isEmpty, pages.count < 50 {
            pages.append(try list(after: next))
        }

        let names = pages.flatMap(\.policies).map(\.name)
        #expect(names == (0..<EscalationPolicy.most).map { "p\($0)" }.sorted())
        #expect(pages.count > 1)
        for page in pages { #expect(page.packed().count < Envelope.maximumSize) }
    }

    @Test func `policies that fit into an answer are on one page`() throws {
        try save(20, keysOf: 10)

        let page = try list()

        #expect(page.policies.count == 20 && page.next.isEmpty)
    }
}
