import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// The stops that the page of a ride offers, and how a ride begins and continues there.
@Suite(.waiting) struct RideChoiceTests {
    private static let demo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/demo").standardized.path
    private let lobby: Lobby

    init() throws {
        lobby = try Lobby(with: ["transit-alert-service"])
        try lobby.command("transit", "import", "\(Self.demo)/harbour-line")
    }

    /// Somebody who is logged in.
    private struct Passenger {
        let lobby: Lobby
        let cookie: String
        let account: String

        init(_ name: String, _ lobby: Lobby) throws {
            self.lobby = lobby
            account = try lobby.add(name, .siteManager)
            cookie = try lobby.logIn(name)
        }

        func get(_ path: String) throws -> Lobby.Answer {
            try lobby.ask("GET", path, cookie: cookie, ["Steward-Account: \(account)"])
        }

        func post(_ path: String, _ body: String) throws -> Lobby.Answer {
            try lobby.ask(
                "POST", path, cookie: cookie, form: body, kind: "application/json",
                ["Steward-Account: \(account)"])
        }

        func begin(_ id: MessageID, to stop: String, _ more: String = "") throws -> Lobby.Answer {
            try post(
                "/ride",
                #"{"id":"\#(id)","feed":"harbour-line","stopId":"\#(stop)","policy":2\#(more)}"#)
        }
    }

    /// What is offered before anything is typed.
    private struct Choices: Decodable {
        struct Stop: Decodable {
            let id: String
            let code: String
            let headsigns: [String]
        }

        let stops: [Stop]
        let favourites: Int
    }

    private func choices(
        of passenger: Passenger, searching text: String = ""
    ) throws -> Choices {
        let answer = try passenger.get("/ride/stops?text=\(text)")
        #expect(answer.status == 200, "\(answer.body)")
        return try JSONDecoder().decode(Choices.self, from: Data(answer.body.utf8))
    }

    @Test func `each person is offered the stops of their own rides, and nobody else's`() throws {
        let kari = try Passenger("kari", lobby)
        let ole = try Passenger("ole", lobby)
        #expect(try choices(of: kari).stops.isEmpty)
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()
        for stop in ["4131", "4115"] {
            #expect(try kari.begin(ids.next(at: now), to: stop).status == 200)
        }

        let offered = try choices(of: kari)

        #expect(offered.stops.map(\.id) == ["4115", "4131"] && offered.favourites == 0)
        #expect(offered.stops.allSatisfy { $0.code == $0.id && $0.headsigns == ["Hill Road"] })
        #expect(try choices(of: ole).stops.isEmpty)
        #expect(try kari.get("/ride/stops?text=general").body.contains("General Hospital"))
    }

