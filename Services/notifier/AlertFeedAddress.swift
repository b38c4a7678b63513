import Messages
import ServiceRuntime

/// The address of a person's alerts: a recipient in an organisation.
struct AlertFeedAddress: Hashable {
    let organisation: String
    let recipient: String

    init(organisation: String, recipient: String) {
        self.organisation = organisation.isEmpty ? Principal.localOrganisation : organisation
        self.recipient = recipient
    }

    /// Makes the address of the requested feed, or of the asker's own.
    ///
    /// - Throws: a `Refusal`, the same whether such a feed exists or not.
    init(_ recipient: String, asker: Principal) throws(Refusal) {
        guard recipient.isEmpty || asker.mayActFor(recipient) else {
            throw Refusal.forbidden("only the recipient and their carers may do this")
                .because(.recipientDenied)
        }
        self.init(
            organisation: asker.organisation,
            recipient: recipient.isEmpty ? asker.account : recipient)
    }

    /// True if the asker gets everything of this feed. Someone who only cares for the recipient
    /// gets no alerts of the recipient's own rides and days.
    func isOwn(of asker: Principal) -> Bool {
        asker.kind != .account || asker.account == recipient
    }

    /// True if the asker gets an alert of this feed. Whom the recipient cares for is shown to
    /// nobody else.
    func shows(_ alert: Alert, to asker: Principal) -> Bool {
        isOwn(of: asker)
            || !EscalationPolicy.personal.contains(alert.source) && !AlertDigest.isDigest(alert)
                && !alert.namesUnreached
    }

    /// The prefix of every topic of this feed. Where others than the owner can reach the bus, a
    /// secret follows: see ``AlertFeedTopic``.
    var topic: String { "alert.\(Self.part(organisation)).\(Self.part(recipient))." }

    /// A name as one part of a topic: whatever is not a letter, a digit or one of `-_@+` becomes
    /// `%` and two hexadecimal digits for each byte of its UTF-8.
    static func part(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "@"), UInt8(ascii: "+"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
