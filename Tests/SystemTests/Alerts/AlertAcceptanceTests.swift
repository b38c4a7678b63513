import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The requirements for alerts, one by one, at the command line. N7 is in `DocumentTests`, which
/// runs the example of the page about the alert topic; N9 is in `AlertWayTests`, with more of N3;
/// `AlertOutageTests` has more of N1 and N8, and `AlertEndTests` of N4 to N6.
@Suite(.serialized, .waiting) struct AlertAcceptanceTests {
    private let office: AlertOffice

    init() throws { office = try AlertOffice() }

    /// Adds a channel of the owner that delivers to the server.
    private func add(_ name: String, _ kind: String = "webhook", at path: String = "/hook") throws {
        try office.run("alerts channel add \(name) --\(kind) \(office.server.url(path))")
    }

    /// The time that is this number of minutes from now in Tokyo, which never changes its clocks.
    private func tokyo(in minutes: Int) -> String {
        let now = Int(WallClock.milliseconds() / 60_000) + 9 * 60
        let time = (now + minutes) % 1_440
        return "\(time / 60):\(time % 60 < 10 ? "0" : "")\(time % 60)"
    }

    @Test func `N1 nothing is lost or told twice while a server or the notifier is down`() throws {
        try add("phone")
        try office.server.behave("503")
        for name in ["one", "two", "three"] {
            try office.run("alerts call raise everyone \(name) --severity urgent --answer")
        }
        try eventually("the server has refused one") { try !office.server.requests().isEmpty }
        try office.restartNotifier()

        try office.server.behave("200")
        try office.setClock(3_600)

        try eventually("all are told") { try office.told().count >= 3 }
        #expect(try office.told().map(\.alert.title).sorted() == ["one", "three", "two"])
        #expect(try Set(office.told().map(\.id)).count == 3)
        #expect(try office.rows("alerts list").count == 3)
    }

    @Test func `N2 an alert reaches whoever has the role at the site, also later`() throws {
        try office.run("site add Harbour --zone Europe/Oslo")
        try office.run("site add Hill --zone Europe/Oslo")
        try office.signUp("ann", .crew, at: "Harbour")
        try office.signUp("bob", .crew, at: "Hill")
        try eventually("the notifier knows whom to call") {
            try office.say("alerts call raise crew@Harbour 'The fryer smokes' --answer").end
                == .exited(0)
        }
        try eventually("ann is called") { try office.has("fryer", device: "ann") }
        #expect(try !office.has("fryer", device: "bob"))

        try office.run("role grant bob crew --site Harbour")
        try eventually("bob is called, too") { try office.has("fryer", device: "bob") }
        try office.acknowledge("fryer", device: "ann")

        try eventually("bob needn't answer") {
            try office.alert("fryer", device: "bob")?["state"] as? String == "acknowledged"
        }
    }

    @Test func `N2 an alert reaches one person or everyone, by the channels for its severity`()
        throws
    {
        for name in ["ann", "bob"] { try office.signUp(name, .administrator) }
        for (name, option) in [("loud", "--from urgent"), ("calm", "--up-to info")] {
            try office.run(
                "alerts channel add \(name) --webhook \(office.server.url("/\(name)")) \(option)")
        }
        try eventually("the notifier knows both") { try office.hasHeardOfAccounts("notifier") }
        try office.run("alerts call raise ann Letter")
        try office.run("alerts call raise everyone Tea")
        try office.run("alerts call raise everyone Fire --severity urgent")

        for name in ["ann", "bob", "desk"] {
            try eventually("\(name) is called") {
                try office.has("Tea", device: name) && office.has("Fire", device: name)
            }
        }
        #expect(try office.has("Letter", device: "ann"))
        #expect(try !office.has("Letter", device: "bob") && !office.has("Letter", device: "desk"))
        try eventually("both are told") {
            try !office.told(at: "/loud").isEmpty && !office.told(at: "/calm").isEmpty
        }
        #expect(try office.told(at: "/loud").map(\.alert.title) == ["Fire"])
        #expect(try office.told(at: "/calm").map(\.alert.title) == ["Tea"])
    }

    @Test func `N2 quiet hours in the person's zone hold back all but urgent alerts`() throws {
        try add("phone")
        try office.run(
            "alerts quiet --from \(tokyo(in: 1_380)) --until \(tokyo(in: 60)) --zone Asia/Tokyo")

        try office.run("alerts call raise everyone calm --severity warning")
        try office.run("alerts call raise everyone loud --severity urgent")
        try eventually("the urgent one is told") { try !office.told().isEmpty }
        #expect(try office.told().map(\.alert.title) == ["loud"])

        try office.setClock(2 * 3_600)
        try eventually("the other one is told") { try office.told().count == 2 }
        #expect(try office.told().map(\.alert.title) == ["loud", "calm"])
    }

    @Test func `N3 a failing channel is tried again, its spare takes over, and it is shown`() throws
    {
        try add("phone", at: "/broken")
        try office.run("alerts channel add other --webhook \(office.server.url("/hook")) --spare")

        try office.run("alerts call raise everyone Fire --severity urgent --answer")

        try eventually("the spare one tells it") {
            try office.told().map(\.alert.title) == ["Fire"]
        }
        #expect(try office.run("alerts channel list").contains("status 500"))
        try office.setClock(60)
        try eventually("the failing one is tried again") {
            try office.server.requests().count { $0.path == "/broken" } >= 2
        }
    }

