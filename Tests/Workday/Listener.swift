import Bus
import Messages
import TestSupport

/// Follows the alerts of a feed, and acknowledges each.
final class Listener: Occupation {
    let service = ServiceName.notifier
    private let recipient: String
    private let reader: AlertFeedReader
    private let clock: () -> Int64
    /// When each alert was acknowledged.
    private var noticed: [String: Int64] = [:]
    private var asked = ""

    init(_ recipient: String, _ system: System, clock: @escaping () -> Int64) throws {
        (self.recipient, self.clock) = (recipient, clock)
        reader = try AlertFeedReader(system.connection(), recipient: recipient, clock: clock)
    }

    /// True if every notice of the feed has arrived.
    func hasHeardAll(of system: System) throws -> Bool {
        try reader.turn()
        let heads = try system.query(
            .notifier, "SELECT head FROM feed WHERE recipient = '\(recipient)'")
        return heads.allSatisfy { $0 == ["\(reader.notices.count)"] }
    }

    func next() throws -> (any ProtobufMessage)? {
        try reader.turn()
        let new = reader.ids.values.joined().filter { noticed[$0] == nil }.min()
        guard let new else { return nil }
        asked = new
        return AcknowledgeAlert(id: new)
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        // Its source may have withdrawn it meanwhile. Then it ended earlier, and may be deleted
        // sooner.
        if try answer.refusal?.code == .conflict {
            noticed[asked] = 0
            return
        }
        noticed[asked] = clock()
        let alert = try answer.message(AlertAcknowledged.self).alert
        guard alert.id == asked else { throw Complaint("an alert other than \(asked)") }
    }

    func inspect(_ system: System, _ client: Client) throws {
        let kept = try system.query(.notifier, "SELECT id FROM alert").map { $0[0] }
        let due = noticed.filter { $0.value > clock() - Workday.memory }.keys
        guard Set(due).isSubset(of: kept) else {
            throw Complaint("some of the \(noticed.count) delivered alerts are missing")
        }
    }
}
