import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct SiteTests {
        /// An installation with two sites, and people who work at none, one and both.
        private func office() throws -> Office {
            let office = try Office()
            for name in ["Harbour", "Old Mill"] {
                #expect(
                    try office.steward(
                        "site add '\(name)' --zone Europe/Berlin --area Kitchen --area Service"
                    ).end == .exited(0))
            }
            try office.person("none")
            try office.person("one", Grant(role: .crew, site: "harbour"))
            try office.person(
                "both", Grant(role: .crew, site: "harbour"), Grant(role: .crew, site: "old mill"))
            return office
        }

        private func logIn(_ office: Office, _ arguments: String) throws -> (
            end: Program.End, out: String, err: String
        ) {
            try office.steward("login " + arguments, typing: [Office.password])
        }

        @Test func `a person with one site works there from the log-in on`() throws {
            let office = try office()

            #expect(try logIn(office, "one").out == "logged in as one at Harbour\n")
            #expect(try office.steward("whoami").out.contains("works at Harbour now"))
            let who = try office.steward("whoami --json").out
            let json = try JSONSerialization.jsonObject(with: Data(who.utf8)) as? [String: Any]
            let account = (json?["accounts"] as? [[String: Any]])?.first
            #expect(account?["name"] as? String == "one")
            #expect((account?["site"] as? [String: String])?["name"] == "Harbour")
            #expect(try office.steward("site show").out.contains("zone     Europe/Berlin, now "))
        }

        @Test func `a person with several sites names one when logging in`() throws {
            let office = try office()

            #expect(try logIn(office, "both --site 'OLD MILL'").out.hasSuffix(" at Old Mill\n"))
            #expect(try office.steward("site show").out.hasPrefix("name     Old Mill\n"))
            #expect(
                try office.steward("site use harbour").out == "you work at Harbour now\n")
            #expect(try office.steward("whoami").out.contains("works at Harbour now"))
            #expect(try office.steward("site list").out.contains("in use"))
        }

        @Test func `if no site is chosen, the error lists the sites and says what to type`() throws
        {
            let office = try office()
            let logIn = try logIn(office, "both")

            #expect(logIn.out == "logged in as both\n")
            #expect(logIn.err.contains("choose: steward site use"))
            let show = try office.steward("site show")
            #expect(show.end == .exited(1))
            #expect(show.err.contains("yours are “Harbour”, “Old Mill”"))
            #expect(show.err.contains("name one with --site, or keep one: steward site use Har"))
        }

        @Test func `a person who may not work at a site can't log in there`() throws {
            let office = try office()
            _ = try logIn(office, "one")

            let refused = try logIn(office, "both --site Airport")
            let none = try logIn(office, "none --site Harbour")

            #expect(refused.end == .exited(1))
            #expect(refused.err.contains("you have no site “Airport”"))
            #expect(refused.err.contains("yours are “Harbour”, “Old Mill”"))
            #expect(none.err.contains("ask an administrator for a role at a site"))
            // The earlier log-in is still there, and no other.
            #expect(try office.steward("whoami").out.hasPrefix("one "))
            #expect(
                try office.system.query(
                    .account, "SELECT count(*) FROM session WHERE ended = 0") == [["1"]])
        }

        @Test func `a new log-in ends the previous one`() throws {
            let office = try office()
            _ = try logIn(office, "one")

            _ = try logIn(office, "both --site harbour")

            #expect(try office.steward("whoami").out.hasPrefix("both "))
            #expect(
                try office.system.query(
                    .account, "SELECT count(*) FROM session WHERE ended = 0") == [["1"]])
        }

        @Test func `the owner of the machine chooses a site without a log-in`() throws {
            let office = try office()

            let before = try office.steward("site show")
            _ = try office.steward("site use 'old mill'")

            #expect(before.err.contains("it is unclear which site is meant"))
            #expect(try office.steward("site show").out.hasPrefix("name     Old Mill\n"))
            #expect(!FileManager.default.fileExists(atPath: office.sessionFile()))
            // A person who logs in has a current site of their own, which leaves this one
            // unchanged.
            _ = try logIn(office, "one")
            #expect(try office.steward("site show").out.hasPrefix("name     Harbour\n"))
            _ = try office.steward("logout")
            #expect(try office.steward("site show").out.hasPrefix("name     Old Mill\n"))
        }

        @Test func `a site needn't be chosen if there is only one`() throws {
            let office = try Office()

            let none = try office.steward("site show")
            _ = try office.steward("site add Harbour --zone Europe/Berlin")

            #expect(none.err.contains("add one: steward site add NAME"))
            #expect(try office.steward("site show").out.hasPrefix("name     Harbour\n"))
        }

        @Test func `a site unknown to the client can't be found while account-service is down`()
            throws
        {
            let office = try office()
            _ = try office.steward("site use harbour")
            office.service.kill()

            let other = try office.steward("site show 'old mill'")

            #expect(other.end == .exited(69))
            #expect(other.err.contains("start it: steward up"))
        }

        @Test func `a site shows its people, and roles show the names of sites`() throws {
            let office = try office()

            #expect(try office.steward("site show harbour").out.contains("user     one: crew"))
            #expect(try office.steward("role list --site harbour").out.contains("Old Mill"))
            #expect(try office.steward("user list").out.contains("crew at Harbour"))
        }

        @Test func `an organisation may be given by its name`() throws {
            let office = try Office()
            let created = try office.steward("organisation create Diner")
            #expect(created.out.hasPrefix("Diner is an organisation, with the id "))

            let site = try office.steward(
                "site add Pier --zone Europe/Berlin --organisation diner")

            #expect(site.out == "Pier is a site, in the zone Europe/Berlin\n")
            #expect(try office.steward("user list --organisation DINER").end == .exited(0))
        }

        @Test func `a site's name, zone and areas can be changed`() throws {
            let office = try office()
            _ = try office.steward("site use harbour")

            let changed = try office.steward(
                "site change harbour --rename Pier --zone Asia/Tokyo --add-area Bar "
                    + "--remove-area kitchen")

            #expect(changed.out == "Pier: Asia/Tokyo, areas: Bar, Service\n")
            #expect(try office.steward("whoami").out.contains("works at Pier now"))
            #expect(try office.steward("site show pier").out.contains("zone     Asia/Tokyo, now "))
            #expect(try office.steward("site change pier").end == .exited(64))
        }

        @Test func `an area in which someone has a role can't be removed, nor a name be reused`()
            throws
        {
            let office = try office()
            let change = { try office.steward("site change harbour " + $0).err }
            _ = try office.steward("role grant none crew --site harbour --area KITCHEN")

            #expect(try change("--remove-area Kitchen").contains("someone has a role in “Kitchen”"))
            #expect(
                try change("--remove-area Bar").contains(
                    "the site has no area “Bar”; see them with steward site show"))
            #expect(
                try change("--rename 'old mill'").contains("there is a site “old mill” already"))
            #expect(try change("--zone Mars/Crater").contains("isn't a time zone"))
            #expect(try change("--rename HARBOUR") == "")
            #expect(try office.steward("user audit").out.contains("site changed"))
        }

        @Test func `an invitation to an area that was removed gives no role there`() throws {
            let office = try office()
            let invite = {
                try office.steward("user invite --role crew --site harbour --area " + $0).out
                    .trimmingCharacters(in: .newlines)
            }
            let (kitchen, service) = (try invite("Kitchen"), try invite("Service"))

            _ = try office.steward("site change harbour --remove-area kitchen")

            let gone = try office.steward(
                "user sign-up eve", typing: [kitchen, Office.password])
            let there = try office.steward(
                "user sign-up ann", typing: [service, Office.password])
            #expect(gone.err.contains("this invitation is not valid, or no longer valid"))
            #expect(there.out == "ann has an account\n")
        }
    }
}

