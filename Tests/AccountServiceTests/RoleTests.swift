import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    @Suite struct RoleTests {
        @Test func `a role is granted at a site and removed again`() throws {
            let office = try Office()
            try office.person("ann")
            let organisation = try office.ask(
                CreateSite(name: "Harbour", timeZone: "Europe/Berlin", areas: ["Kitchen"]),
                for: Organisation.self)
            let site = try #require(organisation.sites.first)
            let grant = Grant(role: .crew, site: "harbour", area: "Kitchen")

            let given = try office.ask(GrantRole(account: "ann", grant: grant), for: Account.self)
            let taken = try office.ask(RevokeRole(account: "ann", grant: grant), for: Account.self)

            #expect(given.grants == [Grant(role: .crew, site: site.id, area: "Kitchen")])
            #expect(taken.grants == [])
            #expect(taken.authEpoch == given.authEpoch + 1)
        }

        @Test func `an account and an invitation have at most the same number of roles`() throws {
            let office = try Office()
            let crew = { (number: Int) in Grant(role: .crew, site: "s\(number)") }
            var full = Account(grants: (1...Account.mostGrants).map(crew))

            #expect(throws: Account.tooManyGrants) { _ = try full.add(crew(0)) }
            let many = (0...Account.mostGrants).map(crew)
            #expect(try office.refusal(of: Invite(grants: many)) == Account.tooManyGrants)
        }

        @Test func `the last administrator and the last owner can't be removed`() throws {
            let office = try Office()
            let owner = try office.ask(WhoAmI(), for: Account.self)

            #expect(
                try office.refusal(
                    of: RevokeRole(account: owner.name, grant: Grant(role: .owner)))
                    == .lastAdministrator)
            try office.person("ann", Grant(role: .administrator))
            #expect(
                try office.refusal(of: SetAccountDisabled(account: owner.id, isDisabled: true))
                    == .lastOwner)
            #expect(try office.ask(WhoAmI(), for: Account.self) == owner)
        }

        @Test func `an organisation keeps its last administrator`() throws {
            let office = try Office()
            let diner = try office.ask(CreateOrganisation(name: "Diner"), for: Organisation.self)
            try office.person("boss", in: diner.id, Grant(role: .administrator))
            let revoke = RevokeRole(account: "boss", grant: Grant(role: .administrator))

            #expect(try office.refusal(of: revoke) == .lastAdministrator)
            #expect(
                try office.refusal(of: SetAccountDisabled(account: "boss", isDisabled: true))
                    == .lastAdministrator)
            try office.person("second", in: diner.id, Grant(role: .administrator))
            #expect(try office.ask(revoke, for: Account.self).grants == [])
        }

        @Test func `the audit has every grant and every failed log-in, and no secret`() throws {
            let office = try Office()
            let ann = try office.person("ann")
            _ = try office.ask(
                GrantRole(account: "ann", grant: Grant(role: .supervisor)), for: Account.self)
            _ = try office.refusal(of: LogIn(name: "ann", password: "a wrong secret"))
            _ = try office.refusal(of: LogIn(name: "typed-secret", password: "x"))

            let audit = try office.audit()

            #expect(
                audit.map(\.action) == [
                    "log-in failed", "log-in failed", "role granted", "signed up", "invited",
                ])
            #expect(audit[1].subject == ann.id)
            #expect(audit[2].detail == "supervisor")
            #expect(!"\(audit)".contains("secret"))
        }

        @Test func `a carer whom an administrator names waits until the person agrees`() throws {
            let office = try Office()
            let (child, parent) = (try office.person("child"), try office.person("parent"))
            let token = try office.access("child")
            func named(as token: [UInt8] = []) throws -> Account {
                try office.ask(
                    AddCarer(carer: "parent", account: "child"), for: Account.self, as: token)
            }
            func present() throws -> Account {
                try office.ask(WhoAmI(), for: Account.self, as: token)
            }
            func declined(as token: [UInt8] = []) throws -> Account {
                try office.ask(
                    RemoveCarer(carer: "parent", account: "child"), for: Account.self, as: token)
            }

            for decliner in [[], token] {
                #expect(try named().caresFor == [])
                #expect(try named() == named())
                #expect(try present().proposedCarers == [parent.id])
                #expect(try declined(as: decliner).authEpoch == 0)
                #expect(try present().proposedCarers == [])
            }
            _ = try named()
            let seen = try office.ask(ListAccounts(), for: Accounts.self, as: token).accounts
            #expect(seen.map(\.name) == ["child", "parent"])
            let stranger = try office.access("parent")
            let unseen = try office.ask(ListAccounts(), for: Accounts.self, as: stranger).accounts
            #expect(unseen.map(\.name) == ["parent"])

            let carer = try named(as: token)
            #expect(carer.caresFor == [child.id])
            #expect(try present().proposedCarers == [])
            let granted = try office.refresh(try office.logIn("parent").refreshToken)
            let claims = try AccessToken(unpacking: try #require(granted.tokens["notifier"])).claims
            #expect(try Claims(unpacking: claims).caresFor == [child.id])
            let ended = try declined()
            #expect(ended.caresFor == [])
            #expect(ended.authEpoch == carer.authEpoch + 1)
            let steps = try office.audit().map(\.action).filter { $0.hasPrefix("carer") }
            #expect(
                steps.reversed() == [
                    "carer proposed", "carer removed", "carer proposed", "carer removed",
                    "carer proposed", "carer added", "carer removed",
                ])
        }

        @Test func `a carer of someone who can't log in is asked about once the person can`() throws
        {
            let office = try Office()
            let (child, ann) = (try office.person("child"), try office.person("ann"))
            let parent = try office.person("parent")
            _ = try office.logIn("ann")
            func parentAfter(_ message: some ProtobufMessage) throws -> Account {
                _ = try office.ask(message, for: Account.self)
                let accounts = try office.ask(ListAccounts(), for: Accounts.self).accounts
                return try #require(accounts.first { $0.id == parent.id })
            }
            for person in [child, ann] {
                _ = try parentAfter(SetAccountDisabled(account: person.id, isDisabled: true))
                _ = try parentAfter(AddCarer(carer: "parent", account: person.id))
            }

            // Ann was logged in a moment ago.
            let carer = try parentAfter(AddCarer(carer: "parent", account: child.id))
            #expect(carer.caresFor == [child.id])
            let enabled = try parentAfter(SetAccountDisabled(account: child.id, isDisabled: false))
            #expect(enabled.caresFor == [])
            #expect(enabled.authEpoch == carer.authEpoch + 1)
            let token = try office.access("child")
            let agreed = try office.ask(
                AddCarer(carer: "parent", account: "child"), for: Account.self, as: token)
            #expect(agreed.caresFor == [child.id])
            let steps = try office.audit().map(\.action).filter { $0.hasPrefix("carer") }
            #expect(
                steps.reversed() == [
                    "carer assigned", "carer proposed", "carer proposed", "carer added",
                ])
        }

        @Test func `nobody can be a carer for a person of another organisation`() throws {
            let office = try Office()
            let diner = try office.ask(CreateOrganisation(name: "Diner"), for: Organisation.self)
            try office.person("ann", in: diner.id)
            try office.person("bob")

            #expect(
                try office.refusal(of: AddCarer(carer: "bob", account: "ann"))
                    == .noAccount("bob"))
        }

        @Test func `adding a carer reveals neither their address nor whom else they care for`()
            throws
        {
            let office = try Office()
            let invitation = try office.ask(Invite(), for: Invitation.self)
            let helper = try office.ask(
                SignUp(
                    name: "helper", password: Office.password, invitation: invitation.code,
                    email: "helper@example.org"), for: Account.self)
            let (child, eve) = (try office.person("child"), try office.person("eve"))
            let care = AddCarer(carer: helper.id, account: child.id)
            #expect(try office.ask(care, for: Account.self).email == "helper@example.org")
            _ = try office.ask(care, for: Account.self, as: office.access("child"))
            let token = try office.access("eve")

            let named = try office.ask(
                AddCarer(carer: "helper", account: "eve"), for: Account.self, as: token)
            let again = try office.ask(
                AddCarer(carer: "helper", account: "eve"), for: Account.self, as: token)
            let listed = try office.ask(ListAccounts(), for: Accounts.self, as: token)
                .accounts.filter { $0.id == helper.id }
            let removed = try office.ask(
                RemoveCarer(carer: "helper", account: "eve"), for: Account.self, as: token)

            for account in [named, again] + listed {
                #expect(account.email == "")
                #expect(account.caresFor == [eve.id])
            }
            #expect(listed.count == 1)
            #expect(removed.email == "")
            #expect(removed.caresFor == [])
        }

        @Test func `a new follower gets the present state`() throws {
            let office = try Office()
            try office.person("ann")

            // The reply to a position that never existed is the present state.
            let page = try office.client.replay(Replay(epoch: 1, after: 1 << 40, limit: 500))

            let types = try page.events.map { try Envelope(unpacking: $0).type }
            #expect(types.contains(KeyPublished.protobufName))
            #expect(types.contains(OrganisationChanged.protobufName))
            #expect(types.filter { $0 == AccountChanged.protobufName }.count == 2)
        }
    }
}
