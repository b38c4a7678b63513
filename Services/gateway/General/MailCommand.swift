import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward mail`
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Shows what was mailed to whom, and retries mails.",
        discussion: """
            Mails are handed to the server that STEWARD_SMTP names, e.g. \
            smtp://user@mail.example.org, from the address STEWARD_SMTP_FROM, with the password in \
            the file STEWARD_SMTP_PASSWORD_FILE; set them where the notifier starts. For \
            administrators.
            """,
        subcommands: [List.self, Show.self, Retry.self, Test.self], defaultSubcommand: List.self)

    /// `steward mail list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the newest mails.")

        @Flag(help: "Only mails that were not sent.")
        var unsent = false
        @Option(help: "The maximum number of mails, up to 500.")
        var limit: UInt32 = 50
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .notifier, ListMails(unsentOnly: unsent, limit: limit), for: Mails.self)
            guard !output.json else {
                return try session.printer.json(
                    .mails, reply.mails, beside: ["held": reply.held, "more": reply.more])
            }
            if reply.mails.isEmpty {
                session.printer.remark(unsent ? "no mail waits" : "there are no mails")
            } else {
                session.printer.table(MailWords.table(reply.mails, try session.siteClock))
            }
            if reply.more { session.printer.remark("there are older ones: --limit, up to 500") }
            if !reply.held.isEmpty { session.printer.remark("steward: \(reply.held)") }
        }
    }

    /// `steward mail show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows everything about a mail except its text.")

        @Argument(help: "The mail's id, or its beginning (at least four characters).")
        var id: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let mail = try session.ask(
                .notifier, ReadMail(id: id.lowercased()), for: Mail.self)
            guard !output.json else { return try session.printer.json(.mails, [mail]) }
            for (name, value) in MailWords.lines(mail, try session.siteClock)
            where !value.isEmpty {
                session.printer.result(
                    "\(name):".padded(to: 12, onTheLeft: false) + value.printable)
            }
        }
    }

    /// `steward mail retry`
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Retries a mail that was given up, or sends a waiting one at once.")

        @Argument(
            help: ArgumentHelp(
                "The mail's id, or its beginning (at least four characters).", valueName: "id"))
        var ids: [String]
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if repeating.id != nil, ids.count > 1 {
                throw ValidationError("--id repeats one command; give one mail with it")
            }
        }

        func run() throws {
            let session = try Session()
            try output.each(ids, .mails, session.printer) { id in
                try session.ask(
                    .notifier, RetryMail(id: id.lowercased()), for: Mail.self,
                    repeating: repeating)
            } line: { mail in
                "the mail to \(mail.to.printable) is tried again now"
            }
        }
    }

    /// `steward mail test`
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Sends a short test mail and shows what became of it.")

        @Argument(help: "The address, e.g. ann@example.org.")
        var address: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// How long a server may take for one mail: see `MailTransfer.Limits`.
        static let patience: Duration = .seconds(300)
        static let interval: Duration = .milliseconds(200)

        func run() throws {
            let session = try Session()
            let asked = try session.ask(
                .notifier, SendTestMail(to: address), for: Mail.self, repeating: repeating)
            let mail = try follow(asked, session)
            if output.json { try session.printer.json(.mails, [mail]) }
            switch mail.state {
            case .sent:
                if !output.json {
                    session.printer.result("the mail server has accepted it")
                }
            case .dead: throw Failure(.refused, "the mail was refused: \(mail.error.printable)")
            case .retry:
                throw Failure(
                    .refused, "the mail could not be sent: \(mail.error.printable)",
                    advice: "it is tried again; see steward mail list")
            default:
                throw Failure(
                    .unknownOutcome, "the mail \(mail.id) is not sent yet",
                    advice: "see steward mail list")
            }
        }

        /// Waits until delivery of the mail was tried, or the time is up; fails at once while mails
        /// are held.
        private func follow(_ mail: Mail, _ session: Session) throws -> Mail {
            var mail = mail
            let held = try session.ask(.notifier, ListMails(limit: 1), for: Mails.self).held
            if !held.isEmpty {
                throw Failure(.refused, held, advice: "the mail waits until then")
            }
            let end = ContinuousClock.now + Self.patience
            let client = try session.client(.notifier, isPatient: true)
            Interruption.watch()
            while mail.state == .pending || mail.state == .sending, !Interruption.isWanted,
                ContinuousClock.now < end
            {
                // A signal ends the wait early, as intended.
                poll(nil, 0, Int32(Self.interval / .milliseconds(1)))
                mail = try client.ask(ReadMail(id: mail.id), for: Mail.self)
            }
            return mail
        }
    }
}

/// A mail as text for a person.
enum MailWords {
    /// The mails, one on each line.
    static func table(_ mails: [Mail], _ clock: SiteClock) -> TextTable {
        let length = ShortID.length(telling: mails.map(\.id))
        var table = TextTable([
            .id("ID"), .time(clock.title("REQUESTED", of: mails.map(\.requested))), .text("STATE"),
            .number("TRIES"), .time("NEXT"),
            .text("TO"), .text("SUBJECT"), .text("ERROR"),
        ])
        for mail in mails {
            table.add([
                .init(String(mail.id.prefix(length))), .init(clock.moment(mail.requested)),
                .init(state(mail.state), style(mail.state)), "\(mail.attempts)",
                .init(mail.state == .retry ? clock.moment(mail.due) : ""), .init(mail.to),
                .init(mail.subject), .init(mail.error),
            ])
        }
        return table
    }

    /// Everything known about a mail.
    static func lines(_ mail: Mail, _ clock: SiteClock) -> [(String, String)] {
        [
            ("id", mail.id), ("to", mail.to), ("subject", mail.subject),
            ("state", state(mail.state)), ("tries", "\(mail.attempts)"),
            ("next", mail.state == .retry ? clock.fullMoment(mail.due) : ""),
            ("error", mail.error), ("requested", clock.fullMoment(mail.requested)),
            ("changed", clock.fullMoment(mail.changed)), ("by", mail.source), ("key", mail.key),
            ("message-id", mail.messageId),
        ]
    }

    private static func state(_ state: MailState) -> String {
        switch state {
        case .retry: "waits"
        case .dead: "given up"
        default: state.description
        }
    }

    private static func style(_ state: MailState) -> Style? {
        switch state {
        case .sent: .green
        case .retry: .yellow
        case .dead: .red
        default: nil
        }
    }
}

extension Session {
    /// Says why mails wait, unless they are sent, or that can't be found out. Only the owner of the
    /// machine asks: others may not, and would be reported for trying.
    func remarkOnHeldMails() {
        do {
            guard try keptLogIn.entry() == nil else { return }
            let held = try ask(
                .notifier, ListMails(limit: 1), for: Mails.self, deadline: .seconds(2)
            ).held
            if !held.isEmpty { printer.remark("note: the mails wait: \(held)") }
        } catch {}
    }
}
