import Messages
import ServiceRuntime
import TestStore

@testable import Notifier

extension MemoryStore {
    /// The store of the notifier.
    static func ofNotifier() throws -> MemoryStore {
        try MemoryStore(of: .notifier, NotifierStore.migrator)
    }

    /// The alerts of a feed, oldest first.
    func alerts(of recipient: String = Principal.machineOwner.account) throws -> [Alert] {
        let feed = AlertFeedAddress(organisation: "", recipient: recipient)
        return try run {
            try Alert.newest(of: feed, openOnly: false, before: "", limit: 100, $0.db).reversed()
        }
    }
}
