import GRDB
import TestSupport
import Testing

@testable import Notifier

/// How the alerts of a call are found.
struct CallIndexTests {
    @Test(arguments: [
        "SELECT id FROM alert \(CalledAlert.ofCall) AND feed = 'f'",
        "SELECT id FROM alert \(CalledAlert.ofCall) AND feed > 'f' ORDER BY feed LIMIT 10",
        "SELECT id FROM alert \(CalledAlert.ofCall) AND state = 1",
    ])
    func `the alerts of a call are found without examining any others`(query: String) throws {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)

        let steps = try store.read { try $0.steps(of: query, ["call"]) }

        #expect(steps.count == 1 && steps[0].contains("alertByCall (call=?"), "\(steps)")
    }
}
