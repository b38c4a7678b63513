import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// An installation with account-service, and people who use it.
final class Office {
    static let password = Client.password

    let system: System
    let client: Client
    private(set) var service: Program
    private var typed = 0

    /// - Parameter prepare: sets up what exists before the service starts.
    init(_ prepare: (System) throws -> Void = { _ in }) throws {
        system = try System()
        try prepare(system)
        service = try system.start("account-service")
        client = try system.client(of: .account)
    }

    /// Ends the service as a power cut would, and starts it again.
    func restart(_ arguments: String..., adding more: [String: String] = [:]) throws {
        service.kill()
        service = try system.launch("account-service", adding: more, arguments)
        try service.waitUntilReady()
    }

    /// Changes much of the store while the service is stopped: a running one waits for its store
    /// for only five seconds.
    func editStopped(_ sql: String) throws {
        service.kill()
        try system.edit(.account, sql)
        service = try system.start("account-service")
    }

    /// Sends a message with a token, or without one as the owner of the machine.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as token: [UInt8] = []
    ) throws -> R {
        client.token = token
        defer { client.token = [] }
        return try client.ask(message, for: R.self, deadline: .seconds(60))
    }

    /// The refusal of a message; the test fails if it was accepted.
    func refusal(
        of message: some ProtobufMessage, as token: [UInt8] = []
    ) throws -> Refusal {
        let envelope = try answer(to: message, as: token)
        return try #require(
            envelope.type == Refusal.protobufName ? try Refusal(unpacking: envelope.data) : nil,
            "it was answered with \(envelope.type)")
    }

    /// The answer to a message, even if it is a refusal.
    func answer(
        to message: some ProtobufMessage, as token: [UInt8] = []
    ) throws -> Envelope {
        client.token = token
        defer { client.token = [] }
        return try client.answer(to: message)
    }

    /// Makes an account with these roles.
    @discardableResult
    func person(
        _ name: String, in organisation: String = "", _ grants: Grant...
    ) throws -> Account {
        try client.signUp(name, in: organisation, grants)
    }

    func logIn(_ name: String, device: String = "laptop") throws -> LoggedIn {
        try ask(
            LogIn(name: name, password: Self.password, device: device), for: LoggedIn.self)
    }

    func refresh(_ token: [UInt8]) throws -> AccessGranted {
        try ask(
            RefreshAccess(
                refreshToken: token, audiences: ServiceName.allCases.map(\.rawValue)),
            for: AccessGranted.self)
    }

    /// The access token of a person for account-service.
    func access(_ name: String) throws -> [UInt8] {
        let granted = try refresh(try logIn(name).refreshToken)
        return try #require(granted.tokens[ServiceName.account.rawValue])
    }

    func audit() throws -> [Audit.Entry] {
        try ask(ReadAudit(), for: Audit.self).entries
    }

    // MARK: The command line

    /// Runs `steward` with lines on its standard input, as the person with this home directory.
    func steward(
        _ arguments: String, typing lines: [String] = [], home: String = "",
        adding more: [String: String] = [:]
    ) throws -> (end: Program.End, out: String, err: String) {
        let program = try spawnSteward(arguments, typing: lines, home: home, adding: more)
        return (try program.waitForEnd(), program.out, program.err)
    }

    /// Does the same without waiting for the program to exit.
    func spawnSteward(
        _ arguments: String, typing lines: [String] = [], home: String = "",
        adding more: [String: String] = [:]
    ) throws -> Program {
        let input = system.path("typed-\(typed)")
        typed += 1
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: input))
        try system.makeFolder(home)
        let own = ["HOME": system.path(home)]
        return try system.spawn(
            [
                "/bin/sh", "-c", "exec '\(System.executables)/steward' \(arguments) < '\(input)'",
            ],
            environment: system.environment(adding: own.merging(more) { $1 }))
    }

    /// The file in which the command line keeps the session of a person.
    func sessionFile(home: String = "") -> String {
        system.path(home + "/.config/steward/session")
    }

    /// Ends all waits after failed attempts.
    func forgetFailures() throws { try system.edit(.account, "DELETE FROM failure") }
}

extension Refusal {
    static let wrong = Refusal.forbidden("the name or the password is wrong")
        .because(.loginWrong)
    static let over = Refusal.forbidden("this session is over; log in again")
        .because(.sessionOver)
}

/// Tests that start processes: each has an installation of its own, so a few run at once.
@Suite(.waiting) enum Processes {}
