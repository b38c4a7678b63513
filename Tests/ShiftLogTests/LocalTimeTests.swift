import Foundation
import LocalTime
import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// Two years in eight zones, compared with a second implementation: Python's zoneinfo.
struct LocalTimeTests {
    /// Zones whose clocks change by an hour, by half an hour, at midnight, and in other months.
    static let zones = [
        "Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo",
        "America/Havana", "Asia/Beirut", "Pacific/Chatham", "Atlantic/Azores",
    ]

    struct Case: Codable {
        var zone: String
        var started: Int64
        var evening: Bool
        var minutes: Int
        var interval: UInt32
        var late: UInt32
        var ended: Int64
        var walks: [[Int64]]
        var times: [UInt32]

        /// A shift on a day, with walks. Some of them waited on a device while the service was
        /// down, some devices have a wrong clock, and some walks were left out.
        init(_ zone: String, day: Int64, isCommon: Bool, _ seed: inout Seed) throws {
            let local = try #require(LocalTime(zone: zone))
            self.zone = zone
            evening = isCommon ? day % 2 != 0 : seed.oneIn(2)
            minutes = isCommon ? (day % 2 == 0 ? 615 : 1_035) : seed.below(1_440)
            interval = isCommon ? 30 : seed.pick([5, 20, 45, 60, 240])
            late = isCommon ? 10 : UInt32(1 + seed.below(Int(interval) - 1))
            let begins = isCommon ? max(0, minutes - 90 + seed.below(180)) : seed.below(1_440)
            started =
                local.instant(day: day, minutes: min(begins, 1_439)) + Int64(seed.below(60_000))
            ended = started + Int64((4 * 60 + seed.below(10 * 60)) * 60_000 + seed.below(60_000))
            walks = []
            times = (0..<3).map { _ in UInt32(seed.below(1_440)) }
            var time = started
            while time < ended {
                time += Int64(seed.below(Int(interval) * 90_000))
                if seed.oneIn(4) { time += Int64(seed.below(90 * 60_000)) }
                guard time < ended else { break }
                let waited = seed.oneIn(3) ? Int64(seed.below(3_600_000)) : 0
                // The service knows when it was done if the device says what its clock shows.
                let wrong = seed.oneIn(4) ? Int64(seed.below(7_200_000)) - 3_600_000 : 0
                walks.append([
                    min(time + waited, ended - 1), time + wrong, wrong == 0 ? 0 : time,
                ])
            }
            if seed.oneIn(2) { walks.shuffle(using: &seed) }
        }

        /// The library's result.
        func answer() throws -> Answer {
            var settings = Restaurant.settings
            settings.travelPathInterval = interval
            settings.lateAfter = late
            if evening {
                settings.firstTravelPathEvening = UInt32(minutes)
            } else {
                settings.firstTravelPathDay = UInt32(minutes)
            }
            var list = Restaurant.before
            list.sections[0].tasks = times.enumerated().map {
                Restaurant.task("t\($0)", "Task", carryOut: $1)
            }
            let shift = try Restaurant.shift(
                settings, lists: [list], started: started, zone: zone,
                dayPart: evening ? .evening : .day)
            var service = Service(try ShiftState(shift: shift, lists: [list]))
            for (number, walk) in walks.enumerated() {
                service.now = walk[0]
                var operation = service.operation(
                    "device \(number)", .logTravelPath(LogTravelPath()), deviceTime: walk[1])
                operation.doneAt = walk[2]
                try service.receive(operation)
            }
            service.now = ended
            service.end()
            let due = Dictionary(
                uniqueKeysWithValues: service.state.dueTimes.map { ($0.key.task, $0.due) })
            return Answer(
                date: shift.date, first: shift.firstTravelPath,
                slots: service.state.slots(at: ended + 86_400_000).map {
                    Answer.Slot(due: $0.due, state: $0.state.rawValue)
                },
                times: times.indices.compactMap { due["t\($0)"] })
        }
    }

    struct Answer: Codable, Equatable {
        /// `[due, state]`.
        struct Slot: Codable, Equatable {
            var due: Int64
            var state: String

            init(due: Int64, state: String) { (self.due, self.state) = (due, state) }

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                due = try list.decode(Int64.self)
                state = try list.decode(String.self)
            }
        }

        var date: String
        var first: Int64
        var slots: [Slot]
        var times: [Int64]
    }

    @Test(arguments: zones)
    func `each slot in two years is done, late or missed exactly once, as in zoneinfo`(
        zone: String
    ) throws {
        var seed = try #require(Seed.some(1).first)
        let start = seed
        // From 2023-01-01 to the end of 2024, because the rules of future years change, and
        // Foundation's may be older than those of the system, which zoneinfo reads.
        let cases = try (19_358..<20_089).flatMap { day in
            [
                try Case(zone, day: Int64(day), isCommon: true, &seed),
                try Case(zone, day: Int64(day), isCommon: false, &seed),
            ]
        }
        let answers = try python(cases)

        try #require(answers.count == cases.count)
        var decided: [String: Int] = [:]
        for (given, expected) in zip(cases, answers) {
            let answer = try given.answer()
            if answer != expected {
                Issue.record("\(start) \(given): \(answer), not \(expected)")
                return
            }
            for slot in answer.slots { decided[slot.state, default: 0] += 1 }
            let step = Int64(given.interval) * 60_000
            for (slot, next) in zip(answer.slots, answer.slots.dropFirst()) {
                #expect(next.due - slot.due == step)
            }
        }
        #expect(Set(decided.keys) == ["done", "late", "missed"])
    }

    @Test func `a skipped time means the first one after it, and a repeated time the first`()
        throws
    {
        let oslo = try #require(LocalTime(zone: "Europe/Oslo"))
        let spring = oslo.instant(day: 20_541, minutes: 150)
        #expect(oslo.reading(at: spring).date == "2026-03-29")
        #expect(oslo.reading(at: spring).time == "03:00")
        #expect(oslo.instant(day: 20_541, minutes: 615) == 1_774_772_100_000)
        let autumn = oslo.instant(day: 20_751, minutes: 150)
        #expect(oslo.reading(at: autumn).date == "2026-10-25")
        #expect(oslo.reading(at: autumn).time == "02:30")
        #expect(oslo.reading(at: autumn + 3_600_000).time == "02:30")
        let cairo = try #require(LocalTime(zone: "Africa/Cairo"))
        #expect(cairo.reading(at: cairo.instant(day: 20_567, minutes: 0)).time == "01:00")
        #expect(LocalTime(zone: "Europe/Nowhere") == nil)
    }

    private func python(_ cases: [Case]) throws -> [Answer] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appending(path: "in"), folder.appending(path: "out"))
        let lines = try cases.map { try JSONEncoder().encode($0) + Data("\n".utf8) }
        try lines.reduce(Data(), +).write(to: input)
        try Data().write(to: output)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "travel_paths.py").path()
        ]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "Is tzdata there? apt-get install tzdata")
        return try String(decoding: try Data(contentsOf: output), as: UTF8.self)
            .split(separator: "\n")
            .map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }
}
