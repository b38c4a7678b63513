import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Moves one of two organisations to an installation of its own.
@Suite(.serialized, .waiting) struct MoveTests {
    private let system: System
    private let users: CommandLineUser

    init() throws {
        system = try System()
        users = CommandLineUser(of: system, device: "desk")
    }

    /// A day that can be planned, and that has not begun when the test ends.
    private static let soon = Date.now.addingTimeInterval(30 * 86_400)
        .formatted(.iso8601.year().month().day())

    private func start(_ data: String) throws -> [Program] {
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue, data: data) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }

    /// Makes an organisation in which somebody works with every service. Everything that they write
    /// begins with its name.
    ///
    /// - Returns: its id.
    private func settle(_ name: String) throws -> String {
        let head = name.lowercased()
        try users.run("organisation create \(name)")
        let organisations = try users.say("organisation list --json").objects
        let id = try #require(
            organisations.first { $0["name"] as? String == name }?["id"] as? String)
        try users.signUp(head, .administrator, in: name)
        try users.run("site add \(name)house --zone Europe/Oslo", device: head)
        try eventually("the service knows the site") {
            try users.say("site settings", device: head).end == .exited(0)
        }
        try eventually("the notifier knows whom to call") {
            try users.hasHeardOfAccounts("notifier")
        }
        for line in [
            "template restaurant", "shift start day", "todo add '\(name) tap drips'",
            "plan create '\(name) flat'", "plan wall --from 0,0 --to 5000,0",
            "project create '\(name) project'", "issue create '\(name) issue'",
            "issue filter keep '\(name) mine' roof",
            "routine create '\(name) morning' --action '\(name) shower:15'",
            "day plan --routine '\(name) morning' --date \(Self.soon)",
            "alerts call raise administrator '\(name) fire' --answer",
            "alerts policy add \(name)-policy --step administrator",
        ] { try users.run(line, device: head) }
        try eventually("the alert has come") {
            try users.say("alerts list", device: head).out.contains("\(name) fire")
        }
        return id
    }

    /// Everything that was kept, as one of the people sees it. The choice of a site is not part of
    /// it, because that is stored on the device.
    private func look(_ name: String) throws -> String {
        try [
            "site list", "todo list", "plan list", "project list", "issue list",
            "issue filter list", "routine list", "day show --date \(Self.soon)",
            "alerts policy list", "user list",
        ].map { line in
            "\(line):\n"
                + (try users.run(line, device: name.lowercased()))
                .replacing("  in use", with: "")
        }.joined(separator: "\n")
    }

    @Test func `one organisation moves with its people and history, and no other does`()
        throws
    {
        var programs = try start("data")
        let hill = try settle("Hill")
        _ = try settle("Lake")
        let before = try look("Hill")
        try users.run("backup \(system.path("backup"))")
        for program in programs { program.kill() }

        let put = try system.spawn(
            ["\(System.executables)/steward", "restore", system.path("backup"), "--only", hill],
            environment: system.environment(data: "moved"))
        #expect(try put.waitForEnd() == .exited(0), "\(put.err)")

        for service in ServiceName.allCases {
            let store = FileManager.default.contents(
                atPath: system.path("moved/\(service.rawValue).sqlite"))
            for word in ["Lake", "lake"] {
                #expect(try #require(store).range(of: Data(word.utf8)) == nil, "\(service)")
            }
        }
        programs = try start("moved")
        let login = try users.feed("login hill", "correct horse battery\n", device: "hill")
        #expect(login.end == .exited(0), "\(login.err)")
        // Its account-service has a key of its own, which reaches the others by an event.
        try eventually("every service knows who Hill is") { (try? look("Hill")) != nil }
        #expect(try look("Hill") == before)
        #expect(try users.run("alerts list", device: "hill").contains("Hill fire"))
        #expect(try users.run("shift status", device: "hill").contains("Hillhouse"))
        let other = try users.feed("login lake", "correct horse battery\n", device: "lake")
        #expect(other.end == .exited(1), "\(other.out)")
        #expect(try !users.run("organisation list").contains("Lake"))
        withExtendedLifetime(programs) {}
    }

    @Test func `an organisation moves although somebody in it has the name of the new owner`()
        throws
    {
        let programs = try start("data")
        let name = try #require(
            try system.query(.account, "SELECT name FROM account WHERE isOwner = 1").first?.first)
        // As if another machine account had run this installation.
        try system.edit(.account, "UPDATE account SET name = 'former' WHERE isOwner = 1")
        try users.run("organisation create Hill")
        let hill = try #require(
            try system.query(.account, "SELECT id FROM organisation WHERE name = 'hill'").first)
        try users.signUp(name, .administrator, in: "Hill")
        try users.run("backup \(system.path("backup"))")
        for program in programs { program.kill() }
        let put = try system.spawn(
            ["\(System.executables)/steward", "restore", system.path("backup"), "--only", hill[0]],
            environment: system.environment(data: "moved"))
        #expect(try put.waitForEnd() == .exited(0), "\(put.err)")

        let service = try system.start("account-service", data: "moved")

        #expect(service.err.contains("id=\(name)-2"), "\(service.err)")
        let names = try system.query(
            .account, data: "moved", "SELECT name, isOwner FROM account ORDER BY name")
        #expect(names == [[name, "0"], ["\(name)-2", "1"]])
        let login = try users.feed("login \(name)", "correct horse battery\n", device: "hill")
        #expect(login.end == .exited(0), "\(login.err)")
        service.kill()
        try system.start("account-service", data: "moved")
        #expect(
            try system.query(.account, data: "moved", "SELECT count(*) FROM account") == [["2"]])
    }

    @Test
    func `moving an organisation that isn't in the backup is refused and changes nothing`() throws {
        var programs = try start("data")
        try users.run("organisation create Hill")
        try users.run("backup \(system.path("backup"))")
        for program in programs { program.kill() }
        let before = try system.query(.account, "SELECT * FROM organisation")

        for id in ["nobody", "01a20724d52d7112ad883525653e35da", "x\" OR 1"] {
            let refused = try users.say("restore \(system.path("backup")) --only '\(id)'")

            #expect(refused.end == .exited(1), "\(id)")
            #expect(refused.err.contains("nothing was replaced"), "\(refused.err)")
            #expect(try system.query(.account, "SELECT * FROM organisation") == before, "\(id)")
        }
        programs = try start("data")
        withExtendedLifetime(programs) {}
    }
}
