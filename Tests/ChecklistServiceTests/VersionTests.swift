import Foundation
import GRDB
import Messages
import ShiftLog
import TestSupport
import Testing

@testable import ChecklistService

@Suite struct ByteDeltaTests {
    @Test(arguments: Seed.some(20))
    func `the pieces give back the original, and small changes take little space`(
        seed: Seed
    ) throws {
        var seed = seed
        var base: [UInt8] = (0..<seed.below(20_000)).map { _ in UInt8(seed.below(256)) }
        for _ in 0..<20 {
            var target = base
            for _ in 0..<seed.below(4) {
                let place = seed.below(target.count + 1)
                if seed.oneIn(2) {
                    target.removeSubrange(place..<min(target.count, place + seed.below(100)))
                } else {
                    target.insert(contentsOf: (0..<seed.below(100)).map { UInt8($0) }, at: place)
                }
            }
            let delta = ByteDelta.make(from: base, to: target)
            #expect(ByteDelta.apply(delta, to: base, most: target.count) == target)
            #expect(delta.count < 800)
            base = target
        }
    }

    @Test(arguments: Seed.some(5))
    func `damaged pieces produce nothing too long, and crash nothing`(seed: Seed) {
        var seed = seed
        let base = [UInt8](repeating: 7, count: 1000)
        for _ in 0..<2000 {
            let delta = (0..<seed.below(30)).map { _ in UInt8(seed.below(256)) }
            let made = ByteDelta.apply(delta, to: base, most: 5000)
            #expect((made?.count ?? 0) <= 5000)
        }
    }
}

extension Processes {
    @Suite struct VersionTests {
        /// A template with as many tasks as a large kitchen has.
        private static func large() -> ChecklistTemplate {
            .list(tasks: 150) { number, task in
                task.note = "What good looks like at place \(number): clean, dry and in its place."
            }
        }

        private func add(_ number: Int, to restaurant: Restaurant) throws -> ChecklistTemplate {
            let task = ChecklistTask(
                id: "new-\(number)", title: "One more, \(number)", area: "kitchen",
                priority: "immediate")
            return try restaurant.ask(
                EditTemplate(
                    template: "Opening",
                    edit: .addTask(PlaceTask(task: task, section: "s1", after: "t75"))),
                for: ChecklistTemplate.self)
        }

        @Test func `a changed task takes little space, and every version stays as it was`()
            throws
        {
            let restaurant = try Restaurant()
            let template = try restaurant.keep(Self.large())
            let size = template.packed().count
            #expect(size > 15_000)
            var versions = [template]
            for number in 1...70 {
                let told = try add(number, to: restaurant)
                #expect(told.sections == [] && told.version == UInt32(number + 1))
                versions.append(
                    try restaurant.ask(
                        ReadTemplate(template: template.id), for: ChecklistTemplate.self))
            }

            let bytes = try restaurant.system.reading(.checklist) { db in
                try [
                    "SELECT sum(length(body)) FROM templateVersion",
                    "SELECT sum(length(envelope)) FROM outbox",
                    "SELECT sum(length(reply)) FROM inbox",
                ].map { try Int.fetchOne(db, sql: $0) ?? 0 }
            }
            // The newest version, two whole ones in between, and the changes.
            #expect(bytes[0] < 5 * size, "\(bytes)")
            #expect(bytes[1] < 3 * size && bytes[2] < 4 * size, "\(bytes)")
            try restaurant.restart()
            for version in versions {
                let read = try restaurant.ask(
                    ReadTemplate(template: template.id, version: version.version),
                    for: ChecklistTemplate.self)
                #expect(read == version)
            }
        }

        @Test func `versions from an earlier release are stored as differences from then on`()
            throws
        {
            let restaurant = try Restaurant()
            let template = try restaurant.keep(Self.large())
            for number in 1...40 { _ = try add(number, to: restaurant) }
            let before = try (1...41).map {
                try restaurant.ask(
                    ReadTemplate(template: template.id, version: UInt32($0)),
                    for: ChecklistTemplate.self)
            }
            restaurant.kill()
            // Store every version whole, as that release did.
            for version in before {
                let hex = version.packed().map {
                    String(UInt16($0) + 256, radix: 16).dropFirst()
                }.joined()
                try restaurant.system.edit(
                    .checklist,
                    "UPDATE templateVersion SET body = X'\(hex)' WHERE version = \(version.version)"
                )
            }
            try restaurant.system.edit(
                .checklist,
                """
                ALTER TABLE templateVersion DROP COLUMN base;
                DELETE FROM grdb_migrations WHERE identifier = 'checklist: versions as changes of '
                    || 'the next one';
                """)

            try restaurant.restart()

            let bytes = try restaurant.system.query(
                .checklist, "SELECT sum(length(body)) < 200000 FROM templateVersion")
            #expect(bytes == [["1"]])
            for version in before {
                let read = try restaurant.ask(
                    ReadTemplate(template: template.id, version: version.version),
                    for: ChecklistTemplate.self)
                #expect(read == version)
            }
        }
    }
}

@Suite struct RememberedTodoTests {
    @Test func `a site remembers the thousand to-dos that were used last`() throws {
        let queue = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(queue)
        try queue.write { db in
            for time in Int64(1)...1_100 {
                try RememberedTodo.keep(
                    [AddTodo(title: "To-do \(time)")], at: "harbour", time: time, db)
            }
            try RememberedTodo.keep([AddTodo(title: "Other")], at: "station", time: 1, db)
            let titles = try String.fetchAll(
                db, sql: "SELECT title FROM rememberedTodo WHERE site = 'harbour' ORDER BY last")
            #expect(titles.count == 1_000 && titles.first == "to-do 101")
            #expect(try RememberedTodo.all(at: "station", containing: "", db).count == 1)
        }
    }
}