extension Processes {
    @Suite struct OrganisationSizeTests {
        /// The bytes of events and replies that the store keeps.
        private func kept(_ office: Office) throws -> Int {
            let sums = try office.system.query(
                .account,
                """
                SELECT (SELECT sum(length(envelope)) FROM outbox)
                    + (SELECT sum(length(reply)) FROM inbox)
                """)
            return try #require(Int(sums[0][0]))
        }

        private func addSites(_ numbers: Range<Int>, to office: Office) throws {
            for number in numbers {
                _ = try office.ask(
                    CreateSite(name: "Site \(number)", timeZone: "Etc/UTC", areas: ["Bar"]),
                    for: Organisation.self)
            }
        }

        /// The bytes that ten commands about a site and one about the organisation add.
        private func cost(_ office: Office) throws -> Int {
            let before = try kept(office)
            for number in 0..<5 {
                for change in [
                    ChangeSite(site: "Site 0", addedAreas: ["Area \(number)"]),
                    ChangeSite(site: "Site 0", removedAreas: ["Area \(number)"]),
                ] {
                    let told = try office.ask(change, for: Organisation.self)
                    #expect(told.sites.map(\.name) == ["Site 0"])
                }
            }
            // The second command changes nothing.
            for isOpen in [true, true, false] {
                let told = try office.ask(SetSignUp(isOpen: isOpen), for: Organisation.self)
                #expect(told.signUpOpen == isOpen)
            }
            return try kept(office) - before
        }

