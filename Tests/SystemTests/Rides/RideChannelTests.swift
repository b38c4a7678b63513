import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests by which channels the alerts of rides reach a passenger.
@Suite(.serialized, .waiting) struct RideChannelTests {
    private let town: Town
    private let user: CommandLineUser
    private let server: WebServer

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
        server = try WebServer(in: town.system)
    }

    /// Rides to the hospital, and returns the channels that were to deliver the alerts.
    private func ride(_ options: String = "") throws -> [String] {
        let before = try town.alerts().last?.id ?? ""
        try user.run(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --speed 400 --get-off "
                + options)
        try eventually("the notifier has told it") {
            try town.alerts().contains { $0.id > before && $0.raised?.kind == "transit.now" }
        }
        return try town.system.query(
            .notifier,
            """
            SELECT DISTINCT channel FROM delivery WHERE alert > '\(before)' AND state <> 5
            ORDER BY channel
            """
        ).map { $0[0] }
    }

    @Test func `T9 alerts of rides go by the chosen channels, and a ride may choose others`() throws
    {
        for name in ["phone", "watch"] {
            try user.run("alerts channel add \(name) --webhook \(server.url("/\(name)"))")
        }
        #expect(try ride() == ["phone", "watch"])

        let chosen = try user.run("transit settings --channels phone")
        #expect(chosen.contains("channels: phone"))
        #expect(try ride() == ["phone"])
        #expect(try ride("--channels watch") == ["watch"])
        #expect(try ride("--channels all") == ["phone", "watch"])

        // If the chosen channel is gone, the alert still arrives.
        try user.run("alerts channel remove phone")
        #expect(try ride() == ["watch"])
    }

    @Test func `the next leg of a ride begins even if its channel was removed`() throws {
        try user.run("alerts channel add phone --webhook \(server.url("/phone"))")
        let ride = try user.begin(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --via 4115 --to 4131 --speed 40 "
                + "--get-off --channels phone")
        try eventually("the first leg is under way") {
            ride.err.contains("(journey ") || !ride.isRunning
        }

        try user.run("alerts channel remove phone")

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        #expect(ride.err.contains("changing; riding on to General Hospital"), "\(ride.err)")
    }

    @Test func `T9 a channel that the passenger doesn't have is refused`() throws {
        try user.run("alerts channel add phone --webhook \(server.url("/phone"))")

        let said = try user.say("transit settings --channels phone,pager")
        let told = try town.refusal {
            _ = try town.client.ask(
                ChangeTraveller(channels: ChannelNames(names: ["no name"])), for: Traveller.self)
        }

        #expect(said.end == .exited(1))
        #expect(said.err.contains("you have no channel “pager”"), "\(said.err)")
        #expect(said.err.contains("you have phone, mail"), "\(said.err)")
        #expect(told.contains("can't name a channel"))
        #expect(try user.run("transit settings").contains("channels: all"))
    }

    @Test func `T9 a channel that delivers nothing by itself is refused`() throws {
        try user.run("alerts channel add pager --webhook \(server.url("/pager")) --spare")

        let spare = try user.say("transit settings --channels pager")
        let mail = try user.say("transit settings --channels mail")

        #expect(spare.end == .exited(1) && mail.end == .exited(1))
        #expect(spare.err.contains("“pager” is a spare channel"), "\(spare.err)")
        #expect(mail.err.contains("no alerts are mailed to you"), "\(mail.err)")
        try user.run("alerts prefer --mail ann@example.org")
        let chosen = try user.run("transit settings --channels mail")
        #expect(chosen.contains("channels: mail"))
    }
}
