import Bus
import Foundation
import HTTPExchange
import Messages
import Phrases
import TestSupport
import TestThreads
import Testing

/// The get-off alarm in Chromium, with transit-alert-service.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct RideBrowserTests {
    private static let demo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/demo").standardized.path
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby(with: ["transit-alert-service"])
        try lobby.add("kari", .siteManager)
        try lobby.command("transit", "import", "\(Self.demo)/harbour-line")
    }

    /// The places of the recorded ride, oldest first.
    private func places() throws -> [(latitude: Double, longitude: Double)] {
        try String(contentsOfFile: "\(Self.demo)/ride.csv", encoding: .utf8)
            .split(separator: "\n").dropFirst().compactMap { line in
                let parts = line.split(separator: ",")
                guard parts.count > 2, let north = Double(parts[1]), let east = Double(parts[2])
                else { return nil }
                return (north, east)
            }
    }

    /// The place on the ride after which the alarm is due soonest, within this range of
    /// milliseconds.
    private func place(due range: ClosedRange<Int64>) throws -> (
        latitude: Double, longitude: Double
    ) {
        let client = try lobby.system.client(of: .transitAlert)
        let stops = try client.ask(FindStops(text: "4131"), for: Stops.self).stops
        let stop = try #require(stops.first)
        var soonest: (due: Int64, place: (latitude: Double, longitude: Double))?
        for (index, place) in try places().enumerated() where index.isMultiple(of: 3) {
            let journey = try client.ask(
                StartJourney(feed: stop.feed, stopId: stop.id, policy: 2), for: Journey.self)
            let now = WallClock.milliseconds()
            let fix = Fix(
                time: now,
                place: Coordinate(
                    latitudeE7: Int32(place.latitude * 1e7),
                    longitudeE7: Int32(place.longitude * 1e7)),
                accuracy: 80)
            let at = try client.ask(
                RecordPositions(journeyId: journey.id, fixes: [fix]), for: Journey.self)
            _ = try client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
            let due = at.due - now
            // It is due sooner the further the ride has come.
            if soonest != nil, due < range.lowerBound { break }
            if at.stage == .riding, range.contains(due), due < soonest?.due ?? .max {
                soonest = (due, place)
            }
        }
        guard let soonest else {
            throw Complaint("at none of the places is the alarm due in that time")
        }
        return soonest.place
    }

    private func begin(_ more: [String: String] = [:]) throws -> Browser.Page {
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"), more)
        try page.logIn(lobby, as: "kari")
        try page.go(lobby.address + "/ride")
        try page.click("#ride button.main")
        return page
    }

    private func choose(_ page: Browser.Page, _ text: String) throws {
        try page.fill("#stop", text)
        try page.click("#stops button:has-text('General Hospital (4131)')")
    }

    /// Ends every log-in of the person, as a new password does.
    private func endLogIns() throws {
        let there = try lobby.logIn("kari")
        let form = "present=\(Target.encoded(Lobby.password))&new=another+long+password"
        #expect(try lobby.ask("POST", "/password", cookie: there, form: form).status == 303)
    }

    /// Whether a page with a ride says that the log-in is over.
    private func isLoggedOut(_ page: Browser.Page) throws -> Bool {
        // As when there is contact again: it sends at once.
        _ = try page.run("document.dispatchEvent(new Event('live'))")
        return try page.text("#ride").contains("log-in is over")
    }

    /// Ends the ride: the second tap says that the first was meant.
    private func end(_ page: Browser.Page) throws {
        // However long a busy machine takes from one to the other.
        _ = try page.run("performance.now = () => 1000")
        for _ in 1...2 { try page.click("#ride .hand [data-key='end']") }
        _ = try page.run("delete performance.now")
    }

    private func look(_ page: Browser.Page, _ what: String) throws {
        #expect(try page.barriers == [], "\(what)")
        #expect(
            try page.run("document.documentElement.scrollWidth <= innerWidth") == "true", "\(what)")
    }

    @Test(arguments: [("en-GB", "light"), ("nb-NO", "dark"), ("sv-SE", "light")])
    func `a stop is found while it is typed, and the ride begins and ends`(
        locale: String, scheme: String
    ) throws {
        let page = try browser.begin(
            "kari", profile: lobby.system.path("browser-kari"),
            ["locale": locale, "scheme": scheme, "width": "320"])
        try page.logIn(lobby, as: "kari")
        try page.go(lobby.address + "/ride")
        // The page says what happens with positions before the browser asks for permission.
        try eventually("it says so") { try page.text("#ride h2").count > 5 }
        let policy = try page.text("#ride")
        let language = try #require(Language(rawValue: String(locale.prefix(2))))
        for phrase in [
            ScreenPhrase.privacyUse, .privacyEnd, .privacyComment, .privacyKept, .privacyErase,
        ] {
            #expect(policy.contains(Words<ScreenPhrase>(language).say(phrase)))
        }
        try look(page, "privacy")
        try page.click("#ride button.main")
        try page.fill("#stop", "nowhere")
        try eventually("there is none") { try page.text("#stops").count > 10 }
        try page.fill("#stop", "gen hosp")
        try eventually("it is found") { try page.text("#stops").contains("General Hospital") }
        try look(page, "search")
        try page.click("#stops button")
        try look(page, "before the start")
        let first = try #require(try places().first)
        try page.move(latitude: first.latitude, longitude: first.longitude)
        try page.click("#ride button.main")
        try eventually("it is followed") {
            try lobby.journeys(of: "kari").first.map { $0.fixes > 0 } ?? false
        }
        try look(page, "ride")
        let cookie = try #require(try page.cookies.first { $0.hasPrefix("steward=") })
        #expect(try lobby.ask("GET", "/ride", cookie: cookie).status == 200)
        // A page that is loaded again continues with the ride.
        try page.go(lobby.address + "/ride")
        try eventually("it goes on") {
            try page.run("document.getElementById('ride').dataset.stage") == "riding"
        }
        try end(page)
        try eventually("it is over") { try lobby.journeys(of: "kari").first?.stage == .finished }
        try eventually("no position is left") {
            try page.run("Object.keys(localStorage).filter((it) => it.startsWith('ride/')).length")
                == "0"
        }
        #expect(try page.problems == [])
    }

    @Test func `a ride begins and ends although the clock of the device is an hour ahead`() throws {
        let page = try browser.begin("kari", profile: lobby.system.path("browser-kari"))
        try page.prepare("Date.now = ((real) => () => real() + 3600000)(Date.now.bind(Date));")
        try page.logIn(lobby, as: "kari")
        try page.go(lobby.address + "/ride")
        try page.click("#ride button.main")
        try choose(page, "gen hosp")
        try page.click("#ride button.main")
        try eventually("it has begun") { try lobby.journeys(of: "kari").first?.stage == .riding }
        try end(page)
        try eventually("it is over") { try lobby.journeys(of: "kari").first?.stage == .finished }
    }

    /// With a clock that is right, and with one that is set back by an hour on the way.
    @Test(arguments: [0, 3_600_000])
    func `the alarm rings at the time that the server named, although the server is gone`(
        leap: Int
    ) throws {
        let place = try place(due: 30_000...150_000)
        let page = try begin()
        try choose(page, "gen hosp")
        try page.move(latitude: place.latitude, longitude: place.longitude)
        try page.click("#ride button.main")
        try eventually("the alarm is planned") {
            try page.run("document.getElementById('ride').dataset.planned ?? ''")
                .contains("getReady")
        }
        lobby.kill()
        let back = "(Date.now = ((real) => () => real() - \(leap))(Date.now.bind(Date)), 'set')"
        #expect(try page.run(back) == "set")

        try eventually("it rings", within: .seconds(240)) {
            try page.run("document.getElementById('ride').classList.contains('ringing')") == "true"
        }
        let rang = try page.run("document.getElementById('ride').dataset.rang").split(
            separator: " ")
        #expect(rang.first == "getReady")
        let late = try #require(rang.last.flatMap { Int($0) })
        // A busy machine may be late; without a right clock it would be by much more.
        #expect((0...20_000).contains(late))
        #expect(try page.text("#ride").contains("estimated"))
        try look(page, "ringing")
        // It rings until somebody confirms that they heard it.
        try page.click("#ride button.main")
        #expect(
            try page.run("document.getElementById('ride').classList.contains('ringing')") == "false"
        )

        try lobby.start()
        try eventually("what waited was sent") {
            try page.run(
                "JSON.parse(localStorage.getItem(Object.keys(localStorage)"
                    + ".find((it) => it.startsWith('ride/')))).positions.length") == "0"
        }
    }

    @Test func `a ride goes on and rings although the log-in is over and the phone is full`() throws
    {
        let place = try place(due: 30_000...150_000)
        let page = try begin()
        let full = """
            (Storage.prototype.setItem = () => {
                throw new DOMException('full', 'QuotaExceededError');
            }, 'set')
            """
        #expect(try page.run(full) == "set")
        try choose(page, "gen hosp")
        try page.move(latitude: place.latitude, longitude: place.longitude)
        try page.click("#ride button.main")
        try eventually("the alarm is planned") {
            try page.run("document.getElementById('ride').dataset.planned ?? ''")
                .contains("getReady")
        }
        try endLogIns()
        try eventually("it says so") { try isLoggedOut(page) }
        #expect(try page.text("#ride").contains("alarm still rings"))
        try look(page, "logged out")
        #expect(try page.address == lobby.address + "/ride")
        try eventually("it rings", within: .seconds(240)) {
            try page.run("document.getElementById('ride').classList.contains('ringing')") == "true"
        }
        #expect(try page.address == lobby.address + "/ride")
    }

    @Test func `a ride whose log-in is over claims no alarm that isn't planned`() throws {
        let page = try begin()
        try page.refusePermissions()
        try choose(page, "gen hosp")
        try page.click("#ride button.main")
        try eventually("it has begun") { try page.text("#ride").contains("refused") }
        try #require(try page.run("document.getElementById('ride').dataset.planned") == "")
        try endLogIns()
        try eventually("it says so") { try isLoggedOut(page) }
        #expect(try !page.text("#ride").contains("rings"))
        try look(page, "logged out without an alarm")
    }

    @Test func `a ride that can't begin because the log-in is over claims no alarm`() throws {
        let page = try begin()
        try choose(page, "gen hosp")
        // What the page shows before it leads to the log-in.
        let watch = """
            (new MutationObserver(() => {
                localStorage.seen = (localStorage.seen ?? '')
                    + document.querySelector('#ride .fault')?.textContent;
            }).observe(document.getElementById('ride'), { childList: true }), 'set')
            """
        #expect(try page.run(watch) == "set")
        let cookie = try #require(try page.cookies.first { $0.hasPrefix("steward=") })
        try endLogIns()
        try eventually("the log-in is over") {
            try lobby.ask("GET", "/ride", cookie: cookie).status == 303
        }
        try page.click("#ride button.main")
        try eventually("it leads to the log-in") { try page.address.contains("/login") }
        let seen = try page.run("localStorage.seen")
        #expect(seen.contains("log-in is over"))
        #expect(!seen.contains("rings"))
    }

    @Test func `a ride that is ended without a connection is over once there is one`() throws {
        let page = try begin()
        try page.refusePermissions()
        try choose(page, "gen hosp")
        try page.click("#ride button.main")
        try eventually("it has begun") { try page.text("#ride").contains("refused") }
        try page.click("#ride .hand button.quiet")
        let isDark = "document.body.classList.contains('unlit')"
        #expect(try page.run(isDark) == "true")
        lobby.kill()
        try end(page)
        try eventually("it says so") { try page.text("#ride").contains("tries again by itself") }
        try lobby.start()
        try eventually("it is over") { try page.text("#ride").contains("The ride is over") }
        #expect(try lobby.journeys(of: "kari").first?.stage == .finished)
        #expect(try page.run(isDark) == "false")
    }

    /// Has the page get the answers to its positions later.
    private static let slow = """
        const real = fetch;
        globalThis.fetch = async (...all) => {
            const answer = await real(...all);
            if (!String(all[0]).includes('/positions')) return answer;
            const text = await answer.text();
            while (!globalThis.mayAnswer) await new Promise((go) => setTimeout(go, 50));
            const late = new Response(text, { status: answer.status, headers: answer.headers });
            const read = late.json.bind(late);
            late.json = async () => {
                const value = await read();
                setTimeout(() => { globalThis.hasAnswered = true; });
                return value;
            };
            return late;
        };
        """

    @Test func `an answer that comes after the end of a ride plans no alarm`() throws {
        let place = try place(due: 60_000...900_000)
        let page = try begin()
        try page.prepare(Self.slow)
        try page.go(lobby.address + "/ride")
        try page.click("#ride button.main")
        try choose(page, "gen hosp")
        try page.move(latitude: place.latitude, longitude: place.longitude)
        try page.click("#ride button.main")
        try eventually("a position was sent") {
            try lobby.journeys(of: "kari").first.map { $0.fixes > 0 } ?? false
        }
        try end(page)
        try eventually("it is over") { try page.text("#ride").contains("The ride is over") }
        _ = try page.run("(globalThis.mayAnswer = true)")
        try eventually("the answer has come") { try page.run("globalThis.hasAnswered") == "true" }
        #expect(try page.run("document.getElementById('ride').dataset.planned") == "")
    }

    @Test func `the search for the present stop can be left, and an alarm leaves it`() throws {
        let place = try place(due: 60_000...900_000)
        let page = try begin()
        try choose(page, "gen hosp")
        try page.move(latitude: place.latitude, longitude: place.longitude)
        try page.click("#ride button.main")
        try eventually("the alarm is planned") {
            try page.run("document.getElementById('ride').dataset.planned ?? ''")
                .contains("getReady")
        }
        try page.refusePermissions()
        // As when the page is shown again: it asks for the position anew.
        _ = try page.run("document.dispatchEvent(new Event('visibilitychange'))")
        try eventually("it says so") { try page.text("#ride").contains("refused") }
        try page.click("#ride button:has-text('Where are you now')")
        try look(page, "where")
        try page.click("#ride button:has-text('Cancel')")
        #expect(try page.run("document.getElementById('stop') === null") == "true")

        try page.click("#ride button:has-text('Where are you now')")
        let later = "(Date.now = ((real) => () => real() + 3600000)(Date.now.bind(Date)), 'set')"
        #expect(try page.run(later) == "set")
        try eventually("it rings, with a button to stop it") {
            try page.run("document.querySelector('#ride.ringing .hand button.main') !== null")
                == "true"
        }
        try page.click("#ride button.main")
        try eventually("it is quiet") {
            try page.run("document.querySelector('#ride.ringing') === null") == "true"
        }
    }

    @Test func `without a position someone says where they are, and the timetable does the rest`()
        throws
    {
        let page = try begin()
        try page.refusePermissions()
        try choose(page, "gen hosp")
        try page.click("#ride button.main")
        try eventually("it says so") { try page.text("#ride").contains("refused") }
        try look(page, "no position")
        // What has the focus keeps it when the page hears from the server.
        _ = try page.run("document.querySelector('#ride > button').focus()")
        let sent = """
            performance.getEntriesByType('resource')
                .filter((it) => it.name.endsWith('/positions')).length
            """
        let before = try #require(Int(try page.run(sent)))
        try eventually("the server has answered") {
            _ = try page.run("document.dispatchEvent(new Event('live'))")
            return (Int(try page.run(sent)) ?? 0) >= before + 2
        }
        #expect(try page.run("document.activeElement.matches('#ride > button')") == "true")
        try page.click("#ride button:has-text('Where are you now')")
        try page.fill("#stop", "harbour office")
        try page.click("#stops button:has-text('Harbour Office (4111)')")
        try eventually("the ride is estimated") {
            try lobby.journeys(of: "kari").first.map { $0.remaining != nil } ?? false
        }
    }
}
