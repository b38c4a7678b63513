import Foundation
import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// Whether a list was walked, judged by how fast it was marked. The shifts are synthetic: they show
/// that the rule does what it says, not how people behave.
struct PaceTests {
    /// How the people of a synthetic set mark a list, with times in milliseconds.
    struct Habit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The median time that people who check spend on one task, and its spread.
        let look: Double
        let spread: Double
        /// How often they check several tasks first and then mark them at once, and the most that
        /// they check at once.
        let batch: Double
        let mostInBatch: Int
        /// The slowest tick of people who don't check, and how often they pause.
        let tick: Double
        let pause: Double
        /// The fraction of the list after which they stop checking.
        let honestBeginning: Double

        /// The habits that the limits of the rule were tuned on.
        static let tuned = [
            Habit(
                testDescription: "tuned on, slow", look: 7_000, spread: 0.6, batch: 0.15,
                mostInBatch: 5, tick: 1_600, pause: 0.03, honestBeginning: 0.3),
            Habit(
                testDescription: "tuned on, quick", look: 5_000, spread: 0.8, batch: 0.25,
                mostInBatch: 7, tick: 2_100, pause: 0.05, honestBeginning: 0.45),
        ]
        /// A habit that they were not tuned on.
        static let heldOut = Habit(
            testDescription: "held out", look: 6_000, spread: 0.7, batch: 0.2, mostInBatch: 6,
            tick: 1_900, pause: 0.06, honestBeginning: 0.5)

        func honest(_ count: Int, _ seed: inout Seed) -> [Double] {
            var gaps: [Double] = []
            while gaps.count < count {
                if Double.random(in: 0..<1, using: &seed) < batch {
                    let size = 2 + seed.below(mostInBatch - 1)
                    // Checking several tasks at once takes nearly as long as checking them one by
                    // one.
                    gaps.append((0..<size).reduce(0) { sum, _ in sum + 0.7 * one(&seed) })
                    gaps += (1..<size).map { _ in Double.random(in: 400..<1_500, using: &seed) }
                } else {
                    gaps.append(one(&seed))
                }
            }
            return Array(gaps.prefix(count))
        }

        func whipped(_ count: Int, _ seed: inout Seed) -> [Double] {
            let looked = Int(Double.random(in: 0..<honestBeginning, using: &seed) * Double(count))
            return honest(looked, &seed)
                + (looked..<count).map { _ in
                    Double.random(in: 0..<1, using: &seed) < pause
                        ? Double.random(in: 10_000..<90_000, using: &seed)
                        : Double.random(in: 300..<tick, using: &seed)
                }
        }

        private func one(_ seed: inout Seed) -> Double {
            let normal = (0..<12).reduce(-6.0) { sum, _ in
                sum + Double.random(in: 0..<1, using: &seed)
            }
            return max(700, look * exp(spread * normal))
        }
    }

    static let list = ChecklistTemplate(
        id: "pre", name: "Pre-shift", kind: .preShift,
        sections: [
            ChecklistSection(
                id: "all", name: "All",
                tasks: (0..<150).map { Restaurant.task("t\($0)", "Task \($0)") })
        ])

    private func state(_ gaps: [Double], isOffline: Bool = false) throws -> ShiftState {
        var service = Service(try Restaurant.state(lists: [Self.list]))
        let atOnce = Restaurant.started + 4 * 3_600_000
        var time = Double(Restaurant.started)
        for (number, gap) in gaps.enumerated() {
            time += gap
            service.now = isOffline ? atOnce : Int64(time)
            try service.take("a", .mark("t\(number)", .ok), deviceTime: Int64(time))
        }
        return service.state
    }

    @Test(arguments: Habit.tuned + [.heldOut])
    func `lists that were hardly walked are distinguished from those that were`(habit: Habit) throws
    {
        var seed = Seed(UInt64(habit.look))
        var (right, wrong, overlooked) = (0.0, 0.0, 0.0)
        for _ in 0..<100 {
            let count = 40 + seed.below(111)
            if try state(habit.whipped(count, &seed)).pace.hardlyWalked {
                right += 1
            } else {
                overlooked += 1
            }
            if try state(habit.honest(count, &seed)).pace.hardlyWalked { wrong += 1 }
        }
        let (precision, recall) = (right / max(1, right + wrong), right / (right + overlooked))
        #expect(precision >= 0.95, "precision \(precision), recall \(recall)")
        #expect(recall >= 0.9, "precision \(precision), recall \(recall)")
        print("pace, \(habit.testDescription): precision \(precision), recall \(recall)")
    }

    @Test func `marks that waited on a device are judged by its clock`() throws {
        var seed = Seed(3)
        let (slow, fast) = (Habit.tuned[0].honest(60, &seed), Habit.tuned[0].whipped(60, &seed))
        #expect(try state(slow, isOffline: true).pace.hardlyWalked == false)
        #expect(try state(slow, isOffline: true).pace.tooFast == state(slow).pace.tooFast)
        #expect(try state(fast, isOffline: true).pace.hardlyWalked)
    }

    @Test func `a look around and then a burst of marks isn't too fast, but a long run is`() throws
    {
        #expect(try state([20_000] + [Double](repeating: 600, count: 7)).pace.tooFast == 0)
        let run = try state([Double](repeating: 600, count: 40)).pace
        #expect(run.tooFast >= 20 && run.hardlyWalked)
        #expect(try state([Double](repeating: 600, count: 9)).pace.hardlyWalked == false)
    }

    @Test func `setting the clock back says nothing about pace, and a toggled mark counts once`()
        throws
    {
        var service = try Service()
        for _ in 0..<20 { try service.take("a", .mark("grill", .ok)) }
        #expect(service.state.pace.tooFast == 0)
        #expect(try state([9_000, -3_600_000, 9_000, 9_000]).pace.tooFast == 0)
    }
}