    @Test func `N4 an alert is repeated, gets louder, and goes to the next person`() throws {
        try office.signUp("ann", .administrator)
        try office.signUp("bob", .supervisor)
        try eventually("the notifier knows both") { try office.hasHeardOfAccounts("notifier") }
        try office.run("alerts policy add p --kind call --step bob+10m=urgent")
        try office.run("alerts call raise ann Fire --severity info --answer --repeat 30s")
        for (count, time) in [(1, 31), (2, 62), (3, 93)] {
            try office.setClock(time)
            try eventually("it is repeated") {
                try office.alert("Fire", device: "ann")?["repeats"] as? Int ?? 0 >= count
            }
        }
        #expect(try office.alert("Fire", device: "ann")?["severity"] as? String != "info")
        #expect(try !office.has("Fire", device: "bob"))

        try office.restartNotifier()
        try office.setClock(700)
        try eventually("it is escalated") {
            try office.alert("Fire", device: "bob")?["severity"] as? String == "urgent"
        }
        try office.acknowledge("Fire", device: "bob")

        try eventually("it is over for both") {
            try office.alert("Fire", device: "ann")?["state"] as? String == "acknowledged"
        }
    }

    @Test func `N5 a storm doesn't hold up an urgent alert, and a silence ends`() throws {
        try add("phone", "ntfy", at: "/mine")
        let begun = ContinuousClock.now
        let notifier = try office.client(of: .notifier)
        for number in 0..<33 {
            _ = try notifier.ask(
                RaiseAlert(audience: Audience(), severity: .info, title: "Storm \(number)"),
                for: Call.self)
        }
        let raising = ContinuousClock.now
        try office.run("alerts call raise everyone Fire --severity urgent")
        try eventually("the urgent one is told") {
            try office.server.requests().contains { $0.body.contains("Fire") }
        }
        // The channel takes the next ones of the storm a minute after the first.
        let isSoon = ContinuousClock.now - raising < .seconds(30)
        #expect(isSoon || raising - begun > .seconds(30))
        let storm = try office.server.requests().count { $0.body.contains("Storm") }
        // A busy machine may take longer than a minute for all this.
        let minutes = Int((ContinuousClock.now - begun) / .seconds(60))
        #expect(storm <= 30 + 30 * minutes)

        try office.run("alerts silence --kind call --for 1h")
        try office.run("alerts call raise everyone hushed --severity warning")
        let id = try #require(try office.alert("hushed")?["id"] as? String)
        #expect(try office.run("alerts show \(id)").contains("silenced by"))
        #expect(try !office.server.requests().contains { $0.body.contains("hushed") })
        try office.setClock(3_700)
        try office.run("alerts call raise everyone heard --severity warning")

        try eventually("what it held back and what comes after it are told") {
            let bodies = try office.server.requests().map(\.body)
            return ["hushed", "heard"].allSatisfy { title in
                bodies.contains { $0.contains(title) }
            }
        }
    }

    @Test func `N6 history says what was raised, by which channel, and who answered`() throws {
        try add("phone")
        try office.run("alerts call raise everyone 'The fryer is out of order' --answer")
        try eventually("it is told") { try office.told().count == 1 }
        try office.acknowledge("fryer")

        let found = try #require(
            try office.alert("order fry", device: "desk"), "words are found in any order")
        let id = try #require(found["id"] as? String)
        let by = try #require(found["acknowledgedBy"] as? String)
        for (options, count) in [
            ("--source notifier", 1), ("--source plan-service", 0), ("--by \(by)", 1),
            ("--by nobody", 0), ("--since 1h", 1), ("--until 1h", 0),
        ] { #expect(try office.rows("alerts list --all \(options)").count == count, "\(options)") }
        try eventually("every step is shown") {
            let shown = try office.run("alerts show \(id)")
            return shown.contains("acknowledged by") && shown.contains("phone")
                && shown.contains("sent")
        }
    }

    @Test func `N8 an alert is in the language of its recipient`() throws {
        try add("phone")
        for (language, title) in [
            ("nb", "En prøve av kanalen phone"), ("sv", "Ett prov av kanalen phone"),
            ("en", "A test of the channel phone"),
        ] {
            try office.run("alerts prefer --language \(language)")
            try office.run("alerts channel test phone")
            #expect(try office.told().last?.alert.title == title)
        }
    }

    @Test func `N10 a siren and a sound go on until somebody acknowledges the alert`() throws {
        let broker = try MQTTBroker(in: office.system)
        try office.run("alerts channel add siren --mqtt \(broker.url("kitchen/siren"))")
        let (heard, script) = (office.system.path("heard"), office.system.path("ring"))
        try "printf '%s\\n' \"$ALERT_REASON\" >> '\(heard)'\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        let watch = try office.begin("alerts watch --run 'sh \(script)' --run-from urgent")
        try eventually("it watches") { watch.err.contains("watching") }
        let display = try office.terminal("alerts watch")
        try display.waitFor("watching")
        #expect(display.bells == 0)
        func rung() -> [Substring] {
            String(decoding: FileManager.default.contents(atPath: heard) ?? Data(), as: UTF8.self)
                .split(separator: "\n")
        }

        try office.run("alerts call raise everyone Fire --severity urgent --answer --repeat 10m")
        try eventually("both are on") { rung() == ["raised"] && broker.messages().count == 1 }
        try eventually("the display rings") { display.bells == 1 }
        try office.setClock(601)
        try eventually("both are repeated") {
            rung().contains("repeated") && broker.messages().count >= 2
        }
        try eventually("the display rings again") { display.bells >= 2 }
        try office.acknowledge("Fire")

        try eventually("both are switched off") {
            rung().last == "closed"
                && broker.messages().last?.text.contains("\"reason\":\"closed\"") == true
        }
        try display.waitFor("acknowledged")
        watch.signal(SIGINT)
        #expect(try watch.waitForEnd() == .exited(0))
    }
}
