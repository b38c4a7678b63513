import Messages
import ServiceRuntime

/// The erasure of alerts, when a person has the traces of their journeys erased.
enum Erasures {
    static var timers: [TimerHandler] {
        [Erasure.timer(reading: [AlertRaised.self]), AlertErasure.timer]
    }

    /// Begins to erase all alerts of a service for a person, and what digests, notices, mails,
    /// deliveries, events and dead letters say of them and of their subjects. An open digest is
    /// made again without them.
    static func begin(
        from source: String, of address: AlertFeedAddress, in transaction: Transaction
    ) throws {
        let list = try AlertDigest.openList(of: address, in: transaction)
        try AlertDigest.withdraw(of: address, in: transaction)
        var erasure = try AlertErasure.begun(from: source, of: address, in: transaction)
        // It lists open alerts, and none of those to be erased is open any more.
        if let list { try AlertDigest.replace(list, of: address, in: transaction) }
        try erasure.advance(in: transaction)
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
