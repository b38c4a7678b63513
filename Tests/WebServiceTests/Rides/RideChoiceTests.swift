import Bus
import Foundation
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

    private func choices(of passenger: Passenger) throws -> Choices {
        let answer = try passenger.get("/ride/stops?text=")
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
}
