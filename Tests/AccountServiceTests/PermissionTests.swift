import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

/// Two organisations, three sites, and all kinds of senders.
private final class Company {
    let office: Office
    private var tokens: [Who: [UInt8]] = [:]
    private var homes: [Where: (site: String, organisation: String)] = [:]
    private var count = 0

    init() throws {
        office = try Office()
        let own = try office.ask(CreateOrganisation(name: "Diner"), for: Organisation.self)
        let other = try office.ask(CreateOrganisation(name: "Grill"), for: Organisation.self)
        for (place, organisation) in [(Where.here, own), (.there, own), (.far, other)] {
            let site = try office.ask(
                CreateSite(
                    organisation: organisation.id, name: place.rawValue, timeZone: "Europe/Berlin"),
                for: Organisation.self
            ).sites.last
            homes[place] = (try #require(site).id, organisation.id)
            try office.person("other-\(place.rawValue)", in: organisation.id)
            try office.person(
                "owner-\(place.rawValue)", in: organisation.id, Grant(role: .owner))
        }
        // This leaves an administrator when another one is disabled.
        for organisation in [own, other] {
            try office.person(
                "head-of-\(organisation.name)", in: organisation.id,
                Grant(role: .administrator))
        }
        for who in Who.allCases {
            let site = who.role.map { $0.rawValue < Role.administrator.rawValue } ?? false
            let grants = who.role.map { [Grant(role: $0, site: site ? "here" : "")] } ?? []
            let invitation = try office.ask(
                Invite(organisation: own.id, grants: grants), for: Invitation.self)
            _ = try office.ask(
                SignUp(
                    name: who.rawValue, password: Office.password, invitation: invitation.code),
                for: Account.self)
        }
    }

    /// A new account at a place, with everything that a message of this row may name. One that is
    /// here has named the carer of the table.
    func target(_ place: Where, for row: Permission) throws -> Target {
        guard let home = homes[place] else { throw Complaint("there is no \(place)") }
        let name = "target-\(nextNumber())"
        let grant = Grant(role: .crew, site: home.site)
        let account = try office.person(name, in: home.organisation, grant)
        if place == .here {
            let carer = AddCarer(carer: Who.carer.rawValue, account: name)
            _ = try office.ask(carer, for: Account.self, as: office.access(name))
        }
        var target = Target(
            place: place, name: name, id: account.id, other: "other-\(place.rawValue)",
            site: home.site, organisation: home.organisation)
        let naming: [any ProtobufMessage.Type] = [
            LogOut.self, ListSessions.self, RefreshAccess.self,
        ]
        if naming.contains(where: { $0 == row.message }) {
            let logIn = try office.logIn(name)
            (target.session, target.refreshToken) = (logIn.session, logIn.refreshToken)
        }
        return target
    }

    private func nextNumber() -> Int {
        count += 1
        return count
    }

    /// Makes anew what each attempt uses up.
    func renew(_ target: inout Target, for row: Permission) throws {
        try office.forgetFailures()
        target.fresh = "fresh-\(nextNumber())"
        guard row.message == SignUp.self else { return }
        target.invitation = try office.ask(
            Invite(organisation: target.organisation), for: Invitation.self
        ).code
    }

    /// Creates what a message removes.
    func prepare(_ message: any ProtobufMessage, _ target: Target) throws {
        if let message = message as? RevokeRole {
            _ = try office.ask(
                GrantRole(account: target.name, grant: message.grant), for: Account.self)
        }
        if message is RemoveCarer {
            _ = try office.ask(
                AddCarer(carer: target.name, account: target.other), for: Account.self)
        }
        if message is SetSignUp {
            _ = try office.ask(
                SetSignUp(organisation: target.organisation), for: Organisation.self)
        }
    }

    func forgetTokens() { tokens = [:] }

    func token(of who: Who) throws -> [UInt8] {
        if let token = tokens[who] { return token }
        var password = Office.password
        if who == .withCode {
            password = try office.ask(
                ResetPassword(account: who.rawValue), for: ResetCode.self
            ).code
        }
        let logIn = try office.ask(
            LogIn(name: who.rawValue, password: password), for: LoggedIn.self)
        let granted = try office.refresh(logIn.refreshToken)
        let token = try #require(granted.tokens[ServiceName.account.rawValue])
        tokens[who] = token
        return token
    }

    /// The whole state, except for what a denied attempt may leave behind: the counts of attempts,
    /// the audit, the kept replies.
    func state() throws -> [[String]] {
        try [
            "SELECT id, password, account FROM account ORDER BY id",
            "SELECT id, organisation FROM organisation ORDER BY id",
            "SELECT id, ended, token FROM session ORDER BY id", "SELECT code FROM invitation",
            "SELECT account, code FROM resetCode", "SELECT publicKey, ends FROM signingKey",
            "SELECT max(sequence) FROM outbox",
        ].flatMap { try office.system.query(.account, $0) }
    }
}

extension Processes {
    @Suite struct PermissionTests {
        @Test func `every message has a row in the table`() {
            let rows = Set(PermissionTable.rows.map { $0.message.protobufName })

            #expect(rows == Set(AccountService.handlers.map(\.type)))
        }

