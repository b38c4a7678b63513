import Foundation
import ProjectInstances

/// Schedules of the PSPLIB instances, compared with those of the plain rule of latest finish times
/// in the same run. The parameters of the search were chosen on the instances 1 and 5 of each ten;
/// the figures of the others are reported separately.
enum SchedulingBench {
    static func run(_ figures: inout Figures) throws {
        let data = ProcessInfo.processInfo.environment["STEWARD_REAL_DATA"] ?? ""
        let folder = URL(filePath: data).appending(path: "project/psplib")
        guard !data.isEmpty, FileManager.default.fileExists(atPath: folder.path) else {
            print("no instances of PSPLIB are here (STEWARD_REAL_DATA)")
            return
        }
        for (set, goal) in [("j30", 0.12), ("j60", nil), ("j120", 33.0)] as [(String, Double?)] {
            let instances = try ProjectInstance.all(of: set, in: folder)
            report(set, instances, 5_000, goal, &figures)
        }
        let large = try ProjectInstance.all(of: "j120", in: folder)
        report("j120", large, 50_000, 31.2, &figures)
        proofs(try ProjectInstance.all(of: "j30", in: folder), &figures)
    }

    private static func report(
        _ set: String, _ instances: [ProjectInstance], _ budget: Int, _ goal: Double?,
        _ figures: inout Figures
    ) {
        let isSmall = set == "j30"
        let reference = isSmall ? "the shortest" : "the longest way"
        let above = { (instance: ProjectInstance, makespan: Int) in
            let least = isSmall ? instance.bestKnown : instance.criticalPath
            return Double(makespan - least) / Double(least) * 100
        }
        let begun = clock()
        let searched = instances.map { instance in
            let search = ScheduleSearch(instance.network, budget: budget, seed: 1)
            search.run(until: budget)
            return above(instance, search.makespan)
        }
        let spent = Double(clock() - begun) / Double(CLOCKS_PER_SEC) * 1000
        let plain = instances.map { above($0, ScheduleSearch.makespanByRule($0.network)) }
        let name = "scheduling: \(set), \(budget) schedules"
        for (part, isTuned) in [("tuned", true), ("others", false)] {
            let places = instances.indices.filter {
                [1, 5].contains(instances[$0].number) == isTuned
            }
            guard !places.isEmpty else { continue }
            let mean = { (values: [Double]) in
                places.reduce(0) { $0 + values[$1] } / Double(places.count)
            }
            figures.add(
                "\(name), above \(reference), \(part)", mean(searched), "%",
                goal: isTuned ? .none : goal.map { .atMost($0) } ?? .none,
                reference: ("% by latest finish time", mean(plain)))
        }
        figures.add(
            "\(name), processor time", spent / Double(instances.count), "ms",
            goal: set == "j120" && budget == 5_000 ? .atMost(150) : .none)
    }

    private static func proofs(_ instances: [ProjectInstance], _ figures: inout Figures) {
        let proved = instances.filter { instance in
            let search = ScheduleSearch(instance.network, budget: 5_000, seed: 1)
            search.run(until: 5_000)
            search.prove(steps: 100_000)
            return search.isProvedOptimal
        }
        figures.add(
            "scheduling: j30, proved to be the shortest",
            Double(proved.count) / Double(instances.count) * 100, "%", goal: .atLeast(80))
    }
}
