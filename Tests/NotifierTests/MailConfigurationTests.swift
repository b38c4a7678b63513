import Bus
import Transfers
import TestSupport
import Testing

@testable import Notifier

/// The notifier's settings for the mail server.
@Suite struct MailConfigurationTests {
    @Test func `without a server there is no mail configuration`() throws {
        #expect(try MailConfiguration([:]) == nil)
    }

    @Test(arguments: [
        (
            "smtp://mail.example.org",
            MailServer(host: "mail.example.org", port: 587, encryption: .required)
        ),
        ("smtp://localhost", MailServer(host: "localhost", port: 587, encryption: .offered)),
        ("smtp://[::1]:2525", MailServer(host: "[::1]", port: 2525, encryption: .offered)),
        ("smtps://h/", MailServer(host: "h", port: 465, encryption: .immediate)),
        ("smtp-unencrypted://h", MailServer(host: "h", port: 25, encryption: .none)),
    ])
    func `the address determines how a server is reached`(text: String, server: MailServer) throws {
        #expect(try configuration(["STEWARD_SMTP": text])?.server == server)
    }

    @Test(arguments: ["smtp://ann%40example.org@h", "smtp://ann@example.org@h"])
    func `the user may be a mail address`(text: String) throws {
        let configuration = try configuration([
            "STEWARD_SMTP": text, "STEWARD_SMTP_PASSWORD_FILE": "/secret",
        ])

        #expect(configuration?.server.user == "ann@example.org")
        #expect(configuration?.server.host == "h")
    }

    @Test(arguments: [
        (
            ["STEWARD_SMTP": "mail.example.org"],
            "STEWARD_SMTP is not a mail server's address; write smtp://host, "
                + "smtp://user@host:587, smtps://user@host:465 or smtp-unencrypted://host:25"
        ),
        (
            ["STEWARD_SMTP": "smtp://ann:pass@h"],
            "STEWARD_SMTP has a password; put it in a file and name the file in "
                + "STEWARD_SMTP_PASSWORD_FILE"
        ),
        (["STEWARD_SMTP": "smtp://h:0"], "the port of STEWARD_SMTP is 0; it must be 1 to 65535"),
        (
            ["STEWARD_SMTP": "smtp://ann@h"],
            "STEWARD_SMTP names a user and STEWARD_SMTP_PASSWORD_FILE is not set; put the "
                + "password in a file and set it to the file's path"
        ),
        (
            ["STEWARD_SMTP": "smtp://h", "STEWARD_SMTP_PASSWORD_FILE": "/secret"],
            "STEWARD_SMTP_PASSWORD_FILE is set and STEWARD_SMTP names no user; write "
                + "smtp://user@host, or unset that variable"
        ),
        (
            ["STEWARD_SMTP": "smtp://ann@h", "STEWARD_SMTP_PASSWORD_FILE": "secret"],
            "STEWARD_SMTP_PASSWORD_FILE is “secret”; it must be an absolute path"
        ),
        (
            [
                "STEWARD_SMTP": "smtp-unencrypted://ann@h",
                "STEWARD_SMTP_PASSWORD_FILE": "/secret",
            ],
            "STEWARD_SMTP would send a password that everyone on the network can read; write "
                + "smtp:// or smtps://"
        ),
        (
            ["STEWARD_SMTP": "smtp://h", "STEWARD_SMTP_FROM": "Ann <a@b>"],
            "STEWARD_SMTP_FROM: “Ann <a@b>” is not a plain e-mail address, like "
                + "ann@example.org; a domain in other letters is written in its form xn--…"
        ),
    ])
    func `a bad setting is reported in a sentence, without anything secret`(
        settings: [String: String], sentence: String
    ) {
        #expect(throws: ConfigurationError(sentence)) { try configuration(settings) }
    }

    @Test(arguments: ["LANG", "STEWARD_LANG"])
    func `a language without a mail server isn't an error`(variable: String) throws {
        #expect(try MailConfiguration([variable: "nb_NO.UTF-8"]) == nil)
    }

    @Test func `settings that belong together must be set together`() {
        #expect(throws: ConfigurationError.self) {
            try MailConfiguration(["STEWARD_SMTP": "smtp://h"])
        }
        #expect(throws: ConfigurationError.self) {
            try MailConfiguration(["STEWARD_SMTP_FROM": "a@b"])
        }
    }

    @Test func `an unusable setting prevents the start`() throws {
        let system = try System()
        let notifier = try system.launch(
            "notifier",
            adding: [
                "STEWARD_SMTP": "smtp://ann@h", "STEWARD_SMTP_FROM": "a@example.org",
                "STEWARD_SMTP_PASSWORD_FILE": system.path("missing"),
            ])

        #expect(try notifier.waitForEnd() == .exited(78))
        #expect(notifier.err.contains("can't be read; check the path and who may read it"))
    }

    private func configuration(_ settings: [String: String]) throws -> MailConfiguration? {
        try MailConfiguration(["STEWARD_SMTP_FROM": "steward@example.org"].merging(settings) { $1 })
    }
}
