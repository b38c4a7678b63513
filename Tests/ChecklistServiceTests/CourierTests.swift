import Bus
import Foundation
import Messages
import ShiftLog
import Speech
import TestSupport
import Testing
import WorkingCopy

@testable import ShiftClient

extension Processes {
    /// What a device sends to a service that can't read all of it.
    @Suite struct CourierTests {
        private let restaurant: Restaurant
        private let phone: Phone
        private let shift: String
        private let list: String

        init() throws {
            restaurant = try Restaurant()
            list = try restaurant.keep(.list(tasks: 6)).id
            shift = try #require(try restaurant.start().shift).id
            phone = try Phone("phone", restaurant)
            try phone.begin(shift, restaurant)
        }

        /// A text that the service can't read in a message, like one from a newer version.
        private func unreadable(_ number: Int) -> ShiftOperation.Change {
            let text = "e" + String(repeating: "\u{301}", count: 40 + number)
            return .note(NoteTask(list: list, task: "t\(number)", text: text))
        }

        /// Makes marks, with three operations among them that the service can't read.
        ///
        /// - Returns: the ids of those.
        private func work() throws -> [[UInt8]] {
            var bad: [[UInt8]] = []
            for number in 0..<40 {
                let isBad = [3, 4, 22].contains(number)
                let change: ShiftOperation.Change =
                    isBad ? unreadable(1 + bad.count) : .mark(list, "t\(1 + number % 6)", .ok)
                let operation = try phone.make(change)
                if isBad { bad.append(operation.id) }
            }
            return bad
        }

        /// The operations of devices that the service has recorded.
        private func recorded() throws -> [ShiftOperation] {
            try restaurant.kept(shift).filter { $0.deviceSequence > 0 }
        }

        @Test func `what the service can't read is set aside and reported, and all else recorded`()
            throws
        {
            let bad = try work()

            try phone.sync()

            let good = phone.made.filter { !bad.contains($0.id) }
            #expect(try recorded().map(\.id) == good.map(\.id))
            let news = try #require(phone.courier).takeNews()
            #expect(news.count == 3 && news.allSatisfy { $0.hasPrefix("set aside, see steward") })
            #expect(news.first?.contains("Task 1") == true)
            #expect(news.allSatisfy { $0.contains("combining marks in a row") })
            // It is there as it was made, with what the service said about it.
            try phone.restart()
            let refused = try #require(phone.copy).refused
            #expect(refused.map(\.operation) == phone.made.filter { bad.contains($0.id) })
            #expect(refused.allSatisfy { $0.refusal.message.contains("can't be read") })
        }

        @Test func `a service that hangs is waited for once, and what was done is sent later`()
            throws
        {
            let copy = try #require(phone.copy)
            let desk = try ShiftDesk(phone, copy) { _ in }
            restaurant.service.signal(SIGSTOP)
            defer { restaurant.service.signal(SIGCONT) }
            try desk.courier.run()
            let begun = ContinuousClock.now

            try desk.perform(.mark(list, "t1", .ok))

            #expect(ContinuousClock.now - begun < ShiftCourier.deadline)
            #expect(copy.waiting.count == 1 && desk.obstacle != nil)
            restaurant.service.signal(SIGCONT)
            try eventually("it is sent") {
                try desk.courier.run()
                return copy.waiting.isEmpty
            }
            #expect(try recorded().count == 1)
        }

        @Test func `what was set aside is sent again as new operations, and nothing twice`() throws
        {
            let bad = try work()
            try phone.sync()
            let before = try recorded()
            let copy = try #require(phone.copy)

            // The service still can't read them.
            let desk = try ShiftDesk(phone, copy) { _ in }
            let failure = #expect(throws: Failure.self) {
                try desk.resend(copy.refused.map(\.operation))
            }

