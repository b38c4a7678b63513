import GRDB
import Messages
import TestSupport
import Testing

@testable import Notifier

/// How the deliveries by a channel are found.
struct DeliveryIndexTests {
    @Test(arguments: AlertDelivery.ofChannel)
    func `the deliveries by a channel are found without examining those of others`(
        condition: String
    ) throws {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)

        let steps = try store.read { db in
            try ["SELECT *", "DELETE"].flatMap {
                try db.steps(of: "\($0) FROM delivery WHERE \(condition)", ["feed", "phone"])
            }
        }

        #expect(steps.count == 2, "\(steps)")
        #expect(steps.allSatisfy { $0.contains("(feed=? AND channel=?)") }, "\(steps)")
    }
}