        @Test func `what a change stores doesn't grow with the number of sites`() throws {
            let office = try Office()
            try addSites(0..<2, to: office)
            let few = try cost(office)
            try addSites(2..<102, to: office)

            let many = try cost(office)

            // A time or a position may take one byte more.
            #expect(many < few + 13 * 40, "\(few) bytes with 2 sites, \(many) with 102")
        }

        @Test func `a new follower gets each site in a message of its own`() throws {
            let office = try Office()
            try addSites(0..<30, to: office)
            let listed = try office.ask(ListOrganisations(), for: Organisations.self)

            let page = try office.client.replay(Replay(epoch: 1, after: 1 << 40, limit: 500))

            let events = try page.events.map { try Envelope(unpacking: $0) }
                .filter { $0.type == OrganisationChanged.protobufName }
                .compactMap { try OrganisationChanged(unpacking: $0.data).organisation }
            #expect(events.allSatisfy { $0.sites.count <= 1 })
            #expect(events.flatMap(\.sites) == listed.organisations[0].sites)
            #expect(events.filter(\.sites.isEmpty).map(\.id) == ["local"])
        }
    }
}

extension Processes {
    @Suite struct ManyNamesTests {
        /// Pads the number, so that names sort by number.
        private func name(_ what: String, _ number: Int) -> String {
            what + String(String(100_000 + number).dropFirst())
        }

        private func hex(_ message: some ProtobufMessage) -> String {
            "X'" + message.packed().map { String(format: "%02x", $0) }.joined() + "'"
        }

        @Test func `ten thousand organisations are sent page by page, each once`() throws {
            let office = try Office()
            let rows = (0..<10_000).map { number in
                let name = name("diner", number)
                return "('\(name)', '\(name)', \(hex(Organisation(id: name, name: name))))"
            }
            try office.system.edit(
                .account,
                "INSERT INTO organisation (id, name, organisation) VALUES "
                    + rows.joined(separator: ","))

            var told: [String] = []
            var query = ListOrganisations()
            repeat {
                let page = try office.ask(query, for: Organisations.self)
                #expect((1...500).contains(page.organisations.count))
                told += page.organisations.map(\.id)
                query.after = page.next
            } while !query.after.isEmpty

            #expect(told == (0..<10_000).map { name("diner", $0) } + ["local"])
            let listed = try office.steward("organisation list")
            #expect(listed.out.split(separator: "\n").count == 1 + told.count)
        }

        @Test func `organisations with many sites are sent in answers that fit`() throws {
            let office = try Office()
            let sites = (0..<600).map { number in
                Site(
                    id: name("site", number), name: String(repeating: "x", count: 700),
                    timeZone: "Etc/UTC")
            }
            let values = sites.flatMap { site in
                ["local", "other"].map { "('\($0)', '\(site.id)', \(hex(site)))" }
            }
            try office.system.edit(
                .account,
                """
                INSERT INTO organisation VALUES ('other', 'other', \(
                    hex(Organisation(id: "other", name: "Other"))));
                INSERT INTO site (organisation, id, site) VALUES \(values.joined(separator: ","))
                """)

            let first = try office.ask(ListOrganisations(), for: Organisations.self)
            let second = try office.ask(
                ListOrganisations(after: first.next), for: Organisations.self)

            #expect(first.organisations.map(\.sites.count) == [600])
            #expect(second.organisations.map(\.sites.count) == [600])
            #expect(second.next == "")
        }

        @Test func `ten thousand accounts are sent page by page, each once`() throws {
            let office = try Office()
            let ann = try office.person("ann")
            let rows = (0..<10_000).map { number in
                let name = name("cook", number)
                let account = Account(id: name, name: name, organisation: ann.organisation)
                return "('\(name)', '\(name)', '\(ann.organisation)', '', 0, 0, \(hex(account)))"
            }
            try office.system.edit(
                .account,
                """
                INSERT INTO account (id, name, organisation, password, isHead, isOwner, account)
                VALUES \(rows.joined(separator: ","))
                """)

            func told(as token: [UInt8]) throws -> (names: [String], pages: Int) {
                var names: [String] = []
                var pages = 0
                var query = ListAccounts()
                repeat {
                    let page = try office.ask(query, for: Accounts.self, as: token)
                    #expect(page.accounts.count <= 500)
                    names += page.accounts.map(\.name)
                    query.after = page.next
                    pages += 1
                } while !query.after.isEmpty
                return (names, pages)
            }

            let all = try told(as: [])
            let cooks = (0..<10_000).map { name("cook", $0) }
            #expect(all.names.filter { $0.hasPrefix("cook") } == cooks)
            #expect(all.names.filter { $0 == "ann" } == ["ann"])
            #expect(all.pages > 20)
            // Someone who sees only their own account gets pages too, so that no query takes long.
            let own = try told(as: office.access("ann"))
            #expect(own.names == ["ann"])
            #expect(own.pages > 5)
        }
    }
}
