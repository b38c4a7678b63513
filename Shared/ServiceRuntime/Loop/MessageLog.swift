import Messages

/// Logs messages: a line for each that was handled, written after its reply was sent, and numbers
/// once a second for what anyone could cause in large amounts.
final class MessageLog {
    /// The maximum number of log lines a second for messages refused to unidentified senders.
    static let linesOfStrangers = 20
    /// The maximum number of bytes of a sender's text in a line.
    static let longestText = 200

    private struct Handled {
        let level: Log.Level
        let type: String
        let id: MessageID
        let outcome: String
    }

    let log: Log
    private let status: StatusBoard
    private var handled: [Handled] = []
    private var linesLeft = MessageLog.linesOfStrangers
    private var unlogged = 0
    private var malformed = 0
    private var unread = 0

    init(_ log: Log, status: StatusBoard) {
        self.log = log
        self.status = status
    }

    /// Records that a message was handled.
    ///
    /// - Parameters:
    ///   - level: the level of the line.
    ///   - message: the message.
    ///   - outcome: what happened to it.
    ///   - isStranger: whether anyone who can reach the endpoint could have caused it.
    func note(
        _ level: Log.Level, _ message: Message, _ outcome: String,
        isStranger: Bool = false
    ) {
        guard level >= log.threshold else { return }
        if isStranger {
            guard linesLeft > 0 else {
                unlogged += 1
                return
            }
            linesLeft -= 1
        }
        handled.append(
            Handled(
                level: level, type: message.envelope.type.prefix(bytes: Self.longestText),
                id: message.id, outcome: outcome))
    }

    /// Counts a malformed message that was dropped.
    func noteMalformed() { malformed += 1 }

    /// Counts a message that was dropped because its sender does not read its replies.
    func noteUnread() { unread += 1 }

    /// Logs that a handler failed.
    func noteDefect(_ error: any Error, in message: Message) {
        log.write(
            .error, "defect",
            [
                .message: message.envelope.type.prefix(bytes: Self.longestText),
                .id: "\(message.id)", .error: "\(error)",
            ])
    }

    /// Writes the lines of the turn.
    func write() {
        var lines = ""
        for message in handled {
            log.append(
                message.level, "handled",
                [
                    .message: message.type, .id: message.id.description,
                    .outcome: message.outcome,
                ], to: &lines)
        }
        Log.put(&lines)
        handled.removeAll(keepingCapacity: true)
    }

    /// Logs one line for each kind of dropped message, however many there were. Called each second.
    func logNumbers() {
        if malformed > 0 {
            status.count("messages.malformed", by: UInt64(malformed))
            log.write(.warning, "malformed messages dropped", [.count: String(malformed)])
        }
        if unread > 0 {
            status.count("messages.unread", by: UInt64(unread))
            log.write(
                .warning, "messages dropped whose sender reads no replies",
                [.count: String(unread)])
        }
        if unlogged > 0 {
            log.write(.notice, "more messages refused", [.count: String(unlogged)])
        }
        (malformed, unread, unlogged, linesLeft) = (0, 0, 0, Self.linesOfStrangers)
    }
}
