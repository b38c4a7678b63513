import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that alerts of services reach people whatever is down meanwhile.
@Suite(.serialized, .waiting) struct AlertOutageTests {
    @Test func `N1 the notifier hears every other service`() throws {
        let system = try System()
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        let user = CommandLineUser(of: system, device: "desk")
        let others = Set(ServiceName.allCases.filter { $0 != .notifier }.map(\.rawValue))

        try eventually("it hears all of them") {
            let row = try user.say("status --json").objects.first {
                $0["service"] as? String == "notifier"
            }
            let status = row?["status"] as? [String: Any]
            let cursors = status?["cursors"] as? [[String: Any]] ?? []
            let heard = cursors.filter { $0["heard"] is String }
            return Set(heard.compactMap { $0["producer"] as? String }) == others
        }
    }

    @Test func `N1 an alert of a service comes once, whatever is down when it is raised`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let server = try WebServer(in: town.system)
        try user.run("alerts channel add hook --webhook \(server.url("/hook"))")
        func told() throws -> [AlertOffice.Told] {
            try server.requests().map {
                try JSONDecoder().decode(AlertOffice.Told.self, from: Data($0.body.utf8))
            }
        }
        func kinds() throws -> [String] {
            try user.rows("alerts list --all").compactMap {
                ($0["raised"] as? [String: Any])?["kind"] as? String
            }.sorted()
        }
        let raised = ["transit.getReady", "transit.now", "transit.passed"]

        town.notifier.kill()
        try user.run(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --speed 400 --no-finish")
        // Now everything is down, as after a power cut.
        town.transit.kill()
        try town.restartTransit()
        try town.restartNotifier()

        try eventually("all alerts have come, and the last is open") {
            try kinds() == raised && user.rows("alerts list").count == 1
        }
        try eventually("the channel tells it") {
            try told().contains { $0.alert.title == "You have passed General Hospital" }
        }
        try town.restartNotifier()
        try town.restartTransit()
        try user.run("alerts channel test hook")
        let passed = try told().filter {
            $0.alert.title == "You have passed General Hospital" && $0.reason == "raised"
        }
        // If the notifier was killed before it recorded the delivery, it repeats it under the same
        // id.
        #expect(Set(passed.map(\.id)).count == 1)
        #expect(try kinds().filter { $0.hasPrefix("transit.") } == raised)
    }

    @Test func `N1 what may have arrived already comes again under the same id`() throws {
        let office = try AlertOffice()
        try office.run("alerts channel add hook --webhook \(office.server.url("/hook"))")
        try office.server.behave("cut")
        try office.run("alerts call raise everyone Fire --severity urgent --answer")
        try eventually("it has come, but the server doesn't say so") {
            try !office.server.requests().isEmpty
        }
        try office.restartNotifier()

        try office.server.behave("200")
        try office.setClock(3_600)

        try eventually("it comes again") { try office.told().map(\.alert.title) == ["Fire"] }
        let requests = try office.server.requests()
        #expect(requests.count >= 2)
        #expect(Set(requests.compactMap { $0.headers["idempotency-key"] }).count == 1)
        #expect(try Set(office.told().map(\.id)).count == 1)
    }

    @Test func `N8 an alert of a ride is said in the language that is preferred when it is read`()
        throws
    {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        try user.run("alerts prefer --language nb")
        // In a faster ride a busy machine may see that the stop was passed.
        let ride = try user.run(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --speed 30 --get-off "
                + "--no-finish")
        #expect(ride.contains("Gå av på neste holdeplass: General Hospital"), "\(ride)")

        try eventually("only that alert is open") { try user.rows("alerts list").count == 1 }
        for (language, title) in [
            ("sv", "Stig av vid nästa hållplats: General Hospital"),
            ("en", "Get off at the next stop: General Hospital"),
        ] {
            try user.run("alerts prefer --language \(language)")
            let open = try user.answer("alerts list")["raised"] as? [String: Any]
            #expect(open?["title"] as? String == title)
        }
    }
}