            #expect(failure?.sentence.contains("can't be read") == true)
            #expect(copy.refused.count == 3 && copy.waiting.isEmpty)
            #expect(!copy.refused.contains { bad.contains($0.operation.id) })
            #expect(try recorded() == before)
            // Everything is sent once more, as after a backup was restored.
            try copy.dismiss(copy.refused[0].operation)
            let left = copy.refused.map(\.operation)
            try copy.rewind()
            try phone.make(.mark(list, "t1", .notOk))
            let again = try ShiftDesk(phone, copy) { _ in }.courier
            try eventually("everything is sent") {
                try again.run()
                return again.obstacle == nil && copy.waiting.isEmpty
            }
            #expect(copy.refused.map(\.operation) == left)
            #expect(try recorded().count == before.count + 1)
        }

        @Test func `what is sent again and can now be recorded is recorded once`() throws {
            // Another device adds the to-do later.
            let other = Device("tablet", in: shift)
            let adding = other.make(
                .addTodo(AddTodo(title: "Salt", area: "kitchen", priority: "immediate")))
            let todo = try #require(MessageID(bytes: adding.id)).description
            let mark = try phone.make(.markTodo(MarkTodo(todo: todo, mark: .done)))
            try phone.sync()
            let copy = try #require(phone.copy)
            #expect(copy.refused.map(\.operation) == [mark])
            _ = try restaurant.ask(other.record([adding]), for: OperationsRecorded.self)

            try ShiftDesk(phone, copy) { _ in }.resend([mark, mark])

            #expect(copy.refused.isEmpty && copy.waiting.isEmpty)
            let marks = try recorded().filter { $0.change == mark.change }
            #expect(marks.map(\.deviceTime) == [mark.deviceTime])
            #expect(marks.map(\.deviceSequence) == [mark.deviceSequence + 1])
        }

        @Test func `a screen doesn't go on showing what was refused`() throws {
            let copy = try #require(phone.copy)
            let desk = try ShiftDesk(phone, copy) { _ in }
            let note = try phone.make(unreadable(1))
            var shown = desk.state
            #expect(shown.log.contains { $0.id == note.id })

            try eventually("the note is refused") {
                if try desk.turn() { shown = desk.state }
                return !copy.refused.isEmpty
            }

            #expect(!shown.log.contains { $0.id == note.id })
        }

        @Test func `a board reads the shift again after an older backup was restored`() throws {
            func add(_ title: String) -> ShiftOperation.Change {
                .addTodo(AddTodo(title: title, area: "kitchen", priority: "immediate"))
            }
            let feed = try BoardFeed(phone, site: restaurant.site)
            func shows(_ titles: Set<String>) throws -> Bool {
                try feed.turn()
                return feed.state.map { Set($0.todos.map(\.title)) } == titles
            }
            let till = Device("till", in: shift)
            try till.send(add("Ice"), to: restaurant)
            try restaurant.backUp()
            try till.send(add("Salt"), to: restaurant)
            try eventually("the board shows both") { try shows(["Ice", "Salt"]) }

            try restaurant.restore()
            // The shift has as many operations as before.
            try Device("tablet", in: shift).send(add("Tea"), to: restaurant)

            try eventually("the board shows what the service has") {
                try shows(["Ice", "Tea"])
            }
        }

        @Test func `a device's wrong clock sets nothing aside`() throws {
            let courier = try #require(phone.courier)
            try phone.make(.mark(list, "t1", .ok))
            try phone.make(.mark(list, "t2", .ok))
            courier.client.clock = { WallClock.milliseconds() + 24 * 3_600_000 }

            try courier.run()

            #expect(courier.obstacle?.sentence.contains("set the clock") == true)
            let copy = try #require(phone.copy)
            #expect(copy.waiting.count == 2 && copy.refused.isEmpty)
            courier.client.clock = WallClock.milliseconds
            try phone.sync()
            #expect(try recorded().map(\.id) == phone.made.map(\.id))
        }
    }
}
