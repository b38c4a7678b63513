import Messages
import ServiceRuntime

/// The erasure of alerts, when a person has the traces of their journeys erased.
enum Erasures {
    static var timers: [TimerHandler] { [Erasure.timer(reading: [AlertRaised.self])] }

    /// Erases all alerts of a service for a person, and what digests, mails, deliveries, events and
    /// dead letters say of them and of their subjects. An open digest is made again without them.
    static func begin(
        from source: String, of address: AlertFeedAddress, in transaction: Transaction
    ) throws {
        let list = try AlertDigest.openList(of: address, in: transaction)
        try AlertDigest.withdraw(of: address, in: transaction)
        let alerts = try Alert.ids(from: source, of: address, transaction.db)
        let subjects = try subjects(of: alerts, from: source, address, in: transaction)
        try Notice.erase(alerts, of: address, transaction.db)
        try Alert.delete(alerts, transaction.db)
        if let list { try AlertDigest.replace(list, of: address, in: transaction) }
        try Erasure(of: subjects.union(alerts), in: transaction)
            .begin(address.topic, in: transaction)
    }

    /// The subjects of a service's alerts for a person, including alerts that could not be kept.
    /// The subject of an alert that can't be read is not known, which is no reason to keep it.
    private static func subjects(
        of alerts: [String], from source: String, _ address: AlertFeedAddress,
        in transaction: Transaction
    ) throws -> Set<String> {
        let kept = try alerts.compactMap { try Alert.known($0, transaction.db) }
            .filter { $0.source == source }.compactMap(\.raised)
        let lost: Set<String> = try transaction.deadLetters(of: AlertRaised.self, from: source) {
            let feed = AlertFeedAddress(organisation: $0.organisation, recipient: $0.recipient)
            return feed == address ? $0.subject : nil
        }
        return lost.union(kept.map(\.subject)).subtracting([""])
    }

    /// Erases the alerts of journeys that a person has erased. None of them is open: nothing is
    /// erased while a journey is under way.
    static func travelErased(
        _ event: TravelErased, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try begin(
            from: envelope.source,
            of: AlertFeedAddress(organisation: event.organisation, recipient: event.owner),
            in: transaction)
    }
}
