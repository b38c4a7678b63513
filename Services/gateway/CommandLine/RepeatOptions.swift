import ArgumentParser
import Bus
import Messages

/// How to repeat a command whose outcome is unknown.
struct RepeatOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Repeat the command with this id, whose outcome is unknown.", valueName: "uuid"))
    var id: String?

    /// The id of the message; nil for a new command.
    var messageID: MessageID? { id.flatMap { MessageID($0) } }

    func validate() throws {
        if let id, MessageID(id) == nil {
            throw ValidationError("“\(id)” is not an id; copy the whole id from the message")
        }
    }

    /// The maximum number of attempts at a change when someone else makes others meanwhile.
    private static let attempts = 3

    /// Changes something as it was read. If the change is refused because someone else has changed
    /// the thing since, tries again with the present version; but not if it repeats a command by
    /// its id, because that command may have been carried out already.
    ///
    /// - Parameters:
    ///   - make: reads the thing, sends the change and returns the answer. It gives the version
    ///     that it has read, if it has read one.
    ///   - version: reads the present version, for a service that gives no reason.
    func retrying<Version: Equatable, Reply>(
        _ make: (_ read: inout Version?) throws -> Reply, version: () throws -> Version
    ) throws -> Reply {
        var attempt = 1
        while true {
            var seen: Version?
            do { return try make(&seen) } catch ClientError.refused(let refusal)
                where refusal.code == .conflict && attempt < Self.attempts && id == nil
            {
                guard let seen else { throw ClientError.refused(refusal) }
                if !refusal.isBecause(.changedSince) {
                    // An earlier version of a service doesn't say whether it refused the change
                    // itself, or because someone else has changed the thing since it was read.
                    guard refusal.reason.isEmpty, try version() != seen else {
                        throw ClientError.refused(refusal)
                    }
                }
                attempt += 1
            }
        }
    }
}
