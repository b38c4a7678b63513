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

    /// How much earlier rides have taught.
    enum History: String, CaseIterable {
        case none = ""
        case day = ", a day taught"
        case week = ", a week taught"
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

    /// The width of the first column of the table.
    private static let width = 74

    private let seed: UInt64
    private var reports: [Key: EvaluationReport] = [:]
    private var strangers: [String: StrangerReport] = [:]
    private var wrongWays: [String: WrongWayReport] = [:]

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
            one: 1, mishapsToOne: 1, leastRide: 240_000)
        judge(try Limerick.rides(folder))
    }

    /// Judges rides to each stop of a line of which nothing but the stops is known.
    private mutating func judge(_ rides: [Limerick.StopRide]) {
        for one in rides {
            let (ride, city) = (one.ride, "Limerick, stops alone")
            guard let start = ride.trace.fixes.first?.time else { continue }
            for (call, arrival) in one.arrivals.enumerated() where arrival - start >= 420_000 {
                let stop = ride.line.stops[call].id
                for dark in [false, true] {
                    let evaluation = RideEvaluation(blackout: dark ? 300_000 : nil)
                    add(
                        evaluation.outcome(
                            of: ride.trace, to: stop, on: [ride.line], arrival: arrival),
                        Key(
                            city: city, part: "held out",
                            rule: Knowledge.line.rawValue + (dark ? ", dark" : "")))
                }
                add(
                    OneBusAwayRule().outcome(of: ride, to: call, arrival: arrival),
                    Key(city: city, part: "held out", rule: "OneBusAway"))
                wrongWays[city, default: WrongWayReport()].add(
                    ride, to: stop, arrival: arrival, on: [ride.line])
            }
        }
    }

    /// Judges rides to one in this many of their stops, first without and then with what the
    /// others have taught, and then some of them with what may befall a ride.
    private mutating func judge(
        _ name: String, _ city: TrialCity, _ rides: [TrialRide], one: UInt64,
        mishapsToOne: UInt64 = 6, leastRide: Int64 = 420_000
    ) throws {
        for history in History.allCases {
            for fold in 0..<TrialRide.folds {
                let others = rides.filter { $0.fold != fold }
                city.lessons =
                    switch history {
                    case .none: nil
                    case .day: TravelTimes(others, in: city)
                    case .week: TravelTimes(others, in: city, days: 7, seed: seed)
                    }
                for ride in rides where ride.fold == fold {
                    try judge(
                        ride, in: city, name, one: one, leastRide: leastRide, history: history)
                }
            }
        }
        city.lessons = nil
        for ride in rides {
            try befall(ride, in: city, name, one: one * mishapsToOne, leastRide: leastRide)
        }
    }

    /// Judges a ride to one in this many of its stops with each thing that may befall it.
    private mutating func befall(
        _ trial: TrialRide, in city: TrialCity, _ name: String, one: UInt64, leastRide: Int64
    ) throws {
        let ride = trial.ride
        let seed = seed &+ UInt64(truncatingIfNeeded: trial.start) &+ UInt64(trial.pattern)
        var random = Seeded(seed)
        var seen: Set<String> = []
        for stop in ride.line.stops {
            guard stop.along - Truth.before > (ride.truth.firstAlong ?? .infinity),
                seen.insert(stop.id).inserted, random.next() % one == 0,
                let arrival = ride.truth.arrival(at: stop.along),
                arrival - trial.start >= leastRide
            else { continue }
            let lines = try city.offer(to: stop.id, route: trial.route, at: trial.start)
            for mishap in Mishap.allCases {
                guard
                    let tracked = mishap.befalling(
                        ride, to: stop.along, arrival: arrival, seed: random.next())
                else { continue }
                add(
                    RideEvaluation(delay: tracked.delay).outcome(
                        of: tracked.trace, to: stop.id, on: lines, arrival: tracked.arrival),
                    Key(
                        city: name, part: trial.isFitted ? "fitted" : "held out",
                        rule: "\(Knowledge.line.rawValue), \(mishap.rawValue)"))
            }
            wrongWays[name, default: WrongWayReport()].add(
                ride, to: stop.id, arrival: arrival, on: lines)
        }
    }

    private mutating func judge(
        _ trial: TrialRide, in city: TrialCity, _ name: String, one: UInt64, leastRide: Int64,
        history: History
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
                let rule = knowledge.rawValue + history.rawValue
                let isLong = arrival - trial.start >= 420_000
                for dark in knowledge == .line || !isLong ? [false] : [false, true] {
                    let evaluation = RideEvaluation(blackout: dark ? 300_000 : nil)
                    add(
                        evaluation.outcome(
                            of: ride.trace, to: stop.id, on: lines, arrival: arrival),
                        Key(city: name, part: part, rule: rule + (dark ? ", dark" : "")))
                }
            }
            if history == .none {
                add(
                    OneBusAwayRule().outcome(of: ride, to: call, arrival: arrival),
                    Key(city: name, part: part, rule: "OneBusAway"))
            }
        }
        if history == .none {
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
            pad("rides", Self.width),
            "cases  in time  missed  median  >10 min  NOW 20-120 s  earlier",
            " NOW given  NOW median  passed")
        for key in reports.keys.sorted() {
            guard let report = reports[key] else { continue }
            let share = { (part: Int) in 100 * Double(part) / Double(report.cases) }
            print(
                pad("\(key.city), \(key.part): \(key.rule)", Self.width),
                String(
                    format: "%5d %6.1f %% %6d %5.0f s %6.1f %% %8.1f %% %8.1f %% %8.1f %% "
                        + "%8.0f s %6d",
                    report.cases, share(report.inTime), report.missed, report.lead(0.5),
                    share(report.early), share(report.nowInTime), share(report.nowEarly),
                    share(report.nowGiven), report.nowLead(0.5), report.passedEarly))
        }
        for key in reports.keys.sorted() where key.part == "held out" {
            let missed = reports[key].map { Bars.missed(by: $0, key.rule) } ?? []
            guard !missed.isEmpty else { continue }
            print("not met by \(key.city), \(key.rule): \(missed.joined(separator: "; "))")
        }
        for (name, report) in strangers.sorted(by: { $0.key < $1.key }) {
            print("\(name), rides that never serve the stop: \(report)")
        }
        for (name, report) in wrongWays.sorted(by: { $0.key < $1.key }) {
            print("\(name), rides the wrong way: \(report)")
        }
    }
}
