import Foundation
import RideEvaluation
import RideTracking
import TransitFeed

/// Judges the alarm on recorded rides by what a passenger knows, and prints a table.
///
/// `steward-rides FOLDER [SEED]`: the folder has recorded rides and their timetables. It takes a
/// sample of the rides and their stops, which is the same for the same seed.
@main struct RideTrials {
    /// How much a passenger knows.
    enum Knowledge: String, CaseIterable {
        case stop = "stop alone"
        case line = "line and stop"
    }

    /// A row of the table.
    struct Key: Hashable, Comparable {
        var city: String
        var part: String
        var rule: String

        static func < (one: Key, other: Key) -> Bool {
            (one.city, one.part, one.rule) < (other.city, other.part, other.rule)
        }
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            throw TrialFault(description: "usage: steward-rides FOLDER [SEED]")
        }
        let folder = URL(filePath: arguments[1]).appending(path: "transit")
        var trials = RideTrials(seed: arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1)
        try trials.run(folder)
        trials.printTable()
    }

    private let seed: UInt64
    private var reports: [Key: EvaluationReport] = [:]
    private var strangers: [String: StrangerReport] = [:]

    init(seed: UInt64) { self.seed = seed }

    private mutating func run(_ folder: URL) throws {
        let washington = try TrialCity(
            .read(from: folder.appending(path: "gtfs/wmata_gtfs_2026.zip")))
        try judge(
            "Washington", washington,
            washington.rides(
                RecordedRides.washington(folder.appending(path: "wmata-vehicle-positions.csv"))
            ) { $0 == "C53" }, one: 4)
        for (name, file) in [("Austin", ""), ("Austin, no shapes", "_without_shapes")] {
            let austin = try TrialCity(
                .read(from: folder.appending(path: "austin/gtfs_2016-01\(file).zip")))
            try judge(
                name, austin,
                austin.rides(
                    RecordedRides.austin(
                        folder.appending(path: "austin/positions_2016-02-07.csv.gz")), most: 600
                ) { (Int($0) ?? 0) % 2 == 0 }, one: 12)
        }
        let tampa = try TrialCity(.read(from: folder.appending(path: "gtfs/Hart.zip")))
        try judge(
            "Tampa", tampa,
            tampa.rides(RecordedRides.tampa(folder.appending(path: "rides-tampa"))) { _ in false },
            one: 1, leastRide: 240_000)
    }

    /// Judges rides to one in this many of their stops, first without and then with what the other
    /// half of the rides has taught.
    private mutating func judge(
        _ name: String, _ city: TrialCity, _ rides: [TrialRide], one: UInt64,
        leastRide: Int64 = 420_000
    ) throws {
        for fold in [nil, 0, 1] as [Int?] {
            city.lessons = fold.map { fold in
                var times = TravelTimes()
                for ride in rides where ride.fold != fold { times.learn(ride, in: city) }
                return times
            }
            for ride in rides where fold == nil || ride.fold == fold {
                try judge(
                    ride, in: city, name, one: one, leastRide: leastRide, isTaught: fold != nil)
            }
        }
        city.lessons = nil
    }

    private mutating func judge(
        _ trial: TrialRide, in city: TrialCity, _ name: String, one: UInt64, leastRide: Int64,
        isTaught: Bool
    ) throws {
        let ride = trial.ride
        var random = Seeded(seed ^ UInt64(truncatingIfNeeded: trial.start) ^ UInt64(trial.pattern))
        var seen: Set<String> = []
        for (call, stop) in ride.line.stops.enumerated() {
            guard stop.along - Truth.before > (ride.truth.firstAlong ?? .infinity),
                seen.insert(stop.id).inserted, random.next() % one == 0,
                let arrival = ride.truth.arrival(at: stop.along),
                arrival - trial.start >= leastRide
            else { continue }
            let part = trial.isFitted ? "fitted" : "held out"
            for knowledge in Knowledge.allCases {
                let lines = try city.offer(
                    to: stop.id, route: knowledge == .line ? trial.route : nil, at: trial.start)
                let rule = knowledge.rawValue + (isTaught ? ", taught" : "")
                let isLong = arrival - trial.start >= 420_000
                for dark in knowledge == .line || !isLong ? [false] : [false, true] {
                    let evaluation = RideEvaluation(blackout: dark ? 300_000 : nil)
                    add(
                        evaluation.outcome(
                            of: ride.trace, to: stop.id, on: lines, arrival: arrival),
                        Key(city: name, part: part, rule: rule + (dark ? ", dark" : "")))
                }
            }
            if !isTaught {
                add(
                    OneBusAwayRule().outcome(of: ride, to: call, arrival: arrival),
                    Key(city: name, part: part, rule: "OneBusAway"))
            }
        }
        if !isTaught {
            strangers[name, default: StrangerReport()].add(trial, in: city, &random)
        }
    }

    private mutating func add(_ outcome: EvaluationReport.Outcome, _ key: Key) {
        reports[key, default: EvaluationReport(notice: Ride.usualNotice)].add(outcome)
    }

    private func printTable() {
        func pad(_ text: String, _ width: Int) -> String {
            text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
        }
        print(
            pad("rides", 44), "cases  in time  missed  median  >10 min  NOW 20-120 s  earlier",
            " NOW given  NOW median  passed")
        for key in reports.keys.sorted() {
            guard let report = reports[key] else { continue }
            let share = { (part: Int) in 100 * Double(part) / Double(report.cases) }
            print(
                pad("\(key.city), \(key.part): \(key.rule)", 58),
                String(
                    format: "%5d %6.1f %% %6d %5.0f s %6.1f %% %8.1f %% %8.1f %% %8.1f %% "
                        + "%8.0f s %6d",
                    report.cases, share(report.inTime), report.missed, report.lead(0.5),
                    share(report.early), share(report.nowInTime), share(report.nowEarly),
                    share(report.nowGiven), report.nowLead(0.5), report.passedEarly))
        }
        for (name, report) in strangers.sorted(by: { $0.key < $1.key }) {
            print("\(name), rides that never serve the stop: \(report)")
        }
    }
}
