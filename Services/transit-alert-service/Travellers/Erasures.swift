import Messages
import ServiceRuntime

/// The erasure of everything kept about a passenger.
enum Erasures {
    static var handlers: [MessageHandler] { [.command(erase, .person)] }
    static var timers: [TimerHandler] { [.init(erasing, advance)] }

    /// The timer kind: the next part of an erasure.
    static let erasing = "erase"
    /// How long it rests between two parts, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    static func erase(_: EraseTravel, in transaction: Transaction) throws -> TravelErased {
        let owner = transaction.principal.account
        guard try !JourneyWatch.hasActive(owner: owner, transaction.db) else {
            throw Refusal.conflict("a journey is under way; finish it first")
        }
        let journeys = try JourneyWatch.ids(owner: owner, transaction.db)
        try JourneyWatch.deleteAll(of: owner, transaction.db)
        try Destination.deleteAll(of: owner, transaction.db)
        try RideComment.deleteAll(of: owner, transaction.db)
        // It must be possible to show later that the policy was accepted, and when.
        let before = try Traveller.of(owner, transaction.db)
        var rest = Traveller.unknown
        (rest.acceptedPolicy, rest.accepted) = (before.acceptedPolicy, before.accepted)
        try rest.save(transaction.principal, transaction.db)
        try begin(journeys, of: owner, in: transaction)
        transaction.erase()
        let erased = TravelErased(
            owner: owner, journeys: UInt64(journeys.count),
            organisation: transaction.principal.organisation)
        try transaction.publish(erased, subject: owner)
        return erased
    }

    /// Has everything else about journeys erased. While an erasure of the passenger is under way,
    /// all that are wanted wait for its end as one, so that their number is bounded.
    private static func begin(
        _ journeys: [String], of owner: String, in transaction: Transaction
    ) throws {
        var (id, subjects) = (owner, Set(journeys))
        if try Erasure.kept(owner, transaction.db) == nil {
            try transaction.setTimer(erasing, subject: owner, due: transaction.now)
        } else {
            id = Erasure.next(after: owner)
            subjects.formUnion(try Erasure.kept(id, transaction.db)?.subjects ?? [])
        }
        try Erasure(of: subjects, wantedIn: transaction).save(id, transaction.db)
    }

    static func advance(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard var erasure = try Erasure.kept(id, transaction.db) else { return }
        if try erasure.advance(transaction) {
            try erasure.save(id, transaction.db)
        } else {
            transaction.erase()
            guard try Erasure.replaceByNext(id, transaction.db) else { return }
        }
        try transaction.setTimer(erasing, subject: id, due: transaction.now + pause)
    }
}
