import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests the ways by which alerts reach people, with the built programs as a person would use them.
@Suite(.serialized, .waiting) struct ChannelCommandTests {
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        user = CommandLineUser(of: town.system, device: "desk")
    }

    @Test func `N3 a ride's alert reaches a phone's channel, and its trace says so`() throws {
        let server = try WebServer(in: town.system)
        let added = try user.say(
            "alerts channel add phone --ntfy \(server.url("/my-alerts")) --from warning")
        #expect(added.out == "phone delivers alerts from warning on\n")
        #expect(
            try user.say("alerts channel test phone").out == "the server has accepted the test\n")

        let demo = Town.root + "/deploy/demo"
        _ = try user.say("transit import '\(demo)/harbour-line'")
        _ = try user.say("transit privacy --accept")
        _ = try user.say("transit ride '\(demo)/ride.csv' --to 4131 --speed 1000 --get-off")
        try eventually("the phone is told to get off") {
            try server.requests().contains { $0.body.contains("Get off") }
        }

        let alerts = try user.rows("alerts list --all")
        let urgent = try #require(alerts.first { $0["severity"] as? String == "urgent" })
        let id = try #require(urgent["id"] as? String)
        // The notifier learns that it was sent later than the phone has it.
        try eventually("the trace says so") {
            let trace = try user.say("alerts show \(id)")
            return trace.out.contains("phone") && trace.out.contains("sent")
        }
    }

    @Test func `a secret is read from a file, and no command shows it`() throws {
        let server = try WebServer(in: town.system)
        let path = town.system.path("key")
        try Data("the-key\n".utf8).write(to: URL(filePath: path))

        _ = try user.say(
            "alerts channel add siren --webhook \(server.url("/ring")) --secret-file '\(path)'")
        _ = try user.say("alerts channel test siren")

        let request = try #require(try server.requests().first)
        #expect(try request.isSigned(by: "the-key", in: town.system))
        for line in ["alerts channel list", "alerts channel list --json"] {
            let said = try user.say(line)
            #expect(said.end == .exited(0) && said.out.contains("siren"), "\(said.err)")
            #expect(!said.out.contains("the-key") && !said.err.contains("the-key"))
        }
        let missing = try user.say(
            "alerts channel add x --webhook http://h/ --secret-file /nowhere")
        #expect(missing.end == .exited(66) && missing.err.contains("/nowhere can't be read"))
    }

    @Test func `N9 a test of a channel that fails says why, and ends with a failure`() throws {
        let server = try WebServer(in: town.system)
        try server.behave("401")
        _ = try user.say("alerts channel add phone --ntfy \(server.url("/a"))")

        let tested = try user.say("alerts channel test phone")

        #expect(tested.end != .exited(0))
        #expect(tested.err.contains("the server answers with status 401"))
        #expect(try user.say("alerts channel list").out.contains("status 401"))
    }
}
