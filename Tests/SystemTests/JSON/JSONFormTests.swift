import Foundation
import Messages
import TestSupport
import Testing

/// Tests what commands print for programs.
struct JSONFormTests {
    @Test func `with --json every command prints what docs/json.md says`() throws {
        let system = try System()
        let server = try SMTPServer(in: system)
        let services = try ["account-service", "notifier", "checklist-service"].map {
            try system.launch(
                $0,
                adding: [
                    "STEWARD_SMTP": "smtp://127.0.0.1:\(server.port)",
                    "STEWARD_SMTP_FROM": "steward@example.org",
                ])
        }
        let more = try [
            "plan-service", "project-service", "routine-service", "transit-alert-service",
            "web-service",
        ].map { try system.launch($0) }
        for service in services + more { try service.waitUntilReady() }
        let user = try JSONUser(of: system)
        let commands = try user.commands()
        #expect(commands == Set(user.documented.keys))

        user.add(try Self.runServices())
        try Self.begin(user)
        try Self.keepTemplates(user)
        try Self.workShift(user)
        try Self.readArchive(user)
        try Self.ride(user)
        try Self.hear(user)
        try Self.drawPlan(user)
        try Self.changePlan(user)
        try Self.lookAtPlan(user)
        try Self.keepCatalogue(user)
        try Self.planDay(user)
        try Self.runProject(user)
        try Self.lookAfter(user)
        try Self.manage(user)
        #expect(commands.subtracting(user.given) == [])
        #expect(user.refused.subtracting(Self.refusable) == [])
    }

    /// What may be refused here: because there is no Redmine server, nothing that failed, and
    /// nothing that is under way at the right moment.
    private static let refusable: Set = [
        "action adopt", "alerts confirm", "alerts renew-topic", "day more", "dead-letters drop",
        "dead-letters retry", "followers forget", "jobs cancel", "jobs retry", "mail retry",
        "redmine link",
        "redmine login", "redmine logout", "redmine projects", "redmine settle", "redmine status",
        "redmine sync", "redmine unlink",
    ]

    /// Runs `steward up`, which needs services of its own.
    private static func runServices() throws -> JSONUser {
        let system = try System()
        let user = try JSONUser(of: system)
        let up = try user.begin("up --json")
        try eventually("all are ready") { up.out.hasSuffix("\n") }
        #expect(try user.judge("up", up.out).allSatisfy { $0["state"] as? String == "ready" })
        up.signal(SIGINT)
        #expect(try up.waitForEnd() == .exited(0))
        return user
    }

