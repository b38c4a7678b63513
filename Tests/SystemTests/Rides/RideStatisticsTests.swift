import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests what passengers say about their rides, and what operators learn from it day by day.
@Suite(.serialized, .waiting) struct RideStatisticsTests {
    private let system: System
    private let user: CommandLineUser
    /// How many seconds from now it is noon today, so that no day ends during a test.
    private let noon = 43_200 - Int(WallClock.milliseconds() / 1_000 % 86_400)

    init() throws {
        system = try System()
        let settings = [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
            "SHIFTED_CLOCK": system.path("clock"),
        ]
        user = CommandLineUser(of: system, device: "phone", adding: settings)
        try setClock(days: 0)
        let programs = try ["transit-alert-service", "notifier"].map {
            try system.launch($0, adding: settings)
        }
        for program in programs { try program.waitUntilReady() }
        try user.run("transit import '\(Town.feed)'")
        try user.run("transit privacy --accept")
    }

    /// Sets the clock of all programs to noon, this many days ahead.
    private func setClock(days: Int) throws {
        try Data("\(noon + days * 86_400)".utf8).write(
            to: URL(filePath: system.path("clock")), options: .atomic)
    }

    @Test func `T8 counts, usefulness and lead times are shown day by day, with what was said`()
        throws
    {
        for (day, said) in ["--useful --comment 'it woke me'", "--useless --comment 'too early'"]
            .enumerated()
        {
            try setClock(days: day)
            try Town.follow(with: user.client(of: .transitAlert), feed: "harbour-line")
            try user.run("transit feedback \(said)")
        }

        let statistics = try user.answer("transit stats")
        let counts = try #require(statistics["counts"] as? [[String: Any]])
        func numbers(_ name: String) -> [Int] { counts.map { $0[name] as? Int ?? 0 } }
        // The newest day comes first.
        #expect(numbers("journeys") == [1, 1])
        #expect(numbers("useful") == [0, 1] && numbers("useless") == [1, 0])
        #expect(numbers("inTime") == [1, 1])
        #expect(numbers("leadSum").allSatisfy { $0 >= 180_000 })
        let days = counts.compactMap { $0["day"] as? String }
        #expect(days.count == 2 && days[0] > days[1])
        let comments = try #require(statistics["comments"] as? [[String: Any]])
        #expect(comments.compactMap { $0["comment"] as? String } == ["too early", "it woke me"])
        let later = try user.answer("transit stats --from \(days[0])")["counts"] as? [Any]
        #expect(later?.count == 1)
        let shown = try user.run("transit stats")
        for words in ["LEAD", "line 7, not useful: too early", "line 7, useful: it woke me"] {
            #expect(shown.contains(words), "\(shown)")
        }
        try user.run("transit export '\(system.path("travel"))'")
        let travel = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: system.path("travel/travel.json"))))
        let own = try #require((travel as? [String: Any])?["comments"] as? [[String: Any]])
        #expect(own.compactMap { $0["comment"] as? String } == ["too early", "it woke me"])
        let ride = try user.say(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --speed 400")
        #expect(ride.end == .exited(0), "\(ride.err)")
        #expect(ride.err.contains("were the alerts useful? steward transit feedback "))
    }
}
