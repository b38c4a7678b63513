import Foundation
import Messages
import TestSupport
import Testing

@testable import WorkingCopy

/// What a device keeps of a day.
struct DayCopyTests {
    private func folder() throws -> DeviceFolder {
        var ids = MessageID.Generator()
        let path = NSTemporaryDirectory() + "day-\(UUID().uuidString)"
        return try DeviceFolder(at: path, newID: ids.next(at: 1_800_000_000_000))
    }

    private func done(_ number: UInt8) -> DayOperation {
        DayOperation(
            id: [UInt8](repeating: number, count: 16), step: "1.\(number)", time: 1,
            action: RoutineAction(name: "a", minutes: 1), what: .done(true))
    }

    @Test func `finished work waits until it is recorded, even in another process`() throws {
        let folder = try folder()
        let day = Day(person: "ada", date: "2027-02-01", timeZone: "UTC", revision: 1)
        do {
            let copy = try folder.open(day: "2027-02-01")
            try copy.update(to: day)
            try copy.append(done(1))
            try copy.append(done(2))
        }
        do {
            let copy = try folder.open(day: "2027-02-01")
            #expect(copy.day == day && copy.waiting.map(\.step) == ["1.1", "1.2"])
            var later = day
            later.revision = 2
            try copy.settle([done(1)], later)
        }
        let copy = try folder.open(day: "2027-02-01")
        #expect(copy.day?.revision == 2 && copy.waiting == [done(2)])
        #expect(try folder.days() == ["2027-02-01"])
    }

    @Test func `a folder has work while something waits, even after it was moved`() throws {
        let folder = try folder()
        #expect(try !folder.hasWork())
        do { try folder.open(day: "2027-02-01").append(done(1)) }
        #expect(try folder.hasWork())

        let path = folder.path + "-moved"
        try DeviceFolder.move(folder.path, to: path)
        // Another process was faster.
        try DeviceFolder.move(folder.path, to: path)
        var ids = MessageID.Generator()
        let moved = try DeviceFolder(at: path, newID: ids.next(at: 1_900_000_000_000))
        #expect(moved.device == folder.device)
        #expect(try moved.hasWork())
        let day = Day(person: "ada", date: "2027-02-01", timeZone: "UTC")
        do { try moved.open(day: "2027-02-01").settle([done(1)], day) }
        #expect(try !moved.hasWork())
    }

    @Test func `half a record at the end is dropped, and everything before it stays`() throws {
        let folder = try folder()
        let path = folder.path + "/2027-02-01.day"
        do { try folder.open(day: "2027-02-01").append(done(1)) }
        let whole = try Data(contentsOf: URL(filePath: path))
        do { try folder.open(day: "2027-02-01").append(done(2)) }
        let both = try Data(contentsOf: URL(filePath: path))
        for length in whole.count..<both.count {
            try both.prefix(length).write(to: URL(filePath: path))
            #expect(try folder.open(day: "2027-02-01").waiting == [done(1)])
        }
    }

    @Test func `the file stays small while a day is received again and again`() throws {
        let folder = try folder()
        var day = Day(person: "ada", date: "2027-02-01", timeZone: "UTC")
        day.items = [DayItem(id: "1", name: String(repeating: "x", count: 700))]
        let copy = try folder.open(day: day.date)
        for revision in 1...1_000 {
            day.revision = UInt64(revision)
            try copy.update(to: day)
        }
        let size = try Data(contentsOf: URL(filePath: folder.path + "/2027-02-01.day")).count
        #expect(copy.day == day && size < 300_000)
    }

    @Test func `a day that is over is deleted when nothing of it waits`() throws {
        let folder = try folder()
        do { try folder.open(day: "2027-02-01").append(done(1)) }
        do { _ = try folder.open(day: "2027-02-02") }
        try folder.forgetDays(before: "2027-02-10")
        #expect(try folder.days() == ["2027-02-01"])
    }
}
