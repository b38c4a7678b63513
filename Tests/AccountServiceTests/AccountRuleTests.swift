import Messages
import Testing

@testable import AccountService

@Suite struct AccountRuleTests {
    private func account(
        _ id: String = "a", in organisation: String = "o", _ grants: Grant...
    ) -> Account {
        Account(id: id, name: id, displayName: id, organisation: organisation, grants: grants)
    }

    private func asker(_ grants: Grant..., in organisation: String = "o") -> Asker {
        var account = account("me", in: organisation)
        account.grants = grants
        return Asker(account: account, session: "s")
    }

    @Test(arguments: ["ann", "ann@example.org", "Ünal", "刘", String(repeating: "x", count: 100)])
    func `a name is a word or an e-mail address`(name: String) throws {
        #expect(try Account.checkedName(name) == name)
    }

    @Test(
        arguments: [
            "", "ann smith", "ann\n", "a\u{0}b", "a\u{200B}b", String(repeating: "x", count: 101),
            "01a1fe69-39a9-7637-b3a1-8b6b6b484d37",
        ])
    func `text that can't be typed or is ambiguous is not a name`(name: String) {
        #expect(throws: Refusal.self) { try Account.checkedName(name) }
    }

    @Test func `names are compared without regard to case and Unicode composition`() {
        #expect(Account.folded("Ann") == Account.folded("ANN"))
        #expect(Account.folded("Jose\u{301}") == Account.folded("JOS\u{C9}"))
    }

    @Test(arguments: ["1234567", "password", "PASSWORD", "aaaaaaaaaa", "ann@example.org"])
    func `an easily guessed password is refused`(password: String) {
        #expect(throws: Refusal.self) {
            try Account.validatePassword(password, name: "ann@example.org")
        }
    }

    @Test(
        arguments: [
            "correct horse", "密码密码密码密码一二", String(repeating: "ab c", count: 256),
        ])
    func `any other text from 8 characters to 1024 bytes is a password`(password: String) throws {
        try Account.validatePassword(password, name: "ann")
        #expect(throws: Refusal.self) {
            try Account.validatePassword(String(repeating: "ab c", count: 257), name: "ann")
        }
    }

    @Test func `the last administrator can't lose the role`() throws {
        let before = account("a", Grant(role: .administrator))
        let after = account("a")

        #expect(throws: Refusal.lastAdministrator) {
            try after.checkSuccession(from: before, otherHeads: 0, otherOwners: 1)
        }
        try after.checkSuccession(from: before, otherHeads: 1, otherOwners: 0)
    }

    @Test func `the last administrator and the last owner can't be disabled`() throws {
        let before = account("a", Grant(role: .owner))
        var after = before
        after.isDisabled = true

        #expect(throws: Refusal.lastAdministrator) {
            try after.checkSuccession(from: before, otherHeads: 0, otherOwners: 0)
        }
        #expect(throws: Refusal.lastOwner) {
            try after.checkSuccession(from: before, otherHeads: 1, otherOwners: 0)
        }
        try after.checkSuccession(from: before, otherHeads: 1, otherOwners: 1)
    }

    @Test func `an account that is already disabled may lose its role`() throws {
        var before = account("a", Grant(role: .administrator))
        before.isDisabled = true
        var after = before
        try after.remove(Grant(role: .administrator))

        try after.checkSuccession(from: before, otherHeads: 0, otherOwners: 0)
    }

    static let given: [(by: Grant, role: Role, site: String, isAllowed: Bool)] = [
        (Grant(role: .owner), .owner, "", true),
        (Grant(role: .owner), .administrator, "", true),
        (Grant(role: .administrator), .owner, "", false),
        (Grant(role: .administrator), .administrator, "", true),
        (Grant(role: .administrator), .siteManager, "s", true),
        (Grant(role: .siteManager, site: "s"), .administrator, "", false),
        (Grant(role: .siteManager, site: "s"), .supervisor, "s", false),
        (Grant(role: .siteManager, site: "s"), .siteManager, "s", false),
        (Grant(role: .siteManager, site: "s"), .shiftManager, "s", true),
        (Grant(role: .siteManager, site: "s"), .crew, "s", true),
        (Grant(role: .siteManager, site: "s"), .crew, "t", false),
        (Grant(role: .siteManager, site: "s"), .crew, "", false),
        (Grant(role: .siteManager), .crew, "t", true),
        (Grant(role: .supervisor, site: "s"), .crew, "s", false),
        (Grant(role: .shiftManager, site: "s"), .crew, "s", false),
        (Grant(role: .crew, site: "s"), .display, "s", false),
        (Grant(role: .display, site: "s"), .display, "s", false),
    ]

    @Test(arguments: given)
    func `nobody can grant a role that they don't have`(
        by: Grant, role: Role, site: String, isAllowed: Bool
    ) throws {
        let (asker, grant) = (asker(by), Grant(role: role, site: site))

        if isAllowed {
            try asker.requireGrant(grant, in: "o")
        } else {
            #expect(throws: Refusal.self) { try asker.requireGrant(grant, in: "o") }
        }
        // Only the owner of the installation has power in another organisation.
        if by.role != .owner {
            #expect(throws: Refusal.self) { try asker.requireGrant(grant, in: "other") }
        }
    }

    @Test func `an administrator has no power over an owner`() throws {
        let administrator = asker(Grant(role: .administrator))

        #expect(throws: Refusal.lacks(.owner)) {
            try administrator.requirePower(over: account("x", Grant(role: .owner)))
        }
        try administrator.requirePower(over: account("x", Grant(role: .administrator)))
        #expect(throws: Refusal.lacks(.administrator)) {
            try administrator.requirePower(over: account("x", in: "other"))
        }
    }

    @Test func `a person sees themselves, their people and nothing of other organisations`() {
        let crew = asker(Grant(role: .crew, site: "s"))
        let manager = asker(Grant(role: .shiftManager, site: "s"))
        let here = account("x", Grant(role: .crew, site: "s"))
        let there = account("x", Grant(role: .crew, site: "t"))
        let other = account("x", in: "other", Grant(role: .crew, site: "s"))

        #expect(crew.sees(crew.account))
        #expect(!crew.sees(here))
        #expect(manager.sees(here))
        #expect(!manager.sees(there))
        #expect(!manager.sees(other))
        #expect(!asker(Grant(role: .administrator)).sees(other))
        #expect(asker(Grant(role: .owner)).sees(other))
    }
}

