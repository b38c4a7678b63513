import Bus
import Foundation
import Messages
import Speech
import Testing

@testable import Gateway

struct YourSitesTests {
    private let organisations = [
        Organisation(
            id: "o1", name: "Diner",
            sites: [Site(id: "s1", name: "Pier"), Site(id: "s2", name: "Ö")]
        ),
        Organisation(id: "o2", name: "Grill", sites: [Site(id: "s3", name: "pier")]),
    ]

    private func yours(_ grants: Grant...) -> YourSites {
        YourSites(of: Account(grants: grants), among: organisations)
    }

    @Test func `a person's sites are those where they have a role`() {
        #expect(yours().sites.isEmpty)
        #expect(yours(Grant(role: .crew, site: "s2")).sites.map(\.id) == ["s2"])
        #expect(yours(Grant(role: .crew, site: "elsewhere")).sites.isEmpty)
    }

    @Test func `the audit names carers, organisations and sites instead of their ids`() {
        let names = SiteNames(of: organisations)
        func detail(_ action: AuditAction, _ text: String) -> String {
            UserCommand.Audit.detail(
                .init(action: action.rawValue, detail: text), accounts: ["a1": "Kari"], names)
        }
        #expect(detail(.carerAdded, "a1") == "Kari" && detail(.carerRemoved, "a1") == "Kari")
        #expect(detail(.carerAdded, "gone") == "gone")
        for action in [AuditAction.organisationCreated, .signUpOpened, .signUpClosed] {
            #expect(detail(action, "o2") == "Grill")
        }
        #expect(detail(.roleGranted, "crew · s2") == "crew · Ö")
    }

    @Test func `a role at every site counts at each`() {
        #expect(yours(Grant(role: .administrator)).sites.count == 3)
        #expect(yours(Grant(role: .owner)).sites.count == 3)
    }

    @Test func `a site is found by its name, in any case, and by its id`() throws {
        let crew = yours(Grant(role: .crew, site: "s1"), Grant(role: .crew, site: "s2"))

        #expect(try crew.named("PIER").id == "s1")
        #expect(try crew.named("ö").id == "s2")
        #expect(try crew.named("s2").id == "s2")
        #expect(throws: Failure.self) { try crew.named("s3") }
    }

    @Test func `the id decides between two sites of the same name`() throws {
        let owner = yours(Grant(role: .owner))

        let failure = try #require(throws: Failure.self) { try owner.named("Pier") }
        #expect(failure.advice == "give the id of one of them: steward site list")
        #expect(try owner.named("s3").organisation == "o2")
    }

    @Test func `without a choice, the only site is meant, or none if there are several`() throws {
        #expect(try yours(Grant(role: .crew, site: "s2")).only().id == "s2")
        let several = try #require(throws: Failure.self) { try yours(Grant(role: .crew)).only() }
        #expect(several.advice?.contains("--site") == true)
        #expect(several.advice?.hasSuffix(": steward site use Pier") == true)
        let names = [Site(id: "s1", name: "Ann's"), Site(id: "s2", name: "Pier")]
        let sites = YourSites(
            of: Account(grants: [Grant(role: .crew)]), among: [Organisation(sites: names)])
        let unclear = try #require(throws: Failure.self) { try sites.only() }
        #expect(unclear.advice?.hasSuffix(#": steward site use 'Ann'\''s'"#) == true)
        let none = try #require(throws: Failure.self) { try yours().only() }
        #expect(none.advice == "ask an administrator for a role at a site")
    }
}

/// The log-in that all commands of a person on a machine share.
struct KeptLogInTests {
    @Test func `a command doesn't go on in the name of whoever logs in or out meanwhile`() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "log-in-\(UUID())")
        defer { do { try FileManager.default.removeItem(at: home) } catch { print(error) } }
        let configuration = try Bus.Configuration(environment: ["HOME": home.path])
        let connection = Connection(process: "steward", configuration: configuration)
        func process() -> KeptLogIn { KeptLogIn(configuration, connection) }
        func entry(_ name: String, _ token: UInt8, expires: Int64 = .max / 2) -> KeptLogIn.Entry {
            KeptLogIn.Entry(
                name: name, session: name, refreshToken: Data(),
                tokens: ["notifier": Data([token])], expires: expires)
        }
        let (command, other, late) = (process(), process(), process())
        try other.keep(entry("ann", 1))
        #expect(try command.token(for: .notifier) == [1])

        try other.keep(entry("bob", 2))
        #expect(throws: Failure.self) { try command.forgetTokens(refused: [1]) }
        #expect(try command.token(for: .notifier) == [1])

        try late.keep(entry("ann", 1, expires: 0))
        try other.keep(nil)
        // Without a token it would be the owner of the machine.
        #expect(throws: Failure.self) { try late.token(for: .notifier) }

        try other.keep(entry("ann", 3))
        #expect(try command.forgetTokens(refused: [1]))
        #expect(try command.token(for: .notifier) == [3])
        #expect(try late.token(for: .notifier) == [3])
    }
}
