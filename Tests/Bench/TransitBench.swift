import Bus
import Foundation
import Messages

/// Importing a timetable and searching its stops: a real feed if there is one, else the demo's.
enum TransitBench {
    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child(ServiceName.transitAlert.rawValue, scratch)
        let client = try Client(scratch.connection(), to: .transitAlert, isPatient: true)
        for path in feeds() {
            let name = URL(filePath: path).deletingPathExtension().lastPathComponent
            let feed = try imported(name, path, client, scratch, &figures)
            try search(feed, client, scratch, &figures)
        }
        service.stop()
    }

    private static func feeds() -> [String] {
        let root = FileManager.default.currentDirectoryPath
        let data = ProcessInfo.processInfo.environment["STEWARD_REAL_DATA"] ?? ""
        let real = ["Hart.zip", "wmata_gtfs_2026.zip"].map { "\(data)/transit/gtfs/\($0)" }
            .filter(FileManager.default.fileExists)
        if real.isEmpty { print("no real feed is here (STEWARD_REAL_DATA); using the demo's") }
        return real.isEmpty ? [root + "/deploy/demo/harbour-line"] : real
    }

    private static func imported(
        _ name: String, _ path: String, _ client: Client, _ scratch: Scratch,
        _ figures: inout Figures
    ) throws -> Feed {
        var best = Double.infinity
        for _ in 0..<3 {
            let job = try client.ask(ImportFeed(feed: name, path: path), for: JobAccepted.self)
            while true {
                let state = try client.ask(ReadJob(jobId: job.jobId), for: Job.self)
                if state.state == .succeeded {
                    best = min(best, Double(state.ended - state.created) / 1000)
                    break
                }
                guard state.state == .queued || state.state == .running else {
                    throw ConfigurationError("the import failed: \(state.message)")
                }
                usleep(5000)
            }
        }
        let feeds = try client.ask(ListFeeds(), for: Feeds.self)
        guard let feed = feeds.feeds.first(where: { $0.name == name }) else {
            throw ConfigurationError("feed \(name) is not there")
        }
        let python = Python.secondsToImport(path, into: scratch.directory + "/python.sqlite")
        figures.add(
            "import \(name), stop_times", Double(feed.stopTimes) / best, "/s",
            goal: .atLeast(300_000),
            reference: python.map {
                ("/s Python csv into SQLite", Double(feed.stopTimes) / $0)
            })
        return feed
    }

    private static func search(
        _ feed: Feed, _ client: Client, _ scratch: Scratch, _ figures: inout Figures
    ) throws {
        // What people type: beginnings of words in existing names.
        let all = try "abcdefghijklmnopqrstuvwxyz".flatMap { letter in
            try client.ask(
                FindStops(text: String(letter), feed: feed.name, limit: 100), for: Stops.self
            ).stops.map(\.name)
        }
        var generator = Linear(state: 7)
        var samples = Samples()
        for _ in 0..<1000 {
            let words = (all.randomElement(using: &generator) ?? "a").split(separator: " ")
            let typed = words.shuffled(using: &generator).prefix(2).map {
                $0.prefix(Int.random(in: 1...max(1, $0.count), using: &generator))
            }.joined(separator: " ")
            samples.add(
                try time {
                    _ = try client.ask(
                        FindStops(text: typed, feed: feed.name, limit: 10), for: Stops.self)
                })
        }
        figures.add(
            "stop search in \(feed.name) (\(feed.stops) stops), p50",
            samples.percentile(0.5) / 1000, "ms")
        figures.add(
            "stop search in \(feed.name) (\(feed.stops) stops), p99",
            samples.percentile(0.99) / 1000, "ms", goal: .atMost(5))
    }

    /// A generator whose numbers are the same in every run (Knuth's MMIX constants).
    private struct Linear: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}

/// What a script would usually do: Python's csv module, rows into SQLite, an index.
enum Python {
    private static let script = """
        import csv, io, os, sqlite3, sys, time, zipfile
        path, store = sys.argv[1:]
        start = time.time()
        def rows(name):
            if os.path.isdir(path):
                stream = open(os.path.join(path, name), encoding='utf-8-sig', newline='')
            else:
                stream = io.TextIOWrapper(zipfile.ZipFile(path).open(name), 'utf-8-sig', newline='')
            return csv.DictReader(stream)
        db = sqlite3.connect(store)
        db.execute('drop table if exists stop_times')
        db.execute('create table stop_times (trip, sequence, stop, arrival, departure)')
        db.executemany('insert into stop_times values (?,?,?,?,?)',
            ((r['trip_id'], int(r['stop_sequence']), r['stop_id'], r['arrival_time'],
              r['departure_time']) for r in rows('stop_times.txt')))
        db.execute('create index by_trip on stop_times (trip, sequence)')
        db.commit()
        print(time.time() - start)
        """

    static func secondsToImport(_ feed: String, into store: String) -> Double? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script, feed, store]
        process.standardOutput = output
        do { try process.run() } catch { return nil }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
