import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct KillTests {
        /// The number of kills: `KILLS` in the environment, otherwise 30.
        static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 30

        @Test(arguments: Seed.some(1))
        func `no acknowledged edit is lost or made twice, whenever the service is killed`(
            seed: Seed
        ) throws {
            var seed = seed
            let team = try Team()
            try team.make()
            try team.add("First", "2027-03-01", "2027-03-01")
            try team.add("Second", "2027-03-02", "2027-03-02", after: 1)
            var revision: UInt64 = 3
            var states = [try team.read().things]
            var added = 2
            var day = 1

            for _ in 0..<Self.kills {
                // A move takes the second issue along; a repeated addition would show in the count.
                let isMove = seed.oneIn(2)
                var action = ProjectAction.keep(.issue(TrackedIssue(subject: "More")))
                if isMove {
                    day = day % 27 + 1
                    var first = try #require(try team.issues()[1])
                    first.start = "2027-03-\(day < 10 ? "0" : "")\(day)"
                    first.due = first.start
                    action = .keep(.issue(first))
                } else {
                    added += 1
                }
                let edited = try team.killed(
                    EditProject(project: "house", actions: [action]), for: ProjectEdited.self,
                    after: .microseconds(seed.below(4_000)))
                revision += 1
                #expect(edited.project?.revision == revision, "\(seed)")
                #expect(isMove || edited.numbers == [UInt32(added)], "\(seed)")
                states.append(try team.read().things)
            }

            let kept = try team.read()
            #expect(kept.project.revision == revision && kept.project.issues == UInt32(added))
            let told = try team.told(ProjectChanged.self).map { $0.project?.revision ?? 0 }
            #expect(told == Array(1...revision))
            for state in states.dropLast().reversed() {
                try team.undo()
                #expect(try team.read().things == state)
            }
        }
    }
}