    @Test func `a stop that is made a favourite comes first, until it is one no longer`() throws {
        let kari = try Passenger("kari", lobby)
        var ids = MessageID.Generator()
        func mark(_ stop: String, _ isFavourite: Bool) throws -> Lobby.Answer {
            let id = ids.next(at: WallClock.milliseconds())
            return try kari.post(
                "/ride/stops",
                #"{"id":"\#(id)","feed":"harbour-line","stopId":"\#(stop)","#
                    + #""favourite":\#(isFavourite)}"#)
        }
        let found = try choices(of: kari, searching: "museum").stops.map(\.id)
        #expect(found.count == 2)
        let last = try #require(found.last)

        let marked = try mark(last, true)

        #expect(marked.status == 200 && marked.body.contains(#""favourite":true"#))
        let offered = try choices(of: kari)
        #expect(offered.stops.map(\.id) == [last] && offered.favourites == 1)
        let again = try choices(of: kari, searching: "museum")
        #expect(again.stops.map(\.id) == found.reversed() && again.favourites == 1)
        #expect(try choices(of: Passenger("ole", lobby)).stops.isEmpty)

        #expect(try mark(last, false).body.contains(#""favourite":false"#))
        #expect(try choices(of: kari).stops.isEmpty)
        #expect(try choices(of: kari, searching: "museum").favourites == 0)
        #expect(try mark("9999", true).status == 404)
        #expect(try mark(last, false).body.contains("favourite.missing"))
    }

    @Test func `a ride has the minutes that were typed for it, if they are allowed`() throws {
        let kari = try Passenger("kari", lobby)
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()

        let typed = try kari.begin(ids.next(at: now), to: "4131", #","notice":420000"#)
        let usual = try kari.begin(ids.next(at: now), to: "4131", #","notice":0"#)
        let wrong = try kari.begin(ids.next(at: now), to: "4131", #","notice":1"#)

        #expect(typed.status == 200 && typed.body.contains(#""notice":420000"#))
        #expect(usual.status == 200 && usual.body.contains(#""notice":180000"#))
        #expect(wrong.status == 400)
    }

    @Test func `a ride that can't continue says why, and that of others isn't found`() throws {
        let kari = try Passenger("kari", lobby)
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()
        let ride = ids.next(at: now)
        #expect(try kari.begin(ride, to: "4131").status == 200)

        for more in [
            #""stopId":"4133","withoutAlerts":false"#, #""stopId":"","withoutAlerts":true"#,
        ] {
            let body = #"{"id":"\#(ids.next(at: now))",\#(more)}"#
            let answer = try kari.post("/ride/\(ride)/continue", body)
            #expect(answer.status == 409, "\(answer.body)")
            #expect(answer.body.contains("journey.onward"), "\(answer.body)")
        }
        let ole = try Passenger("ole", lobby)
        let body = #"{"id":"\#(ids.next(at: now))","stopId":"4133","withoutAlerts":false}"#
        #expect(try ole.post("/ride/\(ride)/continue", body).status == 404)
    }

    // MARK: Without JavaScript

    /// The forms that make a stop a favourite, or no longer, in the page of favourites.
    private func forms(_ passenger: Passenger, searching text: String = "") throws -> [PageForm] {
        let page = try passenger.get("/ride/favourites?text=\(text)")
        #expect(page.status == 200, "\(page.body)")
        return PageForm.all(in: page.body).filter {
            $0.method == .post && $0.action == "/ride/favourites"
        }
    }

    /// Presses the button of a form.
    private func press(_ form: PageForm, _ passenger: Passenger) throws -> Lobby.Answer {
        try lobby.ask("POST", form.action, cookie: passenger.cookie, form: form.sent("", in: ""))
    }

    @Test func `forms make a stop a favourite and no longer, each once however often it is sent`()
        throws
    {
        let kari = try Passenger("kari", lobby)
        #expect(try forms(kari).isEmpty)
        let add = try #require(try forms(kari, searching: "museum").first)
        let stop = try #require(add.fields.first { $0.name == "stop" }).value

        let added = try press(add, kari)

        // What was searched for stays.
        #expect(added.header("Location") == "/ride/favourites?saved=1&text=museum")
        let remove = try #require(try forms(kari).first)
        #expect(remove.fields.contains { $0.name == "change" && $0.value == "remove" })
        #expect(remove.fields.contains { $0.name == "stop" && $0.value == stop })
        #expect(try press(remove, kari).header("Location") == "/ride/favourites?saved=1")
        #expect(try forms(kari).isEmpty)
        // The first form again: it was carried out before.
        #expect(try press(add, kari).status == 303)
        try lobby.restart()
        #expect(try press(add, kari).status == 303)
        #expect(try press(remove, kari).status == 303)
        #expect(try forms(kari).isEmpty)
    }

    @Test func `a button for a favourite names its stop, and a refusal keeps the search`() throws {
        let kari = try Passenger("kari", lobby)
        let page = try kari.get("/ride/favourites?text=museum").body
        #expect(page.contains("Add to favourites<span class=\"away\">Museum (4121) "))
        #expect(page.contains("toward Hill Road") && page.contains("toward Lighthouse"))

        let refused = try lobby.ask(
            "POST", "/ride/favourites", cookie: kari.cookie,
            form: "feed=harbour-line&stop=4131&change=remove&text=museum", ["Accept-Language: nb"])

        #expect(refused.status == 404)
        #expect(refused.body.contains("Holdeplassen «4131» er ikke blant favorittene dine."))
        #expect(refused.body.contains(#"role="alert""#))
        #expect(refused.body.contains(#"value="museum""#) && refused.body.contains("(4122)"))
    }
}
