import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// People who change the same thing at the same moment.
@Suite(.serialized, .waiting) struct SharedChangeTests {
    /// Begins all commands at once, and expects each to succeed.
    private func atOnce(_ lines: [String], _ restaurant: Restaurant) throws {
        let commands = try lines.map { try restaurant.begin($0) }
        for command in commands {
            #expect(try command.waitForEnd() == .exited(0), "\(command.err)")
        }
    }

    @Test func `several people's changes to a task at the same moment are all kept`() throws {
        let restaurant = try Restaurant()
        let list = "'Pre-shift, evening'"
        try restaurant.run("template add-task \(list) Candles --section 'Dining room'")
        for round in 1...5 {
            try atOnce(
                ["--at 18:0\(round)", "--note note-\(round)", "--title 'Candles \(round)'"].map {
                    "template change-task \(list) candles \($0)"
                }, restaurant)
            let template = try restaurant.value(
                of: "template show \(list)", as: ChecklistTemplate.self)
            let task = try #require(
                template.sections.flatMap(\.tasks).first { $0.id == "candles" })
            #expect(task.carryOut == 18 * 60 + UInt32(round))
            #expect(task.note == "note-\(round)" && task.title == "Candles \(round)")
        }
    }

    @Test func `a section that is renamed while it is moved has its name and its place`() throws {
        let restaurant = try Restaurant()
        let list = "'Pre-shift, evening'"
        for section in ["Second", "First"] {
            try restaurant.run("template add-section \(list) \(section)")
        }
        func sections() throws -> [ChecklistSection] {
            try restaurant.value(of: "template show \(list)", as: ChecklistTemplate.self).sections
        }
        for round in 1...5 {
            let behind = try #require(try sections().last { $0.id != "first" }).id
            try atOnce(
                ["--name 'First \(round)'", "--after \(behind)"].map {
                    "template move-section \(list) first \($0)"
                }, restaurant)
            #expect(try sections().last?.name == "First \(round)")
            try restaurant.run("template move-section \(list) first")
        }
    }

    @Test func `several people's changes to a site's settings at once are all kept`() throws {
        let restaurant = try Restaurant()
        for round in 1...5 {
            try atOnce(
                ["--grace 1\(round)m", "--retention 40\(round)", "--mail-to x\(round)@y.example"]
                    .map { "site settings \($0)" }, restaurant)
            let settings = try restaurant.value(of: "site settings", as: SiteSettings.self)
            #expect(settings.grace == 10 + UInt32(round))
            #expect(settings.retentionDays == 400 + UInt32(round))
            #expect(settings.mailTo == ["x\(round)@y.example"])
        }
    }

    @Test func `a change for a version that is no longer the newest is refused`() throws {
        let restaurant = try Restaurant()
        let list = "'Pre-shift, evening'"
        try restaurant.run("template add-task \(list) Candles --section 'Dining room'")
        let refused = try restaurant.say(
            "template change-task \(list) candles --at 18:00 --version 1")
        #expect(refused.end == .exited(1) && refused.err.contains("it is now version 2"))
    }
}
