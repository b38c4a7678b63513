import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests alerts for several people, with the built programs as people would use them.
@Suite(.serialized, .waiting) struct CallCommandTests {
    private let system: System
    private let user: CommandLineUser

    init() throws {
        system = try System()
        try system.start("account-service")
        try system.start("notifier")
        user = CommandLineUser(of: system, device: "desk")
    }

    @Test func `an alert raised by hand is answered by one person, and the list says who`() throws {
        let server = try WebServer(in: system)
        _ = try user.say("alerts channel add phone --ntfy \(server.url("/mine"))")
        let raised = try user.say(
            "alerts call raise everyone 'The fryer is out of order' --severity warning --answer")
        #expect(raised.end == .exited(0) && raised.out.hasPrefix("called: "))
        let id = try #require(raised.out.split(separator: " ").last).dropLast()
        try eventually("the phone hears of it") {
            try server.requests().contains { $0.body.contains("fryer") }
        }
        let alerts = try user.rows("alerts list --words fryer --since 1h")
        let alert = try #require(alerts.first?["id"] as? String)
        #expect(try user.say("alerts ack \(alert)").end == .exited(0))

        let shown = try user.say("alerts call show \(id)")
        #expect(shown.out.contains("acknowledged") && shown.out.contains("phone"))
        #expect(try user.say("alerts call list --open").err.contains("there is no call"))
        #expect(try user.rows("alerts list --all --words fryer").count == 1)
        #expect(try user.rows("alerts list --all --words oven").isEmpty)
    }

    @Test func `a policy is set, listed and refused as the help says`() throws {
        let added = try user.say(
            "alerts policy add p --kind call --step administrator --step owner+10m=urgent")
        #expect(added.out == "p escalates in 2 steps\n")
        let listed = try user.say("alerts policy list").out
        #expect(listed.contains("administrator; after 10 min owner"))
        for (line, reason) in [
            ("alerts policy add p --step crew --rounds 3", "10 seconds"),
            ("alerts policy add 'a b' --step crew", "can't name a policy"),
            ("alerts policy add p --step nobody", "no account and no role"),
            ("alerts maintenance begin --kind x --for 40d", "30 days"),
        ] {
            let said = try user.say(line)
            #expect(said.end != .exited(0) && said.err.contains(reason), "\(line): \(said.err)")
        }
        #expect(try user.say("alerts policy add p --step crew+soon").end == .exited(64))
        #expect(try user.say("alerts policy remove p").out == "p is removed\n")
    }

    @Test func `a site that silences, policies and maintenance are about is listed`() throws {
        _ = try user.say("site add Harbour --zone Europe/Berlin")
        _ = try user.say("alerts policy add p --site Harbour --step owner")
        _ = try user.say("alerts silence --site Harbour --for 2h")
        _ = try user.say("alerts maintenance begin --site Harbour --for 2h")

        for list in ["alerts policy list", "alerts silences", "alerts maintenance list"] {
            let table = try user.say(list).out
            #expect(table.contains("SITE") && table.contains("Harbour"), "\(list): \(table)")
        }
    }

    @Test func `a service that there isn't is refused as the source of alerts`() throws {
        for line in [
            "alerts silence --source plan-servic --for 2h", "alerts list --source plan-servic",
            "alerts policy add p --source plan-servic --step owner",
            "alerts maintenance begin --source plan-servic --for 2h",
        ] {
            let said = try user.say(line)
            #expect(said.end == .exited(64) && said.err.contains("plan-service"), "\(line)")
        }
        #expect(try user.say("alerts silences").err.contains("nothing is silenced"))
    }

    @Test func `a search that finds no alert doesn't say that there are none`() throws {
        #expect(try user.say("alerts list --all").err == "there are no alerts\n")
        #expect(try user.say("alerts list --all --words oven").err == "no alert matches\n")
        #expect(try user.say("alerts list --words oven").err == "no open alert matches\n")
    }

    @Test func `an alert for a role that nobody has is refused, and nobody is told`() throws {
        let said = try user.say("alerts call raise supervisor Come")

        #expect(said.err.contains("nobody has this role"))
        #expect(try user.rows("alerts list --all").isEmpty)
    }
}