    private static func begin(_ user: JSONUser) throws {
        for line in [
            "status", "metrics", "version", "doctor", "alerts prefer --language nb", "alerts topic",
            "organisation list", "organisation create Second",
            "site add Harbour --zone Europe/Oslo",
            "site list", "site change Harbour --add-area kitchen", "site use Harbour", "site show",
        ] { #expect(try !user.show(line).isEmpty || line == "doctor", "\(line)") }
        for line in ["alerts confirm K3FZ7", "alerts renew-topic"] { try user.attempt(line) }
        try eventually("the service knows the site") {
            try user.say("site settings").end == .exited(0)
        }
        #expect(try user.show("site settings --mail-to crew@example.org").count == 1)
    }

    private static func keepTemplates(_ user: JSONUser) throws {
        #expect(try user.show("template restaurant").count == 9)
        let list = "'Pre-shift, evening'"
        let text = try user.show("template export \(list)").first?["text"] as? String
        let path = user.system.path("list.yaml")
        try #require(text).write(toFile: path, atomically: true, encoding: .utf8)
        for line in [
            "template import '\(path)'", "template list", "template show \(list)",
            "template add-section \(list) Terrace", "template move-section \(list) Terrace",
            "template add-task \(list) 'Candles are lit' --section Terrace",
            "template change-task \(list) candles-are-lit --at 18:00",
            "template move-task \(list) candles-are-lit --section Toilets",
            "template remove-task \(list) candles-are-lit",
            "template remove-section \(list) Terrace", "template let-crew \(list) tick",
            "template rename \(list) Evening", "template remove Evening",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
    }

    private static func workShift(_ user: JSONUser) throws {
        #expect(try user.show("shift start day").count == 1)
        let task = try user.show("checklist show 1").compactMap { $0["number"] as? Int }.first
        let number = try #require(task)
        let photo = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Services/web-service/Web/icon-192.png").standardizedFileURL
            .path
        for line in [
            "shift status", "shift list", "board", "checklist list",
            "checklist note \(number) 'seen twice'", "todo add 'Wipe the fryer' --area kitchen",
            "todo add 'Glass is cracked' --photo '\(photo)'", "todo photo 1002",
            "todo list", "todo change 1001 --assignee Cleo", "shift let-crew 1 tick",
            "shift schedule add evening --on sat,sun --at 16:00 --until 23:00",
            "shift schedule list",
            "site report add --on mon --at 07:00 --to boss@example.org --language nb",
            "site report list",
            "shift prepare", "shift handover",
            "todo done 1001", "todo undone 1001", "todo note 1001 'with care'",
            "todo print", "todo mail", "tp begin", "tp log 'all well'", "sales enter 12 --sales 5",
            "sales show", "equipment report 'Fryer 2' faulty 'does not heat'", "equipment list",
            "part put 'Heating element' --in Store --number HE-7", "part find heating",
            "part remove HE-7", "todo delete 1001",
        ] { #expect(try !user.show(line).isEmpty || line == "tp begin", "\(line)") }
        let scheduled = try #require(try user.show("shift schedule list").first?["id"] as? String)
        let report = try #require(try user.show("site report list").first?["id"] as? String)
        #expect(try user.show("site report remove \(report)").count == 1)
        #expect(try user.show("shift schedule remove \(scheduled)").count == 1)
        for line in [
            "checklist photo \(number)", "tp list", "shift refused", "shift resend all",
            "shift dismiss all",
        ] { try user.show(line) }
        let leaf = try #require(
            try user.rows("checklist show 1").compactMap { $0["number"] as? Int }
                .first { try user.say("checklist tick \($0)").end == .exited(0) })
        #expect(try user.show("checklist tick \(leaf) --not-ok").count == 1)
        let walk = try user.terminal("checklist walk 1 --json", rows: 40)
        try walk.waitFor(" of ")
        try walk.type("q")
        #expect(try walk.waitForEnd() == 0)
        let text = walk.text
        let start = try #require(text.firstIndex(of: "{"))
        let end = try #require(text.lastIndex(of: "}"))
        #expect(try user.judge("checklist walk 1", String(text[start...end])).count == 1)
        #expect(try user.show("shift end --despite-open").count == 1)
    }

    private static func readArchive(_ user: JSONUser) throws {
        let shift = try user.show("archive find").first?["shift"] as? [String: Any]
        let id = try #require(shift?["id"] as? String)
        for line in [
            "archive show \(id)", "archive export \(id)", "archive photos \(id)",
            "archive verify", "stats",
            "stats --by task", "stats --by site-week",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        let path = user.system.path("head.json")
        try user.feed("archive head --json", "").out
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try user.show("archive head").count == 1)
        #expect(try user.show("archive verify --head '\(path)'").count == 1)
        // The form that was printed before the head was part of a list.
        let head = try user.value(of: "archive head", as: ArchiveHead.self)
        let bare = try JSONEncoder().encode(head)
        try bare.write(to: URL(filePath: path))
        #expect(try user.show("archive verify --head '\(path)'").count == 1)
    }

    private static func ride(_ user: JSONUser) throws {
        let demo = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../deploy/demo").standardizedFileURL.path
        let sights = user.system.path("sights.csv")
        try "name,latitude,longitude\nMill,54.9,-0.28\n"
            .write(toFile: sights, atomically: true, encoding: .utf8)
        for line in [
            "transit import '\(demo)/harbour-line'", "transit feeds", "transit stops hosp",
            "transit landmarks import '\(sights)' --set sights", "transit landmarks list",
            "transit privacy --accept", "transit settings --notice 3m",
            "transit ride '\(demo)/ride.csv' --to 4131 --speed 1000 --no-finish --get-off",
            "alerts watch --count 1", "alerts list",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        let alert = try user.rows("alerts list").first?["id"] as? String
        #expect(try user.show("alerts ack \(#require(alert))").count == 1)
        #expect(
            try !user.show("transit ride '\(demo)/ride.csv' --to 4125 --speed 1000 --no-finish")
                .isEmpty)
        let passed = try user.show("transit continue").first?["id"] as? String
        #expect(try user.show("transit finish \(#require(passed))").count == 1)
        let receiver = "nmea://127.0.0.1:\(try Receiver(in: user.system).port)"
        let follow = "transit follow --to 4131 --from \(receiver) --speed 60 --get-off"
        #expect(try user.show(follow).count >= 2)
        let journey = try user.show("transit journeys").first?["id"] as? String
        for line in [
            "transit finish \(try #require(journey))", "transit feedback --useful",
            "transit stats", "transit destinations", "transit favourite 4131",
            "transit export '\(user.system.path("travel"))'", "transit erase --yes",
            "transit remove harbour-line", "mail test crew@example.org", "mail list",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        #expect(try user.show("transit landmarks remove sights").isEmpty)
        let mail = try #require(try user.rows("mail list").first?["id"] as? String)
        #expect(try user.show("mail show \(mail)").count == 1)
        try user.attempt("mail retry \(mail)")
    }
}
