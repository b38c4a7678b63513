import Messages
import TestSupport
import TestThreads
import Testing

/// What the checklist on a phone knows of the person's roles.
@Suite(.waiting) struct CrewPageTests {
    @Test func `the page names the areas of a crew member, and none for whoever has all of them`()
        throws
    {
        let lobby = try Lobby()
        let areas = ["kitchen", "service"]
        try lobby.openShift(areas: areas)
        let client = try lobby.system.client(of: .account)
        _ = try client.signUp(
            "cleo", areas.map { Grant(role: .crew, site: "Harbour", area: $0) })
        try lobby.add("ole", .crew)
        try lobby.add("kari", .siteManager)
        func page(_ name: String) throws -> String {
            try lobby.ask("GET", "/shift/Harbour", cookie: lobby.logIn(name)).body
        }

        let cleo = try page("cleo")
        #expect(cleo.contains(#"data-areas="kitchen service""#))
        #expect(cleo.contains(#"data-name="cleo""#) && !cleo.contains("data-leads"))
        let ole = try page("ole")
        #expect(!ole.contains("data-areas") && !ole.contains("data-leads"))
        #expect(try page("kari").contains("data-leads"))
    }
}
