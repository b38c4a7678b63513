import Bus
import Foundation
import TestSupport
import Workday

/// What a service uses at one moment.
struct Sample {
    let seconds: Double
    let service: ServiceName
    let process: pid_t
    let memory: Int
    let descriptors: Int
    let store: Int
    let log: Int
    let answered: Int

    static let header = "seconds\tservice\tpid\trss_kib\tfds\tstore_kib\twal_kib\tanswered\n"

    var line: String {
        let numbers = [
            memory >> 10, descriptors, store >> 10, log >> 10, answered,
        ].map(String.init)
        return ([String(Int(seconds)), service.rawValue, String(process)] + numbers)
            .joined(separator: "\t") + "\n"
    }
}

/// Samples what services use, writes it to a file, and decides at the end whether it grows.
struct Sampler {
    private let file: FileHandle
    private let start = ContinuousClock.now
    private(set) var samples: [Sample] = []

    init(to path: String) throws {
        try Data(Sample.header.utf8).write(to: URL(filePath: path))
        file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
    }

    mutating func take(_ workday: Workday) throws {
        for (name, program) in workday.running {
            let store = workday.system.store(name)
            let folder = "/proc/\(program.pid)/fd"
            let sample = Sample(
                seconds: (ContinuousClock.now - start) / .seconds(1), service: name,
                process: program.pid, memory: try program.residentMemory(),
                descriptors: try FileManager.default.contentsOfDirectory(atPath: folder).count,
                store: Self.size(store), log: Self.size(store + "-wal"),
                answered: workday.answered)
            samples.append(sample)
            try file.write(contentsOf: Data(sample.line.utf8))
        }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    // MARK: Judging

    /// The fraction of a run after which everything is steady: no more processes end, and the
    /// oldest data has been deleted.
    private static let warmUp = 0.6
    /// How much each value may rise in the rest of the run.
    private static var most: [(name: String, value: KeyPath<Sample, Int>, rise: Int)] {
        [
            ("memory", \.memory, 8 << 20), ("descriptors", \.descriptors, 4),
            ("store", \.store, 4 << 20), ("write-ahead log", \.log, 8 << 20),
        ]
    }

    /// The values that grow but must not, in sentences.
    func complaints() -> [String] {
        let end = samples.map(\.seconds).max() ?? 0
        var complaints: [String] = []
        for service in ServiceName.allCases {
            let own = samples.filter { $0.service == service && $0.seconds >= end * Self.warmUp }
            for (name, value, most) in Self.most {
                let rise = Self.rise(own, value)
                let figures = own.map { $0[keyPath: value] }
                print(
                    "\(service.rawValue): \(name) from \(figures.min() ?? 0) to "
                        + "\(figures.max() ?? 0), rises by \(Int(rise)) after the warm-up")
                if rise > Double(most) {
                    complaints.append(
                        "the \(name) of \(service.rawValue) rises by \(Int(rise)), not \(most)")
                }
            }
        }
        return complaints
    }

    /// How much a line through the samples rises from the first to the last (least squares).
    private static func rise(_ samples: [Sample], _ value: KeyPath<Sample, Int>) -> Double {
        guard let first = samples.first, let last = samples.last, samples.count > 2 else {
            return 0
        }
        let count = Double(samples.count)
        let time = samples.reduce(0) { $0 + $1.seconds } / count
        let mean = samples.reduce(0) { $0 + Double($1[keyPath: value]) } / count
        let up = samples.reduce(0) {
            $0 + ($1.seconds - time) * (Double($1[keyPath: value]) - mean)
        }
        let square = samples.reduce(0) { $0 + ($1.seconds - time) * ($1.seconds - time) }
        return square > 0 ? up / square * (last.seconds - first.seconds) : 0
    }
}
