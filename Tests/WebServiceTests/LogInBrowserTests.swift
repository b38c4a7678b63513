import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A person's own log-ins in Chromium, and the ways to another device.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct LogInBrowserTests {
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby()
        try lobby.add("kari", .siteManager)
    }

    private func begin(_ name: String, _ more: [String: String] = [:]) throws -> Browser.Page {
        try browser.begin(name, profile: lobby.system.path("browser-\(name)"), more)
    }

    @Test func `the link of the command line logs its user in once, after a tap`() throws {
        let link = try lobby.link()
        #expect(link.hasPrefix(lobby.address + "/login#name="))
        let page = try begin("owner")
        try page.go(link)
        try eventually("the code is filled in") { try !page.text(".note").isEmpty }
        // A link that someone sends logs nobody in on its own, and is stored nowhere.
        #expect(try page.address == lobby.address + "/login")
        #expect(try page.cookies == [])
        #expect(try page.barriers == [])
        try page.click("button.main")
        try eventually("the owner is logged in") { try page.address == lobby.address + "/" }

        let thief = try begin("thief")
        try thief.go(link)
        try eventually("the code is filled in") { try !thief.text(".note").isEmpty }
        try thief.click("button.main")
        try eventually("it is refused") { try !thief.text(".fault").isEmpty }
        #expect(try thief.cookies == [])
        #expect(try page.problems == [])
    }

    @Test(arguments: [
        ("en-GB", "light", "320"), ("nb-NO", "dark", "1280"), ("sv-SE", "light", "360"),
    ])
    func `another device is logged in by a code, and logged out from here`(
        locale: String, scheme: String, width: String
    ) throws {
        let page = try begin("kari", ["locale": locale, "scheme": scheme, "width": width])
        func look(_ what: String) throws {
            #expect(try page.barriers == [], "\(what)")
            #expect(try page.widthsToScroll == [], "\(what)")
        }
        try page.logIn(lobby, as: "kari")
        try page.go(lobby.address + "/log-ins")
        try look("log-ins")
        try page.click("section.card button.main")
        try eventually("there is a code") { try page.text("#code").count == 9 }
        #expect(
            try page.run("document.querySelector('.qr path').getAttribute('d').length > 500")
                == "true")
        try look("code")

        let phone = try begin("phone")
        try phone.go(lobby.address + "/login")
        try phone.fill("#name", "kari")
        try phone.fill("#password", try page.text("#code"))
        try phone.click("button.main")
        try eventually("the phone is logged in") { try phone.address == lobby.address + "/" }

        try page.go(lobby.address + "/log-ins")
        #expect(try page.run("document.querySelectorAll('.rows li').length") == "2")
        try page.click(".rows li:not(:has(.badge)) button")
        try eventually("one is left") {
            try page.run("document.querySelectorAll('.rows li').length") == "1"
        }
        try eventually("the phone is logged out") {
            try phone.go(lobby.address + "/")
            return try phone.address == lobby.address + "/login"
        }
        // The person's own log-in can be ended there too.
        try page.click(".rows li button")
        try eventually("this log-in has ended") { try page.address.contains("/login") }
        #expect(try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]])
        #expect(try page.problems == [])
    }

    @Test func `all log-ins are ended at once`() throws {
        let (page, other) = (try begin("page"), try lobby.logIn("kari"))
        try page.logIn(lobby, as: "kari")
        try page.go(lobby.address + "/log-ins")
        try page.click("form[action='/log-ins/end'] button")
        try eventually("this log-in has ended") { try page.address.contains("/login") }
        try eventually("the other one has ended too") {
            try lobby.ask("GET", "/", cookie: other).status == 303
        }
    }

    @Test func `nothing of a ride is in the browser after log-out`() throws {
        let page = try begin("kari")
        try page.logIn(lobby, as: "kari")
        let kept = """
            (localStorage.setItem('ride/kari', '{"positions":[{"time":' + Date.now() + '}]}'),
                localStorage.setItem('ride-stops/kari', '[{"id":"pier"}]'),
                localStorage.setItem('sound', 'on'), 'set')
            """
        #expect(try page.run(kept) == "set")
        try page.click(".bar form button")
        try eventually("kari is logged out") { try page.address.contains("/login") }
        try eventually("only the rest is there") {
            try page.run("Object.keys(localStorage).join()") == "sound"
        }
        #expect(try page.problems == [])
    }

    @Test func `a form that is pressed twice while its answer is on its way is sent once`() throws {
        try lobby.add("ann", .administrator)
        let page = try begin("ann")
        try page.logIn(lobby, as: "ann")
        try page.go(lobby.address + "/people")
        let before = try invitations()
        try lobby.holdOther("account-service", true)
        let press = """
            new Promise((go) => {
                const button = document.querySelector("form[action='/people/invite'] button");
                button.click();
                setTimeout(() => { button.click(); go('pressed'); }, 500);
            })
            """
        #expect(try page.run(press) == "pressed")
        try lobby.holdOther("account-service", false)
        try eventually("there is an invitation") { try page.text("#code").isEmpty == false }
        #expect(try invitations() == before + 1)
    }

    /// The number of invitations that there are.
    private func invitations() throws -> Int {
        let rows = try lobby.system.query(.account, "SELECT count(*) FROM invitation")
        return try #require(rows.first?.first.flatMap { Int($0) })
    }
}