        @Test func `every asker gets what the table allows, and no more`()
            throws
        {
            let company = try Company()
            var wrong: [String] = []
            for place in Where.allCases {
                // Access tokens live ten minutes.
                company.forgetTokens()
                for row in PermissionTable.rows {
                    var target = try company.target(place, for: row)
                    for who in Who.allCases {
                        let isAllowed = row.allowed[place]?.contains(who) ?? false
                        try company.renew(&target, for: row)
                        if try attempt(row, who, target, company, expecting: isAllowed) { continue }
                        wrong.append(
                            "\(who) may \(isAllowed ? "" : "not ")send \(row.message.protobufName) "
                                + "\(row.note) about what is \(place)")
                    }
                }
            }
            #expect(wrong == [])
        }

        @Test func `over TCP only people who have logged in get past the log-in`() throws {
            let system = try System()
            let bus = "tcp://127.0.0.1:\(Loopback.port())"
            let service = try system.launch("account-service", bus: bus)
            try service.waitUntilReady()
            let client = try system.client(of: .account, bus: bus)
            let nothing = Target(
                place: .here, name: "x", id: "x", other: "x", site: "x",
                organisation: "x")
            let open = [SignUp.self, LogIn.self, RefreshAccess.self] as [any ProtobufMessage.Type]

            for row in PermissionTable.rows {
                let answer = try client.answer(to: row.make(nothing))
                let refusal = try Refusal(unpacking: answer.data)
                let isOpen = open.contains { $0 == row.message }
                #expect(
                    refusal.message.contains("this needs an account") != isOpen,
                    "\(row.message.protobufName): \(refusal)")
            }
            #expect(try system.query(.account, "SELECT count(*) FROM account") == [["1"]])
        }

        /// - Returns: true if the result was as expected.
        private func attempt(
            _ row: Permission, _ who: Who, _ target: Target, _ company: Company,
            expecting isAllowed: Bool
        ) throws -> Bool {
            let message = row.make(target)
            try company.prepare(message, target)
            let token = try company.token(of: who)
            let before = try company.state()
            let answer = try company.office.answer(to: message, as: token)
            let isDone = try !isRefused(answer) && reveals(answer, target)
            guard isDone == isAllowed else { return false }
            return try isDone || company.state() == before
        }

        /// True if it is a refusal for lack of a right; any other refusal is a mistake in the test.
        private func isRefused(_ answer: Envelope) throws -> Bool {
            guard answer.type == Refusal.protobufName else { return false }
            let refusal = try Refusal(unpacking: answer.data)
            guard [.forbidden, .notFound].contains(refusal.code) else {
                throw Complaint("it was refused for another reason: \(refusal)")
            }
            return true
        }

        /// True if an answer reveals the target; a list counts if it contains the target.
        private func reveals(_ answer: Envelope, _ target: Target) -> Bool {
            switch answer.type {
            case Accounts.protobufName:
                (try? Accounts(unpacking: answer.data))?.accounts.contains { $0.id == target.id }
                    ?? false
            case Organisations.protobufName:
                (try? Organisations(unpacking: answer.data))?.organisations
                    .contains { $0.sites.contains { $0.id == target.site } } ?? false
            case Audit.protobufName:
                (try? Audit(unpacking: answer.data))?.entries.contains { $0.subject == target.id }
                    ?? false
            case Sessions.protobufName:
                (try? Sessions(unpacking: answer.data))?.sessions
                    .contains { $0.id == target.session } ?? false
            default: true
            }
        }
    }
}
