import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A phone that reports its position with OwnTracks while its owner rides.
@Suite(.waiting) struct PhonePlaceTests {
    private static let demo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/demo").standardized.path
    private let lobby: Lobby
    private let cookie: String
    private let account: String

    init() throws {
        lobby = try Lobby(with: ["transit-alert-service"])
        account = try lobby.add("kari", .siteManager)
        try lobby.command("transit", "import", "\(Self.demo)/harbour-line")
        cookie = try lobby.logIn("kari")
    }

    /// The configuration that OwnTracks imports.
    private struct Configuration: Decodable {
        let _type: String
        let mode: Int
        let auth: Bool
        let url: String
        let username: String
        let password: String

        var header: String {
            "Authorization: Basic " + Data("\(username):\(password)".utf8).base64EncodedString()
        }
    }

    private func setUp() throws -> Configuration {
        let made = try lobby.ask("POST", "/log-ins/phone", cookie: cookie, form: "")
        #expect(made.status == 200)
        let link = try #require(
            made.body.firstMatch(of: /owntracks:\/\/\/config\?inline=([A-Za-z0-9+\/=]+)/)?.1)
        let text = try #require(Data(base64Encoded: String(link)))
        return try JSONDecoder().decode(Configuration.self, from: text)
    }

    /// Sends what the phone's app sends.
    private func tell(_ text: String, _ more: String...) throws -> Lobby.Answer {
        let length = ["Content-Type: application/json", "Content-Length: \(text.utf8.count)"]
        return try lobby.send("POST", "/positions", length + more, body: text)
    }

    private func location(at time: Int64, _ latitude: Double = 59.91) -> String {
        #"{"_type":"location","lat":\#(latitude),"lon":10.75,"tst":\#(time / 1_000),"acc":9}"#
    }

    private func beginRide() throws {
        let stops = try lobby.system.client(of: .transitAlert)
            .ask(FindStops(text: "4131"), for: Stops.self).stops
        let stop = try #require(stops.first)
        var ids = MessageID.Generator()
        let id = ids.next(at: WallClock.milliseconds())
        let begin =
            #"{"id":"\#(id)","feed":"\#(stop.feed)","#
            + #""stopId":"\#(stop.id)","policy":2}"#
        let answer = try lobby.ask(
            "POST", "/ride", cookie: cookie, form: begin, kind: "application/json",
            ["Steward-Account: \(account)"])
        #expect(answer.status == 200, "\(answer.body)")
    }

    @Test func `the telephone follows the ride that is under way, and nothing else is kept`() throws
    {
        let phone = try setUp()
        #expect(phone._type == "configuration" && phone.mode == 3 && phone.auth)
        #expect(phone.url == lobby.address + "/positions")
        #expect(phone.username == "kari")
        let now = WallClock.milliseconds()

        // No ride is under way: the phone may continue, and nothing is kept.
        let early = try tell(location(at: now), phone.header)
        #expect(early.status == 200 && early.body == "[]")
        #expect(try lobby.journeys(of: "kari").isEmpty)

        try beginRide()
        let told = try tell(location(at: now), phone.header)
        #expect(told.status == 200 && told.body == "[]")
        let ride = try #require(try lobby.journeys(of: "kari").first)
        #expect(ride.fixes == 1)
        #expect(ride.source == "owntracks")

        // An old position, one from tomorrow, and messages that aren't positions.
        #expect(try tell(location(at: now - 700_000), phone.header).status == 200)
        #expect(try lobby.journeys(of: "kari").first?.fixes == 1)
        // The service hears of it, and alerts the passenger if nothing newer comes.
        let transit = try #require(lobby.others["transit-alert-service"])
        try eventually("it is reported") { transit.err.contains("transit.ReportOldPositions") }
        #expect(try tell(location(at: now + 86_400_000), phone.header).status == 200)
        for text in [
            "", "[]", "{", #"{"_type":"lwt","tst":1}"#, location(at: now, 91),
            #"{"_type":"location","lat":1e999,"lon":10,"tst":1}"#,
        ] { #expect(try tell(text, phone.header).status == 200, "\(text)") }
        let rides = try lobby.journeys(of: "kari")
        #expect(rides.count == 1)
        #expect(try #require(rides.first).fixes == 2)
        let encrypted = try tell(#"{"_type":"encrypted","data":"x"}"#, phone.header)
        #expect(encrypted.status == 400 && encrypted.body.contains("encryption"))
        let long = try tell(String(repeating: " ", count: 65 << 10), phone.header)
        #expect(long.status == 413)
    }

    @Test func `the telephone follows all rides under way that have no other source`() throws {
        let phone = try setUp()
        try beginRide()
        let client = try lobby.system.client(of: .transitAlert)
        client.token = try lobby.system.client(of: .account).logIn("kari", for: .transitAlert)
        let other = try #require(try lobby.journeys(of: "kari").first)
        let now = WallClock.milliseconds()
        let place = Coordinate(latitudeE7: 599_100_000, longitudeE7: 107_500_000)
        _ = try client.ask(
            RecordPositions(
                journeyId: other.id, fixes: [Fix(time: now - 1_000, place: place)],
                source: "vehicle"), for: Journey.self)
        try beginRide()
        try beginRide()

        // Sent again after a lost answer, it counts only once.
        for _ in 0..<2 { #expect(try tell(location(at: now), phone.header).status == 200) }

        let rides = try lobby.journeys(of: "kari")
        #expect(rides.map(\.fixes) == [1, 1, 1])
        #expect(rides.map(\.source) == ["owntracks", "owntracks", "vehicle"])
    }

    @Test func `a telephone's password opens nothing else, and ends with its log-in`() throws {
        let phone = try setUp()
        let now = WallClock.milliseconds()
        for page in ["/", "/log-ins", "/ride", "/ride/current", "/alerts", "/people"] {
            let asCookie = try lobby.ask("GET", page, cookie: "steward=\(phone.password)")
            #expect([303, 401].contains(asCookie.status), "\(page)")
            let asPassword = try lobby.ask("GET", page, [phone.header])
            #expect([303, 401].contains(asPassword.status), "\(page)")
        }
        // A browser's cookie isn't a password, and a page can't send one.
        let secret = String(cookie.dropFirst("steward=".count))
        let basic = Data("kari:\(secret)".utf8).base64EncodedString()
        #expect(try tell(location(at: now), "Authorization: Basic \(basic)").status == 401)
        #expect(try tell(location(at: now), "Cookie: \(cookie)").status == 401)
        #expect(try tell(location(at: now)).status == 401)
        #expect(
            try tell(location(at: now), phone.header, "Sec-Fetch-Site: cross-site").status == 403)
        #expect(
            try tell(location(at: now), phone.header, "Origin: https://evil.example").status == 403)

        let page = try lobby.ask("GET", "/log-ins", cookie: cookie).body
        let row = try #require(
            page.components(separatedBy: "<li").first { $0.contains("OwnTracks") })
        let session = try #require(row.firstMatch(of: /\/log-ins\/([^\/"]+)\/end/)?.1)
        let ended = try lobby.ask("POST", "/log-ins/\(session)/end", cookie: cookie, form: "")
        #expect(ended.status == 303)
        try eventually("the password is no longer valid") {
            try tell(location(at: now), phone.header).status == 401
        }
    }

    @Test func `while the service is down the telephone keeps its position, and then it counts`()
        throws
    {
        let phone = try setUp()
        try beginRide()
        let transit = try #require(lobby.others["transit-alert-service"])
        transit.kill()
        let now = WallClock.milliseconds()
        let early = try tell(location(at: now), phone.header)
        #expect(early.status == 503)
        #expect(early.header("Retry-After") != nil)
        try lobby.restart()
        try lobby.startOther("transit-alert-service")
        try eventually("the position counts") {
            try tell(location(at: now), phone.header).status == 200
        }
        // Sent again after a lost answer, it counts only once.
        #expect(try tell(location(at: now), phone.header).status == 200)
        #expect(try lobby.journeys(of: "kari").first?.fixes == 1)
    }

    @Test
    func `positions wait where they are while too many answers are kept, and then count`() throws {
        let phone = try setUp()
        try beginRide()
        let ride = try #require(try lobby.journeys(of: "kari").first)
        let now = WallClock.milliseconds()
        var ids = MessageID.Generator()
        let place = #"{"time":\#(now),"latitude":59.91,"longitude":10.75}"#
        let batch = #"{"id":"\#(ids.next(at: now))","positions":[\#(place)]}"#
        func tellByBrowser() throws -> Lobby.Answer {
            try lobby.ask(
                "POST", "/ride/\(ride.id)/positions", cookie: cookie, form: batch,
                kind: "application/json", ["Steward-Account: \(account)"])
        }
        let full = now + 86_400_000 + 600_000
        try editAllowances("INSERT OR REPLACE INTO replyAllowance VALUES ('\(account)', \(full))")

        // Neither the app nor the page keeps what was answered otherwise.
        try eventually("the service answers") {
            try tellByBrowser().body.contains("answers.limit")
        }
        #expect(try tellByBrowser().status == 503)
        let early = try tell(location(at: now), phone.header)
        #expect(early.status == 503)
        #expect(early.header("Retry-After") != nil)

        try editAllowances("DELETE FROM replyAllowance")
        try eventually("the position counts") {
            try tell(location(at: now), phone.header).status == 200
        }
        #expect(try lobby.journeys(of: "kari").first?.fixes == 1)
        #expect(try tellByBrowser().status == 200)
    }

    private func editAllowances(_ sql: String) throws {
        try #require(lobby.others["transit-alert-service"]).kill()
        try lobby.system.edit(.transitAlert, sql)
        try lobby.restart()
        try lobby.startOther("transit-alert-service")
    }
}
