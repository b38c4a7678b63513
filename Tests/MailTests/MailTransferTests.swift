import Foundation
import MailFormat
import TestSupport
import Testing

@testable import Transfers

/// Mails handed to a real server, and what is reported if it refuses them.
@Suite struct MailTransferTests {
    let system: System

    init() throws { system = try System() }

    @Test func `a mail arrives byte for byte, dots and long lines included`() throws {
        let server = try SMTPServer(in: system)
        let pdf = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        let mail = MailDraft(
            from: "steward@example.org", to: "ann@example.org", subject: "Åpning", time: 0,
            messageID: "1@example.org", text: MailDraftTests.norwegian,
            attachments: [.init(name: "a.pdf", contentType: "application/pdf", bytes: pdf)]
        ).written()

        #expect(send(mail, to: "ann@example.org", server) == .sent)

        let arrived = try #require(try server.mails().first)
        #expect(arrived.to == "ann@example.org")
        #expect(arrived.bytes == mail)
        #expect(try [UInt8](ParsedMail(arrived.bytes).parts[1].bytes) == pdf)
    }

    @Test(arguments: [
        ("refused", MailOutcome.refused("the mail server says: 550 5.1.1 no such mailbox")),
        ("spam", .refused("the mail server says: 554 5.7.1 this looks like spam")),
        ("full", .delayed("the mail server says: 452 4.2.2 mailbox full")),
        (
            "closing",
            .delayed("the mail server says: 421 4.4.5 too many connections", ofServer: true)
        ),
        (
            "client",
            .delayed("the mail server says: 450 4.7.1 client host rejected", ofServer: true)
        ),
        (
            "sender",
            .delayed(
                "the mail server says: 450 4.1.8 sender address rejected: domain not found",
                ofServer: true)
        ),
        ("busy", .delayed("the mail server says: 451 4.3.0 come back later", ofServer: true)),
        ("denied", .delayed("the mail server says: 530 5.7.0 log in first", ofServer: true)),
    ])
    func `the server's reply decides whether to try again, and who else waits`(
        name: String, outcome: MailOutcome
    ) throws {
        let server = try SMTPServer(in: system)

        #expect(send(to: "\(name)@example.org", server) == outcome)
        #expect(try server.mails().isEmpty)
    }

