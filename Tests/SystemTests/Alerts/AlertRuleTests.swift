import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests what people rule about their alerts, and what is said to them if a channel can't work.
@Suite(.serialized, .waiting) struct AlertRuleTests {
    private let office: AlertOffice

    init() throws { office = try AlertOffice() }

    /// The id of the only alert with these words in somebody's list.
    private func id(_ words: String, device: String? = nil) throws -> String {
        try #require(try office.alert(words, device: device)?["id"] as? String)
    }

    @Test func `N2 whoever loses the role need not answer any longer`() throws {
        for site in ["Harbour", "Hill"] { try office.run("site add \(site) --zone Europe/Oslo") }
        try office.signUp("ann", .crew, at: "Harbour")
        try office.signUp("bob", .crew, at: "Hill")
        try office.run("role grant bob crew --site Harbour")
        try eventually("the notifier knows both") { try office.hasHeardOfAccounts("notifier") }
        try office.run("alerts call raise crew@Harbour 'The fryer smokes' --answer")
        for name in ["ann", "bob"] {
            try eventually("\(name) is called") { try office.has("fryer", device: name) }
        }

        try office.run("role revoke bob crew --site Harbour")

        try eventually("bob's alert is withdrawn") {
            try office.alert("fryer", device: "bob")?["state"] as? String == "withdrawn"
        }
        #expect(try office.alert("fryer", device: "ann")?["state"] as? String == "open")
    }

    @Test func `N3 a Gotify server gets alerts with the token of its application`() throws {
        let address = office.server.url("/push")
        let token = office.system.path("token")
        try "app-2\n".write(toFile: token, atomically: true, encoding: .utf8)

        let refused = try office.say("alerts channel add tablet --gotify \(address)")
        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("asks for the token of an application"), "\(refused.err)")
        try office.run("alerts channel add tablet --gotify \(address) --secret-file '\(token)'")
        try office.run("alerts call raise everyone Fire --severity urgent")

        try eventually("the server has it") { try !office.server.requests().isEmpty }
        let request = try #require(try office.server.requests().first)
        #expect(request.path == "/push/message")
        #expect(request.headers["x-gotify-key"] == "app-2")
        #expect(request.body.contains("Fire"))
    }

    @Test func `N3 a channel that fails for ten minutes is reported to its owner until it works`()
        throws
    {
        try office.run("alerts channel add phone --webhook \(office.server.url("/hook"))")
        try office.server.behave("500")
        let begun = ContinuousClock.now
        try office.run("alerts call raise everyone Fire --severity urgent")
        func isReported() throws -> Bool {
            try office.rows("alerts list").contains {
                ($0["raised"] as? [String: Any])?["kind"] as? String == "channel.failing"
            }
        }
        var seconds = 0
        try eventually("it is reported") {
            seconds += 60
            try office.setClock(seconds)
            return try isReported()
        }
        // The clock goes on meanwhile, too.
        #expect(Duration.seconds(seconds) + (ContinuousClock.now - begun) >= .seconds(600))

        try office.server.behave("200")
        try eventually("the report is withdrawn") {
            seconds += 60
            try office.setClock(seconds)
            return try !isReported()
        }
        try eventually("the alert is told") {
            seconds += 60
            try office.setClock(seconds)
            return try office.told().map(\.alert.title).contains("Fire")
        }
    }

    @Test func `a channel that leads to Steward itself is refused, with what to write instead`()
        throws
    {
        // In tests the pages have any port.
        try office.restartNotifier(adding: ["STEWARD_WEB_LISTEN": "127.0.0.1:8093"])
        for option in [
            "--webhook http://localhost:8093/alerts", "--webhook http://127.0.0.1:8093/",
            "--ntfy http://[::1]:8093/my-alerts",
        ] {
            let said = try office.say("alerts channel add loop \(option)")

            #expect(said.end == .exited(1), "\(option)")
            #expect(said.err.contains("leads to Steward's own pages"), "\(said.err)")
            #expect(said.err.contains("write the address of the server"), "\(said.err)")
        }
        #expect(try office.rows("alerts channel list").isEmpty)
    }

    @Test func `N4 an acknowledged alert is opened again if nobody puts its cause right in time`()
        throws
    {
        try office.run("alerts policy add p --kind call --step owner+10m --reopen-after 2h")
        let raised = try office.run("alerts call raise everyone Leak --answer")
        let call = try #require(raised.split(separator: " ").last).dropLast()
        try eventually("it is open") { try office.has("Leak", device: "desk") }
        try office.acknowledge("Leak")
        #expect(try office.alert("Leak")?["state"] as? String == "acknowledged")

        try office.restartNotifier()
        try office.setClock(7_300)
        try eventually("it is open again") {
            try office.alert("Leak")?["state"] as? String == "open"
        }
        try office.acknowledge("Leak")
        try office.run("alerts call withdraw \(call)")
        try office.setClock(3 * 7_300)

        #expect(try office.run("alerts call show \(call)").contains("acknowledged"))
        #expect(try office.rows("alerts list").isEmpty)
    }

    @Test func `N5 maintenance holds back what it names until it is over`() throws {
        try office.run("alerts channel add phone --webhook \(office.server.url("/hook"))")
        try office.run("alerts maintenance begin --kind call --for 2h --reason 'new oven'")
        try office.run("alerts call raise everyone Tea --severity warning")
        try office.run("alerts call raise everyone Fire --severity urgent")

        try eventually("the urgent one is told") { try !office.told().isEmpty }
        #expect(try office.told().map(\.alert.title) == ["Fire"])
        let trace = try office.run("alerts show \(id("Tea"))")
        #expect(trace.contains("waits until the maintenance new oven is over"), "\(trace)")
        let window = try #require(try office.answer("alerts maintenance list")["id"] as? String)
        try office.run("alerts maintenance end \(window)")

        try eventually("the other one is told") {
            try office.told().map(\.alert.title) == ["Fire", "Tea"]
        }
    }

    @Test func `N5 a silence is about a service, a kind, the beginning of a key or a site`() throws
    {
        try office.run("site add Harbour --zone Europe/Oslo")
        try office.signUp("ann", .crew, at: "Harbour")
        let hook = office.server.url("/hook")
        try office.run("alerts channel add phone --webhook \(hook)", device: "ann")
        try eventually("the notifier knows whom to call") {
            try office.say("alerts call raise crew@Harbour First").end == .exited(0)
        }
        try eventually("it is told") { try office.told().map(\.alert.title) == ["First"] }

        for (number, filter) in [
            "--source notifier", "--kind call", "--key call/", "--site Harbour",
        ].enumerated() {
            try office.run("alerts silence \(filter) --for 1h", device: "ann")
            try office.run("alerts call raise crew@Harbour Hushed\(number)")
            try eventually("\(filter) holds it back") {
                guard try office.has("Hushed\(number)", device: "ann") else { return false }
                let trace = try office.run(
                    "alerts show \(id("Hushed\(number)", device: "ann"))", device: "ann")
                return trace.contains("silenced by")
            }
            #expect(try office.told().count == number + 1, "\(filter)")
            let silence = try office.answer("alerts silences", device: "ann")["id"] as? String
            try office.run("alerts end-silence \(#require(silence))", device: "ann")
            try eventually("what it held back is told") {
                try office.told().last?.alert.title == "Hushed\(number)"
            }
        }
        // One about something else holds nothing back.
        try office.run("alerts silence --source plan-service --for 1h", device: "ann")
        try office.run("alerts call raise crew@Harbour Loud")
        try eventually("it is told") { try office.told().last?.alert.title == "Loud" }
    }
}
