import Bus
import Messages

/// Lets the owner pause what the service follows, and forget those who no longer follow it.
struct FollowingDesk {
    private let followings: [Following]

    init(_ followings: [Following]) { self.followings = followings }

    /// The maximum time that a service may be held, in milliseconds. Alerts wait meanwhile.
    static let longestHold: UInt32 = 10_000

    var handlers: [MessageHandler] { [.query(hold, .owner), .command(forget, .owner)] }

    private func hold(_ query: HoldFollowing, in transaction: Transaction) throws -> FollowingHeld {
        guard query.milliseconds <= Self.longestHold else {
            throw Refusal.invalid("events can be held for at most \(Self.longestHold) ms")
        }
        for following in followings {
            following.hold(for: Int64(query.milliseconds), at: transaction.now)
        }
        return FollowingHeld()
    }

    private func forget(
        _ command: ForgetFollower, in transaction: Transaction
    ) throws -> FollowerForgotten {
        let service = transaction.turn.service.rawValue
        try transaction.db.execute(
            sql: "DELETE FROM follower WHERE name = ?", arguments: [command.name])
        guard transaction.db.changesCount > 0 else {
            throw Refusal.notFound("no such process follows \(service)")
        }
        return FollowerForgotten(name: command.name)
    }
}
