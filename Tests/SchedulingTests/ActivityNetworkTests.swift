import ProjectInstances
import Scheduling
import TestSupport
import Testing

struct ActivityNetworkTests {
    static let wrong: [(activities: [ActivityNetwork.Activity], capacities: [Int], says: String)] =
        [
            (
                [.init(duration: -1)], [],
                "the duration of activity 0 is -1; it may be 0 to 1000000"
            ),
            (
                [.init(duration: 1_000_000), .init(duration: .max)], [],
                "the duration of activity 1 is \(Int.max); it may be 0 to 1000000"
            ),
            (
                [.init(duration: 1_000_000), .init(duration: 1)], [],
                "the sum of durations up to activity 1 is 1000001; it may be 0 to 1000000"
            ),
            ([], [32_768], "the capacity of resource 0 is 32768; it may be 0 to 32767"),
            ([], [3, -1], "the capacity of resource 1 is -1; it may be 0 to 32767"),
            (
                [.init(duration: 1, demands: [4])], [3],
                "the demand of activity 0 for resource 0 is 4; it may be 0 to 3"
            ),
            (
                [.init(duration: 1, demands: [1, 1])], [3],
                "there are 2 demands of activity 0; there must be 1"
            ),
            (
                [.init(duration: 1, predecessors: [1])], [],
                "there is no predecessor 1 of activity 0"
            ),
            (
                [
                    .init(duration: 1), .init(duration: 1, predecessors: [3]),
                    .init(duration: 1, predecessors: [0, 1]), .init(duration: 1, predecessors: [2]),
                ], [], "these follow each other in a circle: 1 -> 2 -> 3 -> 1"
            ),
        ]

    @Test(arguments: wrong.indices)
    func `a network that can't be scheduled is refused with the activity`(index: Int) throws {
        let (activities, capacities, says) = Self.wrong[index]

        let error = #expect(throws: SchedulingError.self) {
            try ActivityNetwork(activities: activities, capacities: capacities)
        }
        #expect(error?.description == says)
    }

    @Test func `the largest amounts are scheduled without overflow`() throws {
        let activities = (0..<10).map { index in
            ActivityNetwork.Activity(
                duration: 100_000, demands: Array(repeating: 32_767, count: 64),
                predecessors: index > 8 ? [0] : [])
        }
        let network = try ActivityNetwork(
            activities: activities, capacities: Array(repeating: 32_767, count: 64))
        let search = ScheduleSearch(network, budget: 10, seed: 1)
        search.run(until: 10)
        search.prove(steps: 1_000)

        #expect(search.makespan == 1_000_000)
        #expect(search.isProvedOptimal)
        #expect(ScheduleCheck.faults(in: search.starts, makespan: 1_000_000, of: network) == [])
    }

    @Test func `nothing is scheduled in no time`() throws {
        let search = ScheduleSearch(
            try ActivityNetwork(activities: [], capacities: [2]), budget: 10, seed: 1)
        search.run(until: 10)

        #expect(search.makespan == 0)
        #expect(search.starts == [])
        #expect(search.isProvedOptimal)
    }
}
