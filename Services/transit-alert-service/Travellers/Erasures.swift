import Messages
import ServiceRuntime

/// The erasure of everything kept about a passenger.
enum Erasures {
    static var handlers: [MessageHandler] { [.command(erase, .person)] }
    static var timers: [TimerHandler] { [Erasure.timer()] }

    static func erase(_: EraseTravel, in transaction: Transaction) throws -> TravelErased {
        let owner = transaction.principal.account
        guard try !JourneyWatch.hasActive(owner: owner, transaction.db) else {
            throw Refusal.conflict(
                "a journey is under way; finish it first: see steward transit journeys")
        }
        let journeys = try JourneyWatch.ids(owner: owner, transaction.db)
        try JourneyWatch.deleteAll(of: owner, transaction.db)
        try KeptFix.gone.sweep(in: transaction)
        try Destination.deleteAll(of: owner, transaction.db)
        try RideComment.deleteAll(of: owner, transaction.db)
        // It must be possible to show later that the policy was accepted, and when.
        let before = try Traveller.of(owner, transaction.db)
        var rest = Traveller.unknown
        (rest.acceptedPolicy, rest.accepted) = (before.acceptedPolicy, before.accepted)
        try rest.save(transaction.principal, transaction.db)
        try Erasure(of: Set(journeys), wantedIn: transaction).begin(owner, in: transaction)
        let erased = TravelErased(
            owner: owner, journeys: UInt64(journeys.count),
            organisation: transaction.principal.organisation)
        try transaction.publish(erased, subject: owner)
        return erased
    }
}
