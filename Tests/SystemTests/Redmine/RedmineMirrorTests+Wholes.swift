import Foundation
import TestSupport
import Testing

/// Versions, the project itself, and what a mirror reports.
extension RedmineMirrorTests {
    private func versionsThere() throws -> [String: [String: Any]] {
        let all = try redmine.list("/projects/\(redmine.house)/versions.json", "versions")
        return Dictionary(
            all.compactMap { version in (version["name"] as? String).map { ($0, version) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func versionsHere() throws -> [String: [String: Any]] {
        let all = try user.rows("project version list").compactMap {
            $0["version"] as? [String: Any]
        }
        return Dictionary(
            all.compactMap { version in (version["name"] as? String).map { ($0, version) } },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func `P5, P16: versions are made, changed and removed on either side, without loss`()
        throws
    {
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        try logIn()
        try user.run("redmine link \(redmine.house)")
        try user.run("project version add 2.0 --due 2083-07-01 --description Garden")
        try user.run("issue change \(try number("Roof")) --version 2.0")
        try user.run("redmine sync")
        let made = try #require(try versionsThere()["2.0"])
        #expect(made["due_date"] as? String == "2083-07-01")
        let issue = try #require(try redmine.issue(roof))
        #expect((issue["fixed_version"] as? [String: Any])?["name"] as? String == "2.0")
        // Each side changes a field of its own: the date there, the name here.
        let path = "/versions/\(try #require(made["id"] as? Int)).json"
        try redmine.ask("PUT", path, #"{"version":{"due_date":"2083-08-01"}}"#)
        try user.run("project version change 2.0 --rename Two")
        try user.run("redmine sync")
        #expect(try versionsThere()["Two"]?["due_date"] as? String == "2083-08-01")
        #expect(try versionsHere()["Two"]?["due"] as? String == "2083-08-01")
        // Both sides have changed the date, so neither is overwritten.
        try redmine.fault("down")
        try user.run("project version change Two --due 2083-09-01")
        try redmine.ask("PUT", path, #"{"version":{"due_date":"2083-10-01"}}"#)
        try redmine.fault("")
        try user.run("redmine sync")
        let told = try conflicts()
        let field = try #require(told.first?["field"] as? String)
        #expect(told.count == 1 && field.hasSuffix(" due") && field.hasPrefix("version "))
        #expect(try versionsThere()["Two"]?["due_date"] as? String == "2083-10-01")
        #expect(try versionsHere()["Two"]?["due"] as? String == "2083-09-01")
        try user.run("redmine settle 0 '\(field)' --ours")
        #expect(try versionsThere()["Two"]?["due_date"] as? String == "2083-09-01")
        #expect(try conflicts().isEmpty)
        // What is removed on one side is removed on the other.
        try user.run("issue change \(try number("Roof")) --version none")
        try user.run("project version remove Two")
        try user.run("redmine sync")
        #expect(try versionsThere().keys.sorted() == ["1.0"] && conflicts().isEmpty)
        try redmine.ask("DELETE", "/versions/\(redmine.version).json")
        try user.run("redmine sync")
        #expect(try versionsHere().isEmpty && conflicts().isEmpty)
    }

    @Test func `P5: a version that gets the number of a removed one at the server is a new one`()
        throws
    {
        try logIn()
        try user.run("redmine link \(redmine.house)")
        try user.run("project version add 2.0")
        try user.run("redmine sync")
        let former = try #require(try versionsThere()["2.0"])
        try redmine.fault("down")
        try user.run("project version change 2.0 --description Garden")
        try user.run("issue create Roof --version 2.0")
        // Times at the server have no fractions of a second.
        var made = former
        try eventually("another version has its number") {
            try redmine.ask("DELETE", "/versions/\(try #require(made["id"] as? Int)).json")
            let body = #"{"version":{"name":"Beta"}}"#
            try redmine.ask("POST", "/projects/\(redmine.house)/versions.json", body)
            made = try #require(try versionsThere()["Beta"])
            return made["created_on"] as? String != former["created_on"] as? String
        }
        try redmine.fault("")
        // Another test may have made a version meanwhile; then this one is removed, not replaced.
        _ = try user.say("redmine sync")
        _ = try user.say("redmine sync")
        #expect(try versionsHere().keys.sorted() == ["1.0", "2.0", "Beta"])
        #expect(try versionsHere()["Beta"]?["description"] as? String ?? "" == "")
        #expect(try versionsThere().keys.sorted() == ["1.0", "Beta"])
        #expect(try versionsThere()["Beta"]?["description"] as? String ?? "" == "")
        let told = try conflicts()
        #expect(told.count == 1 && told.first?["theirs"] as? String == "removed", "\(told)")
        let field = try #require(told.first?["field"] as? String)
        try user.run("redmine settle 0 '\(field)' --ours")
        try user.run("redmine sync")
        #expect(try versionsThere()["2.0"]?["description"] as? String == "Garden")
        let roof = try redmine.list("/issues.json?project_id=\(redmine.house)", "issues").first
        #expect((roof?["fixed_version"] as? [String: Any])?["name"] as? String == "2.0")
        #expect(try conflicts().isEmpty)
    }

    @Test func `P5: a project has the same name and description on both sides`() throws {
        try logIn()
        try user.run("redmine link \(redmine.house)")
        try user.run("project change --name 'Our house'")
        try redmine.ask(
            "PUT", "/projects/\(redmine.house).json",
            #"{"project":{"description":"Three\r\nfour"}}"#, as: "admin")
        try user.run("redmine sync")
        let there = try redmine.ask("GET", "/projects/\(redmine.house).json").body
        #expect(there.contains("Our house") && there.contains("Three"))
        #expect(try user.run("project show").contains("Three"))
        #expect(try conflicts().isEmpty && status()["waiting"] as? Int ?? 0 == 0)
    }

    @Test func `P10, REQ 3.4: who is logged in where, and when both sides last agreed, is shown`()
        throws
    {
        try logIn()
        try user.run("redmine link \(redmine.house)")
        let home = try user.run("redmine status")
        #expect(home.contains("\(redmine.house) of \(redmine.address) as ann"))
        #expect(home.contains("the same at 20"))
        let link = try status()
        let synced = link["synced"] as? String ?? ""
        #expect(synced.hasPrefix("20") && link["login"] as? String == "ann")
    }

    @Test func `P9, N-REQ-3: a conflict and a server that is down raise alerts until they end`()
        throws
    {
        try user.system.start("notifier")
        try user.signUp("ann", .shiftManager)
        let roof = try redmine.make(#""project_id":"\#(redmine.house)","subject":"Roof""#)
        let said = try user.feed(
            "redmine login \(redmine.address)", redmine.key("ann") + "\n", device: "ann")
        #expect(said.end == .exited(0), "\(said.err)")
        try user.run("redmine link \(redmine.house)", device: "ann")
        func kinds() throws -> [String] {
            try user.rows("alerts list", device: "ann").compactMap { row in
                (row["raised"] as? [String: Any])?["kind"] as? String
            }
        }
        try redmine.fault("down")
        try user.run("issue change \(roof) --subject Ours", device: "ann")
        try redmine.change(roof, #""subject":"Theirs""#)
        for _ in 1...4 { _ = try user.say("redmine sync", device: "ann") }
        try eventually("it is told that the server is down") {
            try kinds() == ["project.mirrorDown"]
        }
        try redmine.fault("")
        try user.run("redmine sync", device: "ann")
        try eventually("it is told that there is a conflict, and no longer that it is down") {
            try kinds() == ["project.mirrorConflict"]
        }
        try user.run("redmine settle \(roof) --theirs", device: "ann")
        try eventually("nothing is left to tell") { try kinds().isEmpty }
    }
}
