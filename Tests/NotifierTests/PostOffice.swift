import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import ToyMessages

/// The notifier with a mail server on loopback, and a service that requests mails.
final class PostOffice {
    let system: System
    private(set) var server: SMTPServer?
    private(set) var notifier: Program?
    private let toy: Client
    private var port: Int
    private var hasAccounts = false

    /// - Parameter hasServer: whether the notifier knows the mail server.
    init(hasServer: Bool = true) throws {
        system = try System()
        server = hasServer ? try SMTPServer(in: system) : nil
        port = server?.port ?? 0
        toy = try system.client()
        try system.start("toy-service")
        try startNotifier()
    }

    /// Starts the notifier, under a clock that can be set.
    func startNotifier(adding others: [String: String] = [:]) throws {
        var settings = [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
            "SHIFTED_CLOCK": system.path("clock"),
        ]
        if port > 0 {
            settings["STEWARD_SMTP"] = "smtp://127.0.0.1:\(port)"
            settings["STEWARD_SMTP_FROM"] = "steward@example.org"
        }
        settings.merge(others) { $1 }
        let program = try system.launch("notifier", adding: settings)
        notifier = program
        try program.waitUntilReady()
    }

    /// Kills the notifier.
    func killNotifier() { notifier?.kill() }

    func startServer() throws {
        server = try SMTPServer(in: system, port: port)
        port = server?.port ?? 0
    }

    func stopServer() { server?.stop() }

    /// Moves the notifier's clock this number of seconds into the future.
    func setClock(_ seconds: Int) throws {
        try Data("\(seconds)".utf8).write(to: URL(filePath: system.path("clock")), options: .atomic)
    }

    /// Lets a day pass on the notifier's clock, after which what is due for deletion is deleted.
    ///
    /// - Parameter seconds: how far the clock is ahead before that.
    func passDay(from seconds: Int) throws {
        let begin = WallClock.milliseconds()
        try system.passDay(for: .notifier, from: begin + Int64(seconds) * 1000) {
            try setClock(Int(($0 - begin) / 1000))
        }
    }

    /// Requests a mail as a service would.
    func request(_ mail: MailRequested, unchecked: Bool = false) throws {
        _ = try toy.ask(Say(mail: mail.packed(), unchecked: unchecked), for: Raised.self)
    }

    /// Raises an alert as a service would whose alerts are about people's own rides.
    func raise(_ alert: AlertRaised) throws {
        _ = try toy.ask(Say(alert: alert.packed()), for: Raised.self)
    }

    /// Withdraws an alert as that service would.
    func withdraw(_ key: String) throws {
        _ = try toy.ask(Say(withdrawn: key), for: Raised.self)
    }

    /// Raises an alert as account-service would, whose alerts are about no person's rides or days.
    func raiseByAccounts(_ alert: AlertRaised) throws {
        if !hasAccounts { try system.start("toy-accounts") }
        hasAccounts = true
        _ = try system.client(of: .account).ask(alert, for: Raised.self)
    }

    /// Withdraws an alert as account-service would.
    func withdrawByAccounts(_ key: String) throws {
        _ = try system.client(of: .account).ask(AlertWithdrawn(key: key), for: Raised.self)
    }

    /// The mails in the notifier's store, oldest first. It doesn't query the notifier, which would
    /// treat every query as expired while its clock is ahead.
    func mails() throws -> [Mail] {
        try system.reading(.notifier) { db in
            try Data.fetchAll(db, sql: "SELECT mail FROM mail ORDER BY id")
                .map { try Mail(unpacking: [UInt8]($0)) }
        }
    }

    /// Sends the notifier a message, and returns the reply.
    func ask<R: ProtobufMessage>(_ message: some ProtobufMessage, for _: R.Type) throws -> R {
        try system.client(of: .notifier).ask(message, for: R.self)
    }

    /// Waits until the only mail is in a state.
    @discardableResult
    func waitForMail(_ state: MailState) throws -> Mail {
        var mail = Mail()
        try eventually("the mail is \(state)") {
            mail = try mails().first ?? mail
            return mail.state == state
        }
        return mail
    }

    /// The events of a type that the notifier has published, in order.
    func told<M: ProtobufMessage>(_: M.Type) throws -> [M] {
        try system.published(by: .notifier).filter { $0.type == M.protobufName }
            .map { try M(unpacking: $0.data) }
    }

    /// The Message-IDs of the mails that each recipient got.
    func arrived() throws -> [String: [String]] {
        var arrived: [String: [String]] = [:]
        for (to, bytes) in try server?.mails() ?? [] {
            let lines = String(decoding: bytes.prefix(2000), as: UTF8.self).split(separator: "\r\n")
            let id = lines.first { $0.hasPrefix("Message-ID: ") }?.dropFirst(12) ?? ""
            arrived[to, default: []].append(String(id))
        }
        return arrived
    }
}
