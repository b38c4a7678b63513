import Bus
import Foundation
import Messages

/// A service started for the measurement, in its own directory.
final class Child {
    private let process = Process()
    private let input = Pipe()
    private let log: URL
    /// The time from the start of the process to its line `event=ready`.
    let timeToReady: Duration

    /// Starts an executable in the same directory as this one, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - name: the executable.
    ///   - bench: the directory and the bus that it uses.
    ///   - more: additional settings.
    init(_ name: String, _ bench: Scratch, adding more: [String: String] = [:]) throws {
        let other = more["BENCH_NAME"].map { "-\($0)" } ?? ""
        log = URL(filePath: "\(bench.directory)/\(name)\(other).log")
        try Data().write(to: log)
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = beside.appending(path: name)
        process.arguments = ["--until-stdin-closes"]
        process.environment = bench.environment.merging(more) { $1 }
        process.standardInput = input
        process.standardError = try FileHandle(forWritingTo: log)
        let start = ContinuousClock.now
        try process.run()
        while !Self.isReady(log) {
            guard process.isRunning, ContinuousClock.now - start < .seconds(20) else {
                throw ConfigurationError(
                    "\(name) did not start: \(try String(contentsOf: log, encoding: .utf8))")
            }
            usleep(500)
        }
        timeToReady = ContinuousClock.now - start
    }

    deinit { stop() }

    /// Kills the process.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The port on which the service serves pages.
    func port() throws -> Int {
        let text = try String(contentsOf: log, encoding: .utf8)
        guard let found = text.firstMatch(of: /event=listening bus=127\.0\.0\.1:(\d+)/),
            let port = Int(found.1)
        else { throw ConfigurationError("it serves no pages: \(text)") }
        return port
    }

    /// The processor time that the process used, in seconds. `/proc` has hundredths of a second,
    /// which is too coarse for the differences computed from it.
    func processorTime() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process.processIdentifier, &clock) == 0,
            clock_gettime(clock, &time) == 0
        else { throw ConfigurationError("the system doesn't tell the time of a process") }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// The number of files and connections that the process has open.
    func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(
            atPath: "/proc/\(process.processIdentifier)/fd"
        ).count
    }

    /// The resident memory of the process, in MiB.
    func residentMemory() throws -> Double {
        let text = try String(
            contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) }
        return (kilobytes ?? .nan) / 1024
    }

    private static func isReady(_ log: URL) -> Bool {
        guard let data = FileManager.default.contents(atPath: log.path) else { return false }
        return String(decoding: data, as: UTF8.self).contains("event=ready")
    }
}

/// A directory for one measurement, and the bus in it.
final class Scratch {
    let directory: String
    let environment: [String: String]

    /// - Parameters:
    ///   - transport: `ipc`, `tcp` or `curve`.
    ///   - name: distinguishes it from others with that transport.
    init(_ transport: String, _ name: String = "") throws {
        directory = "/tmp/steward-bench-\(getpid())-\(transport)\(name)"
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        var environment = ["STEWARD_DATA": directory, "STEWARD_WEB_LISTEN": "127.0.0.1:0"]
        if transport != "ipc" {
            environment["STEWARD_BUS"] = "tcp://127.0.0.1:\(20_000 + Int(getpid()) % 20_000)"
        }
        if transport == "curve" {
            let keys = directory + "/keys"
            environment["STEWARD_KEYS"] = keys
            let ring = KeyRing(directory: keys)
            for name in ServiceName.allCases { try ring.create(name.rawValue, role: .service) }
            try ring.create("bench", role: .gateway)
        }
        self.environment = environment
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The connection of this process to the services on the bus.
    func connection() throws -> Connection {
        Connection(process: "bench", configuration: try Configuration(environment: environment))
    }
}

/// Runs `steward` to its end.
///
/// - Throws: an error if `steward` fails.
func steward(_ arguments: [String], _ scratch: Scratch) throws {
    let program = Process()
    program.executableURL = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "steward")
    program.arguments = arguments
    program.environment = scratch.environment.merging(["HOME": scratch.directory]) { $1 }
    program.standardOutput = FileHandle.nullDevice
    // Foundation's waitUntilExit polls only now and then.
    let end = DispatchSemaphore(value: 0)
    program.terminationHandler = { _ in end.signal() }
    try program.run()
    end.wait()
    guard program.terminationStatus == 0 else {
        throw ConfigurationError("steward \(arguments.joined(separator: " ")) failed")
    }
}
