import MailFormat
import Transfers
import Messages
import Phrases

/// The rules of a mail's life: pending, sending, and then sent, retried or given up.
extension Mail {
    /// How long to wait after the first failure, in milliseconds; doubled after each further one.
    static let shortestWait: Int64 = 30_000
    /// The maximum time to wait after a failure, in milliseconds.
    static let longestWait: Int64 = 3600 * 1000
    /// How long to keep trying before giving up: 5 days in milliseconds, as RFC 5321 4.5.4.1
    /// advises.
    static let patience: Int64 = 5 * 24 * 3600 * 1000
    /// The minimum number of attempts before giving up, which take about a day: a clock that is set
    /// forward can make a minute look like five days.
    static let leastAttempts: UInt32 = 30
    /// How long a mail that has ended is kept: 30 days in milliseconds. The mail of an alert is
    /// kept as long as alerts: see ``AlertRetention``.
    static let retention: Int64 = 30 * 24 * 3600 * 1000

    /// Makes the mail to one of the recipients of a request.
    init(
        id: MessageID, source: String, _ request: MailRequested, to recipient: String, at now: Int64
    ) {
        self.init(
            id: "\(id)", source: source, key: request.key, organisation: request.organisation,
            to: recipient, subject: request.subject, state: .pending, due: now, requested: now,
            changed: now)
    }

    /// Starts an attempt to send it.
    ///
    /// - Parameters:
    ///   - from: the sender's address. Its domain is used in the Message-ID, which never changes
    ///     afterwards.
    ///   - now: the present time in milliseconds since 1970.
    mutating func begin(from: String, at now: Int64) {
        state = .sending
        attempts += 1
        due = 0
        changed = now
        if firstTried == 0 { firstTried = now }
        if messageId.isEmpty { messageId = "\(id)@" + (from.split(separator: "@").last ?? "") }
    }

    /// Records the outcome of an attempt.
    ///
    /// - Returns: true for news: it was sent, given up, or failed for a new reason.
    mutating func end(_ outcome: MailOutcome, at now: Int64) -> Bool {
        let before = error
        changed = now
        switch outcome {
        case .sent:
            (state, error) = (.sent, "")
            return true
        case .delayed(let reason, _)
        where now - firstTried < Self.patience || attempts < Self.leastAttempts:
            (state, error) = (.retry, reason)
            due = now + wait
            return reason != before
        case .delayed(let reason, _), .refused(let reason):
            (state, error) = (.dead, reason)
            return true
        }
    }

    /// Schedules another attempt after a kill during sending, because the server may not have the
    /// mail.
    mutating func recover(at now: Int64) {
        (state, due, changed) = (.retry, now, now)
    }

    /// Schedules another attempt now, because someone asked for it.
    mutating func retry(at now: Int64) throws(Refusal) {
        switch state {
        case .dead: (firstTried, attempts) = (0, 0)
        case .pending, .retry: break
        case .sent: throw .conflict("the mail was sent already")
        default: throw .conflict("the mail is being sent now")
        }
        (state, due, changed) = (attempts == 0 ? .pending : .retry, now, now)
    }

    /// The alert for an organisation's administrators about mails that were given up; the caller
    /// sets the recipient and completes the key.
    static func alert(_ organisation: String, dead count: Int, newest: Mail?) -> AlertRaised {
        var raised = AlertRaised(
            key: "mail/\(organisation)", kind: "mail.dead", severity: .warning,
            subject: newest?.id ?? "", needsAcknowledgement: true,
            actions: [
                Action(name: "list", Said(.seeMails), target: "steward mail list --unsent")
            ])
        let body = newest.map { mail in
            Said<AlertPhrase>(
                .deadMailBody, ["address": .text(mail.to), "error": .text(mail.error)])
        }
        raised.say(
            Said(.deadMails, ["count": .number(count)]), body.map { [PhraseLine([$0])] } ?? [])
        return raised
    }

    /// True if the mail waits only because an attempt has failed.
    var waitsAfterFailure: Bool { state == .retry && due == changed + wait }

    /// How long to wait after the attempts so far, in milliseconds.
    private var wait: Int64 {
        let doublings = min(Int64(attempts), 16) - 1
        return min(Self.shortestWait << max(0, doublings), Self.longestWait)
    }
}

extension MailDraft {
    /// Makes the draft of a requested mail.
    init(_ mail: Mail, _ request: MailRequested, from: String) {
        self.init(
            from: from, to: mail.to, subject: request.subject, time: mail.requested,
            messageID: mail.messageId, text: request.text, html: request.html,
            calendar: request.calendarMethod.map {
                CalendarPart(method: $0, text: request.calendar)
            },
            attachments: request.attachments.map {
                Attachment(name: $0.name, contentType: $0.contentType, bytes: $0.data)
            })
    }
}
