import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// The sites that a person may see.
@Suite(.waiting) struct OwnSitesTests {
    @Test func `an owner sees the sites of more organisations than one answer has`() throws {
        let lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.add("olga", .owner)
        try Self.addOrganisations(to: lobby)
        let olga = try lobby.logIn("olga")

        try eventually("the board is found") {
            let status = try lobby.ask("GET", "/board/Harbour", cookie: olga).status
            #expect(status != 404)
            return status == 200
        }
        #expect(try lobby.ask("GET", "/", cookie: olga).body.contains("Harbour"))
    }

    @Test func `the audit names an organisation that comes after more than one answer has`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("olga", .owner)
        _ = try lobby.addElsewhere("ole", organisation: "Second house")
        try Self.addOrganisations(to: lobby)
        let olga = try lobby.logIn("olga")

        let audit = try lobby.ask("GET", "/people/audit", cookie: olga).body
        #expect(audit.contains("organisation created · Second house<"))
    }

    /// Adds more organisations than two answers have, all of which come before any other.
    private static func addOrganisations(to lobby: Lobby) throws {
        let rows = (1...1200).map { number in
            let name = "a\(number)"
            let bytes = Organisation(id: name, name: name).packed()
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return "('\(name)', '\(name)', x'\(digits)')"
        }
        try lobby.system.edit(
            .account,
            "INSERT INTO organisation (id, name, organisation) VALUES "
                + rows.joined(separator: ", "))
    }

    @Test func `times on pages name the zone of the server for people who have no site`() throws {
        let lobby = try Lobby(zone: "Asia/Tokyo")
        try lobby.add("kari", .administrator)
        let kari = try lobby.logIn("kari")
        for path in ["/log-ins", "/people/audit"] {
            let page = try lobby.ask("GET", path, cookie: kari).body
            #expect(page.contains(" Asia/Tokyo"), "\(path)")
        }
    }

    @Test func `a board isn't missing because the sites could not be read`() throws {
        let lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.add("kari", .siteManager)
        let kari = try lobby.logIn("kari")
        let stored = try lobby.system.query(.account, "SELECT hex(site) FROM site")
        let site = try #require(stored.first?.first)
        try lobby.system.edit(.account, "UPDATE site SET site = x'FF'")
        #expect(try lobby.ask("GET", "/board/Harbour", cookie: kari).status == 503)

        try lobby.system.edit(.account, "UPDATE site SET site = x'\(site)'")

        try eventually("the board is there") {
            try lobby.ask("GET", "/board/Harbour", cookie: kari).status == 200
        }
    }
}
