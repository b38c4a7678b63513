import Foundation

/// A mail to one recipient, which can be written according to RFC 5322 and MIME.
///
/// Its fields have been validated: none has a line break where a header needs one line.
package struct MailDraft: Hashable, Sendable {
    /// An attached file.
    package struct Attachment: Hashable, Sendable {
        /// The name under which it is saved.
        package let name: String
        /// Its type and subtype, e.g. `application/pdf`.
        package let contentType: String
        /// The contents.
        package let bytes: [UInt8]

        /// Makes a file with its name and type.
        package init(name: String, contentType: String, bytes: [UInt8]) {
            self.name = name
            self.contentType = contentType
            self.bytes = bytes
        }
    }

    /// The sender's address.
    package let from: String
    /// The recipient's address.
    package let to: String
    /// The subject, one line.
    package let subject: String
    /// When it was requested, in milliseconds since 1970.
    package let time: Int64
    /// Its Message-ID without angle brackets.
    package let messageID: String
    /// The whole mail as plain text.
    package let text: String
    /// The same as HTML; empty for none.
    package let html: String
    /// An invitation or cancellation for the recipient's calendar; nil for none.
    package let calendar: CalendarPart?
    /// The attached files.
    package let attachments: [Attachment]

    /// What a mail asks the recipient's calendar program to do (RFC 6047, section 2.4).
    package struct CalendarPart: Hashable, Sendable {
        /// The method of the calendar, e.g. `REQUEST`: letters alone.
        package let method: String
        /// The calendar (RFC 5545).
        package let text: String

        /// Makes the part from the method and the whole calendar.
        package init(method: String, text: String) {
            self.method = method
            self.text = text
        }
    }

    /// Makes a mail of these parts.
    package init(
        from: String, to: String, subject: String, time: Int64, messageID: String, text: String,
        html: String = "", calendar: CalendarPart? = nil, attachments: [Attachment] = []
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.time = time
        self.messageID = messageID
        self.text = text
        self.html = html
        self.calendar = calendar
        self.attachments = attachments
    }

    /// The mail as it is sent, without the dot stuffing of SMTP. The same mail always gives the
    /// same bytes.
    package func written() -> [UInt8] {
        let head = [
            "From: Steward <\(from)>", "To: \(to)", "Subject: " + EncodedWord.header(subject),
            "Date: " + MailDate.text(time), "Message-ID: <\(messageID)>", "MIME-Version: 1.0",
            "Auto-Submitted: auto-generated",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n").utf8) + whole.written()
    }

    private var whole: MailPart {
        var forms = [MailPart.text(text, subtype: "plain")]
        if !html.isEmpty { forms.append(.text(html, subtype: "html")) }
        // Mail programs show the last form that they know, and offer to accept this one.
        if let calendar {
            forms.append(.text(calendar.text, subtype: "calendar; method=\(calendar.method)"))
        }
        let body =
            forms.count == 1
            ? forms[0] : MailPart.multipart("alternative", forms, boundary: "=_alternative")
        guard !attachments.isEmpty else { return body }
        return .multipart("mixed", [body] + attachments.map(MailPart.init), boundary: "=_mixed")
    }
}

/// A part of a mail: its header lines and its encoded content.
struct MailPart {
    let headers: [String]
    let content: [UInt8]

    func written() -> [UInt8] {
        Array((headers.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
    }

    /// Text in UTF-8, still readable in the source of the mail where it is plain.
    static func text(_ text: String, subtype: String) -> MailPart {
        MailPart(
            headers: [
                "Content-Type: text/\(subtype); charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
            ], content: QuotedPrintable.encoded(text))
    }

    /// Several parts. Every part is encoded so that `=_` never occurs in it, and therefore the
    /// boundary can't either (RFC 2045, 6.7).
    static func multipart(_ kind: String, _ parts: [MailPart], boundary: String) -> MailPart {
        var content: [UInt8] = []
        for part in parts { content += Array("--\(boundary)\r\n".utf8) + part.written() + crlf }
        content += Array("--\(boundary)--\r\n".utf8)
        return MailPart(
            headers: ["Content-Type: multipart/\(kind); boundary=\"\(boundary)\""],
            content: content)
    }

    private static let crlf: [UInt8] = [0x0D, 0x0A]
}

extension MailPart {
    /// Makes the part of an attached file.
    fileprivate init(_ attachment: MailDraft.Attachment) {
        headers = [
            "Content-Type: \(attachment.contentType)",
            "Content-Disposition: attachment" + Parameter.written("filename", attachment.name),
            "Content-Transfer-Encoding: base64",
        ]
        let lines = Data(attachment.bytes).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        content = Array(lines.utf8)
    }
}