@Suite struct OrganisationRuleTests {
    private let organisation = Organisation(
        id: "o", name: "Diner",
        sites: [Site(id: "s1", name: "Harbour", timeZone: "Europe/Berlin", areas: ["Kitchen"])])

    @Test func `a grant is kept with the id of its site`() throws {
        #expect(
            try organisation.checked(Grant(role: .crew, site: "harbour", area: "Kitchen"))
                == Grant(role: .crew, site: "s1", area: "Kitchen"))
        #expect(try organisation.checked(Grant(role: .crew)) == Grant(role: .crew))
    }

    @Test(
        arguments: [
            Grant(), Grant(role: .unrecognized(99)), Grant(role: .crew, site: "elsewhere"),
            Grant(role: .crew, site: "s1", area: "Bar"), Grant(role: .crew, area: "Kitchen"),
            Grant(role: .administrator, site: "s1"), Grant(role: .owner, site: "s1"),
        ])
    func `a grant that names something unknown is refused`(grant: Grant) {
        #expect(throws: Refusal.self) { try organisation.checked(grant) }
    }

    @Test func `at most 100 carers are proposed to a person, and a person may accept any number`()
        throws
    {
        var person = Account(id: "ann", name: "ann")
        for number in 1...Account.mostProposed {
            var carer = Account(id: "\(number)")
            try person.gain(carer: &carer, .awaited)
            #expect(carer.caresFor == [])
        }
        var last = Account(id: "last")
        let refusal = #expect(throws: Refusal.self) {
            try person.gain(carer: &last, .awaited)
        }
        #expect(refusal?.isBecause(.carerProposed) == true)

        var first = Account(id: "1")
        try person.gain(carer: &first, .given)
        try person.gain(carer: &last, .given)
        #expect(first.caresFor == ["ann"] && last.caresFor == ["ann"])
        #expect(person.proposedCarers == (2...Account.mostProposed).map { "\($0)" })
    }

    @Test func `a site has a unique name and an existing time zone`() throws {
        let id = try #require(MessageID("0192e4a1-7b3c-7def-8123-456789abcdef"))
        var changed = organisation

        #expect(throws: Refusal.self) {
            try changed.add(CreateSite(name: "HARBOUR", timeZone: "Europe/Berlin"), id: id)
        }
        // Foundation knows the last three, but no other service does.
        for zone in ["Mars/Olympus", "", "../Europe/Berlin", "PST", "GMT+5", "UTC+02:00"] {
            let refusal = #expect(throws: Refusal.self, "\(zone)") {
                try changed.add(CreateSite(name: "Market", timeZone: zone), id: id)
            }
            #expect(refusal?.isBecause(.zoneUnknown) == true, "\(zone)")
        }
        let site = try changed.add(
            CreateSite(name: "Market", timeZone: "Europe/Berlin", areas: ["B", "A", "B"]), id: id)
        #expect(site.areas == ["A", "B"])
        #expect(changed.sites.last == site)
    }

    @Test func `the sites of an organisation fit in one message`() throws {
        let id = try #require(MessageID("0192e4a1-7b3c-7def-8123-456789abcdef"))
        // 200 areas with names of 400 bytes.
        let areas = (100..<300).map { "\($0)" + String(repeating: "😀", count: 97) }
        var full = organisation
        full.sites = (0..<6).map {
            Site(id: "\($0)", name: "Site \($0)", timeZone: "Etc/UTC", areas: areas)
        }

        #expect(throws: Refusal.self) {
            try full.add(CreateSite(name: "More", timeZone: "Etc/UTC", areas: areas), id: id)
        }
        // An organisation from an earlier version that is already too large can be made smaller.
        full.sites.append(Site(id: "6", name: "Site 6", timeZone: "Etc/UTC", areas: areas))
        let change = ChangeSite(site: "6", removedAreas: [areas[0]])
        #expect(try full.change(change, grants: []).areas == Array(areas.dropFirst()))
        #expect(full.packed().count < Envelope.maximumSize)
    }
}
