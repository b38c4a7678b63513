import Foundation
import TestSupport
import Testing

@testable import MailFormat

/// The bytes of a mail, and what Python's parser reads from them.
@Suite struct MailDraftTests {
    static let norwegian = """
        Kjære Åse,

        øl og smørbrød er på plass. = og =?utf-8?B?w6U=?= står her.
        .
        ..
        From the beginning\u{20}
        \(String(repeating: "en veldig lang linje med æøå ", count: 60))
        \ttabulert\t
        👩‍👩‍👧 slutt
        """

    @Test func `a mail arrives as it was written`() throws {
        let pdf = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let html = "<p>Kj\u{E6}re \u{C5}se</p>\n<!-- =_mixed --=_alternative -->\n"
        let mail = try ParsedMail(
            MailDraft.some(
                subject: "Rapport for Åse: øl & smørbrød", text: Self.norwegian, html: html,
                attachments: [
                    .init(name: "månedsrapport.pdf", contentType: "application/pdf", bytes: pdf)
                ]
            ).written())

        #expect(mail.defects == [])
        #expect(mail.headers["Subject"] == "Rapport for Åse: øl & smørbrød")
        #expect(mail.headers["From"] == "Steward <steward@example.org>")
        #expect(mail.headers["To"] == "ann@example.org")
        #expect(mail.headers["Message-ID"] == "<1@example.org>")
        #expect(mail.headers["Date"] == "Sat, 21 Nov 2026 15:05:09 +0000")
        #expect(mail.headers["Auto-Submitted"] == "auto-generated")
        #expect(mail.containers == ["multipart/mixed", "multipart/alternative"])
        #expect(mail.parts.map(\.type) == ["text/plain", "text/html", "application/pdf"])
        #expect(mail.parts[0].text == Self.norwegian)
        #expect(mail.parts[1].text == html)
        #expect(mail.parts[2].name == "månedsrapport.pdf")
        #expect(mail.parts[2].disposition == "attachment")
        #expect([UInt8](mail.parts[2].bytes) == pdf)
    }

    @Test func `an invitation has the form that calendar programs understand`() throws {
        let calendar = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Møte\r\nEND:VCALENDAR\r\n"
        let written = MailDraft(
            from: "steward@example.org", to: "ann@example.org", subject: "Møte", time: 0,
            messageID: "1@example.org", text: "Come.",
            calendar: .init(method: "REQUEST", text: calendar),
            attachments: [
                .init(name: "m.ics", contentType: "text/calendar", bytes: Array(calendar.utf8))
            ]
        ).written()
        let mail = try ParsedMail(written)
        #expect(mail.defects == [])
        #expect(mail.containers == ["multipart/mixed", "multipart/alternative"])
        #expect(mail.parts.map(\.type) == ["text/plain", "text/calendar", "text/calendar"])
        #expect(
            mail.parts[1].text.replacing("\r\n", with: "\n")
                == calendar.replacing("\r\n", with: "\n"))
        #expect(
            String(decoding: written, as: UTF8.self)
                .contains("Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n"))
    }

    @Test func `a text-only mail has one part`() throws {
        let mail = try ParsedMail(MailDraft.some(text: "hello\nworld").written())

        #expect(mail.containers == [])
        #expect(mail.parts.map(\.text) == ["hello\nworld"])
    }

    @Test func `every line is plain ASCII, has at most 78 characters and ends with CR LF`() {
        let mail = MailDraft.some(
            subject: String(repeating: "lang overskrift på øya ", count: 10),
            text: Self.norwegian, html: Self.norwegian,
            attachments: [
                .init(
                    name: String(repeating: "å", count: 100), contentType: "application/pdf",
                    bytes: Array(repeating: 255, count: 1000))
            ]
        ).written()

        #expect(mail.allSatisfy { $0 < 127 })
        var text = String(decoding: mail, as: UTF8.self)[...].utf8
        while let end = text.firstIndex(of: 10) {
            let line = text[..<end]
            #expect(line.last == 13)
            #expect(line.count <= 79 && !line.dropLast().contains(13))
            text = text[text.index(after: end)...]
        }
    }

    @Test(arguments: [
        "plain", " blanks at the ends ", "=?utf-8?B?w6U=?=", "p\u{E5} norsk", "\u{1F469}\u{200D}",
        String(repeating: "x", count: 250), String(repeating: "\u{1F4A1} idé ", count: 20),
    ])
    func `a subject in any script and of any length arrives intact`(subject: String) throws {
        let mail = try ParsedMail(MailDraft.some(subject: subject).written())

        #expect(mail.headers["Subject"] == subject)
        #expect(mail.defects == [])
    }

    @Test(arguments: [
        "a.pdf", "with blanks.pdf", "quo\"te\\.pdf", "semi;colon=.pdf", "100 % på plass.pdf",
        String(repeating: "lang ", count: 38) + "å.pdf",
    ])
    func `a file keeps its name`(name: String) throws {
        let mail = try ParsedMail(
            MailDraft.some(
                attachments: [.init(name: name, contentType: "application/pdf", bytes: [1])]
            ).written())

        #expect(mail.parts.last?.name == name)
        #expect(mail.defects == [])
    }

    @Test(arguments: Seed.some(20))
    func `any text and any file arrive byte for byte`(seed: Seed) throws {
        var seed = seed
        let alphabet = Array(" \t\n\n.=-åø漢👩‍👧\u{301}aZ\r\u{0}_?")
        let text = String(
            (0..<Int.random(in: 0...400, using: &seed)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &seed)]
            })
        let bytes = (0..<Int.random(in: 0...300, using: &seed)).map { _ in
            UInt8.random(in: 0...255, using: &seed)
        }
        let mail = try ParsedMail(
            MailDraft.some(
                text: text,
                attachments: [.init(name: "a", contentType: "image/png", bytes: bytes)]
            ).written())

        #expect(mail.parts[0].text == text.replacing("\r\n", with: "\n"))
        #expect([UInt8](mail.parts[1].bytes) == bytes)
    }

    @Test(arguments: [
        (0, "Thu, 1 Jan 1970 00:00:00 +0000"),
        (951_782_400_999, "Tue, 29 Feb 2000 00:00:00 +0000"),
    ])
    func `a date is written in UTC`(time: Int64, text: String) {
        #expect(MailDate.text(time) == text)
    }
}

extension MailDraft {
    fileprivate static func some(
        subject: String = "s", text: String = "t", html: String = "",
        attachments: [Attachment] = []
    ) -> MailDraft {
        MailDraft(
            from: "steward@example.org", to: "ann@example.org", subject: subject,
            time: 1_795_273_509_000, messageID: "1@example.org", text: text, html: html,
            attachments: attachments)
    }
}
