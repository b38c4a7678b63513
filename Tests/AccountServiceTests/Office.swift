import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// An installation with account-service, and people who use it.
final class Office {
    static let password = "correct horse battery"

    let system: System
    let client: Client
    private(set) var service: Program

    init() throws {
        system = try System()
        service = try system.start("account-service")
        client = try system.client(of: .account)
    }

    /// Ends the service as a power cut does, and starts it again.
    func restart(_ arguments: String...) throws {
        service.kill()
        service = try system.launch("account-service", arguments)
        try service.waitUntilReady()
    }

    /// Asks in the name of a token; without one as the owner of the machine.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as token: [UInt8] = []
    ) throws -> R {
        client.token = token
        defer { client.token = [] }
        return try client.ask(message, for: R.self)
    }

    /// What one is told who may not.
    func refusal(
        of message: some ProtobufMessage, as token: [UInt8] = []
    ) throws -> Refusal {
        client.token = token
        defer { client.token = [] }
        let id = try client.send(message)
        while true {
            for answer in try client.receive(within: .seconds(10)) where answer.id == id {
                let envelope = try answer.result.get()
                return try #require(
                    envelope.type == Refusal.protobufName
                        ? try Refusal(unpacking: envelope.data) : nil,
                    "it was answered with \(envelope.type)")
            }
        }
    }

    /// Makes an account with these roles.
    @discardableResult
    func person(
        _ name: String, in organisation: String = "", _ grants: Grant...
    ) throws -> Account {
        let invitation = try ask(
            Invite(organisation: organisation, grants: grants), for: Invitation.self)
        return try ask(
            SignUp(name: name, password: Self.password, invitation: invitation.code),
            for: Account.self)
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

    /// Lets the time of waits pass.
    func forgetFailures() throws { try system.edit(.account, "DELETE FROM failure") }
}

extension Refusal {
    static let wrong = Refusal(code: .forbidden, message: "the name or the password is wrong")
    static let over = Refusal(code: .forbidden, message: "this session is over; log in again")
}

/// Those that start processes run one after the other, so that none waits for the machine.
@Suite(.serialized) enum Processes {}
