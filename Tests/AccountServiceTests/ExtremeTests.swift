import Bus
import Messages
import TestSupport
import Testing

@testable import AccountService

extension Processes {
    /// Absurd numbers: the service answers every message, whatever is in it.
    @Suite struct ExtremeTests {
        @Test func `no number in a message about people stops the service`() throws {
            let office = try Office()
            try office.person("ann", Grant(role: .crew))
            let organisation = try office.ask(
                CreateSite(name: "Harbour", timeZone: "Europe/Berlin", areas: ["Kitchen"]),
                for: Organisation.self)
            let site = try #require(organisation.sites.first).id
            let grant = Grant(role: .crew, site: site, area: "Kitchen")
            let messages: [any ProtobufMessage] = [
                GrantRole(account: "ann", grant: grant), RevokeRole(account: "ann", grant: grant),
                Invite(grants: [grant]), ReadAudit(before: 1, limit: 1), WhoAmI(), ListAccounts(),
                ListSessions(), ListOrganisations(), CreateOrganisation(name: "Diner"),
                ChangeSite(site: site, addedAreas: ["Bar"]), SetSignUp(isOpen: true),
                SetAccountDisabled(account: "ann"),
                RefreshAccess(refreshToken: [1], audiences: ["notifier"], nextRefreshToken: [2]),
                LogIn(name: "ann", password: "x"), Replay(epoch: 1, after: 1, limit: 1),
            ]

            let wrong = try office.client.answersToExtremes(of: messages, from: { office.service })

            #expect(wrong == [])
            try office.restart()
            try office.forgetFailures()
            _ = try office.refresh(try office.logIn("ann").refreshToken)
        }
    }
}
