import Messages

extension Transaction {
    /// Requests a mail by publishing an event: it is sent once this transaction is committed, and
    /// not when it is undone.
    ///
    /// - Throws: a `Refusal` for a mail that can't be sent, see `MailRequested.validate()`.
    public func request(_ mail: MailRequested) throws {
        try mail.validate()
        try publish(mail, subject: mail.key)
    }
}

extension MailRequested {
    /// The maximum size of a packed request in bytes.
    public static let largestSize = 900_000

    /// Refuses a request that no mail can be made of, or that would smuggle something in: a line
    /// break in a header (RFC 5322), or a recipient that is more than an address.
    public func validate() throws(Refusal) {
        guard (1...200).contains(key.utf8.count), !key.hasControl else {
            throw .invalid("the key of a mail has 1 to 200 bytes and no line break")
        }
        guard (1...100).contains(to.count) else {
            throw .invalid("a mail has 1 to 100 recipients; this one has \(to.count)")
        }
        for address in to { try Self.validate(address: address) }
        guard Set(to).count == to.count else {
            throw .invalid("a recipient of the mail is named twice")
        }
        guard (1...250).contains(subject.utf8.count), !subject.hasControl else {
            throw .invalid("the subject of a mail has 1 to 250 bytes and no line break")
        }
        guard !text.isEmpty else { throw .invalid("the mail has no text") }
        guard attachments.count <= 20 else {
            throw .invalid("a mail has at most 20 attachments; this one has \(attachments.count)")
        }
        for attachment in attachments { try attachment.validate() }
        guard calendar.isEmpty || calendarMethod != nil else {
            throw .invalid("the calendar of a mail has a METHOD, such as REQUEST or CANCEL")
        }
        let size = packed().count
        guard size <= Self.largestSize else {
            throw Refusal(
                code: .tooLarge,
                message: "the mail has \(size) bytes; with its attachments it may have "
                    + "\(Self.largestSize)")
        }
    }

    /// What the calendar of the mail asks of its recipient, such as `REQUEST`; nil for none that is
    /// known (RFC 5546, section 1.4).
    public var calendarMethod: String? {
        ["REQUEST", "CANCEL", "PUBLISH"].first { calendar.contains("\r\nMETHOD:\($0)\r\n") }
    }

    /// Refuses anything but a plain address, such as `ann@example.org`.
    public static func validate(address: String) throws(Refusal) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, address.utf8.count <= 254, isLocalPart(parts[0]),
            isDomain(parts[1])
        else {
            let shown = String(address.unicodeScalars.prefix(100).filter { !$0.isControl })
            throw Refusal.invalid(
                "“\(shown)” is not a plain e-mail address, like ann@example.org; a domain in other "
                    + "letters is written in its form xn--…"
            ).because(.addressForm, of: shown)
        }
    }

    /// True for a dot-atom of RFC 5322 in ASCII, of at most 64 bytes.
    private static func isLocalPart(_ text: Substring) -> Bool {
        guard (1...64).contains(text.utf8.count), text.first != ".", text.last != ".",
            !text.contains("..")
        else { return false }
        return text.utf8.allSatisfy {
            $0.isLetterOrDigit || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0)
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
            (1...63).contains($0.count) && $0.first != UInt8(ascii: "-")
                && $0.last != UInt8(ascii: "-")
                && $0.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        }
    }
}

extension MailAttachment {
    fileprivate func validate() throws(Refusal) {
        guard (1...200).contains(name.utf8.count), !name.hasControl, !name.contains("/") else {
            throw .invalid("the name of an attachment has 1 to 200 bytes, no line break and no /")
        }
        let parts = contentType.split(separator: "/", omittingEmptySubsequences: false)
        let isType =
            parts.count == 2
            && parts.allSatisfy { part in
                (1...100).contains(part.utf8.count)
                    && part.utf8.allSatisfy { $0.isLetterOrDigit || "!#$&-^_.+".utf8.contains($0) }
            }
        guard isType, parts[0].lowercased() != "multipart", parts[0].lowercased() != "message"
        else {
            throw .invalid("the type of an attachment is one like application/pdf")
        }
    }
}

extension String {
    /// True when it contains a control character or a line break, which no header may have.
    fileprivate var hasControl: Bool { unicodeScalars.contains { $0.isControl } }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