    @Test func `a server that accepts nothing from a sender refuses every mail`() throws {
        let server = try SMTPServer(in: system)

        #expect(
            MailTransfer(server.plain)
                .send(Self.mail, from: "limited@example.org", to: "ann@example.org")
                == .delayed(
                    "the mail server says: 451 4.7.1 too many mails from you", ofServer: true))
    }

    @Test(arguments: [
        (
            "banned",
            MailOutcome.delayed(
                "the mail server says: 550 5.7.1 sender address rejected", ofServer: true)
        ),
        ("large", .refused("the mail server says: 552 5.3.4 message too big")),
    ])
    func `no mail is given up because its server refuses the sender`(
        sender: String, outcome: MailOutcome
    ) throws {
        let server = try SMTPServer(in: system)

        #expect(
            MailTransfer(server.plain)
                .send(Self.mail, from: "\(sender)@example.org", to: "ann@example.org") == outcome)
    }

    @Test func `a server that agrees without words is known to accept the sender`() throws {
        let server = try SMTPServer(in: system)

        #expect(
            MailTransfer(server.plain)
                .send(Self.mail, from: "terse@example.org", to: "full@example.org")
                == .delayed("the mail server says: 452 4.2.2 mailbox full"))
    }

    @Test func `a server that asks to try later gets the mail later`() throws {
        let server = try SMTPServer(in: system)

        #expect(send(to: "later@example.org", server).isDelayed)
        #expect(send(to: "later@example.org", server) == .sent)
        #expect(try server.mails().count == 1)
    }

    @Test func `a lost reply after the mail leads to a second attempt`() throws {
        let server = try SMTPServer(in: system)

        #expect(send(to: "cut@example.org", server).isDelayed)
        #expect(send(to: "cut@example.org", server) == .sent)
        #expect(try server.mails().count == 2)
    }

    @Test func `a server that hangs is given up after the time limit`() throws {
        let server = try SMTPServer(in: system)
        var limits = MailTransfer.Limits()
        limits.answer = .seconds(1)

        let transfer = MailTransfer(server.plain, limits: limits)
        let time = shortestTime(under: .seconds(20)) {
            ContinuousClock().measure {
                let outcome = transfer.send(
                    Self.mail, from: "s@example.org", to: "hang@example.org")
                #expect(outcome.isDelayed)
            }
        }
        #expect(time < .seconds(20))
    }

    @Test func `a server that isn't there is tried again`() throws {
        let server = try SMTPServer(in: system)
        server.stop()

        #expect(send(to: "ann@example.org", server).isDelayed)
    }

    @Test func `a password is sent if the server asks for one, and a wrong one can be fixed`()
        throws
    {
        let server = try SMTPServer(in: system, ["--user", "ann", "s3cret p\u{E5}ssord"])
        let account = MailServer(
            host: "127.0.0.1", port: server.port, encryption: .offered, user: "ann")

        #expect(send(account, password: "s3cret p\u{E5}ssord") == .sent)
        #expect(
            send(account, password: "wrong")
                == .delayed(
                    "login denied: the mail server says: 535 5.7.8 Authentication credentials "
                        + "invalid", ofServer: true))
        #expect(send(server.plain).isDelayed)
    }

    @Test func `nothing is sent unencrypted to a server if encryption is required`() throws {
        let server = try SMTPServer(in: system)
        let required = MailServer(host: "127.0.0.1", port: server.port, encryption: .required)

        #expect(send(required).isDelayed)
        #expect(try server.mails().isEmpty)
    }

    @Test(arguments: [true, false])
    func `a certificate must be good, but not on loopback`(isImmediate: Bool) throws {
        let (certificate, key) = try makeCertificate()
        let more = isImmediate ? ["--immediate"] : []
        let server = try SMTPServer(
            in: system, ["--tls", certificate, key] + more)
        let kind: MailServer.Encryption = isImmediate ? .immediate : .required
        func ask(_ encryption: MailServer.Encryption, authorities: String? = nil) -> MailOutcome {
            send(
                MailServer(
                    host: "127.0.0.1", port: server.port, encryption: encryption,
                    authorities: authorities))
        }

        #expect(ask(kind).isDelayed)
        #expect(try server.mails().isEmpty)
        #expect(ask(kind, authorities: certificate) == .sent)
        if !isImmediate { #expect(ask(.offered) == .sent) }
    }

    @Test func `what a server says is shown in 300 characters, without endless marks`() {
        func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }
        #expect("550 e\(marks(400))\u{7} no\r\n".printableLine == "550 e\(marks(30)) no")
        // One character of seven scalars.
        let family = String(repeating: "👩‍👩‍👧‍👦", count: 100)
        #expect(family.printableLine.unicodeScalars.count == 300)
    }

    private static let mail = Array("Subject: s\r\n\r\nt\r\n".utf8)

    private func send(
        _ mail: [UInt8] = mail, to: String, _ server: SMTPServer
    ) -> MailOutcome {
        MailTransfer(server.plain).send(mail, from: "steward@example.org", to: to)
    }

    private func send(_ server: MailServer, password: String = "") -> MailOutcome {
        MailTransfer(server, password: password)
            .send(Self.mail, from: "steward@example.org", to: "ann@example.org")
    }

    private func makeCertificate() throws -> (certificate: String, key: String) {
        let paths = (system.path("certificate.pem"), system.path("key.pem"))
        let openssl = try system.spawn(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-out", paths.0, "-keyout", paths.1,
            ], environment: [:])
        try #require(try openssl.waitForEnd() == .exited(0), "\(openssl.err)")
        return paths
    }
}

extension SMTPServer {
    fileprivate var plain: MailServer {
        MailServer(host: "127.0.0.1", port: port, encryption: .offered)
    }
}

extension MailOutcome {
    fileprivate var isDelayed: Bool { if case .delayed = self { true } else { false } }
}
