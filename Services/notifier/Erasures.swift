import Messages
import ServiceRuntime

/// The erasure of alerts, when a person has the traces of what they did erased.
enum Erasures {
    /// The timer kind: the next part of an erasure.
    static let erasing = "erase"
    /// How long it rests between two parts, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    /// Erases all alerts of a service for a person, and what digests, mails, deliveries, events and
    /// dead letters say of them and of their subjects. While an erasure for the person is under
    /// way, all that are wanted wait for its end as one, so that their number is bounded.
    static func begin(
        from source: String, of address: AlertFeedAddress, in transaction: Transaction
    ) throws {
        try AlertDigest.withdraw(of: address, in: transaction)
        let alerts = try Alert.ids(from: source, of: address, transaction.db)
        let subjects = try subjects(of: alerts, from: source, address, in: transaction)
        try Notice.erase(alerts, of: address, transaction.db)
        try Alert.delete(alerts, transaction.db)
        var (id, all) = (address.topic, subjects.union(alerts))
        if try Erasure.kept(id, transaction.db) == nil {
            try transaction.setTimer(erasing, subject: id, due: transaction.now)
        } else {
            id = Erasure.next(after: id)
            all.formUnion(try Erasure.kept(id, transaction.db)?.subjects ?? [])
        }
        try Erasure(of: all, at: transaction.now).save(id, transaction.db)
        transaction.erase()
    }

    /// What the alerts of a service for a person are about, also those that could not be kept. Of
    /// one that can't be read it isn't known, which is no reason to keep it.
    private static func subjects(
        of alerts: [String], from source: String, _ address: AlertFeedAddress,
        in transaction: Transaction
    ) throws -> Set<String> {
        let kept = try alerts.compactMap { try Alert.known($0, transaction.db) }
            .filter { $0.source == source }.compactMap(\.raised)
        let lost = try transaction.deadLetters(of: AlertRaised.self, from: source).filter {
            AlertFeedAddress(organisation: $0.organisation, recipient: $0.recipient) == address
        }
        return Set((kept + lost).map(\.subject).filter { !$0.isEmpty })
    }

    static func advance(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard var erasure = try Erasure.kept(id, transaction.db) else { return }
        if try erasure.advance(transaction, reading: [AlertRaised.self]) {
            try erasure.save(id, transaction.db)
        } else {
            guard try Erasure.replaceByNext(id, transaction.db) else { return }
        }
        try transaction.setTimer(erasing, subject: id, due: transaction.now + pause)
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
