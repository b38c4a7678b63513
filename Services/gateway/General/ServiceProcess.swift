import Bus
import Foundation

/// A service that runs as a child of this process. However this process ends, the child ends too,
/// because its standard input closes.
final class ServiceProcess {
    /// The service.
    let service: ServiceName
    /// When it was started.
    let started = ContinuousClock.now
    /// The file descriptor from which its log can be read without waiting.
    let output: Int32
    /// True while it may still write to its log.
    private(set) var isOpen = true
    private let process = Process()
    private let input = Pipe()
    private let log = Pipe()
    private var unfinished: [UInt8] = []

    /// Starts the executable.
    ///
    /// - Throws: the system's error if the executable can't be started.
    init(_ service: ServiceName, at path: String) throws {
        self.service = service
        output = log.fileHandleForReading.fileDescriptor
        process.executableURL = URL(filePath: path)
        process.arguments = ["--until-stdin-closes"]
        process.standardInput = input
        process.standardOutput = log
        process.standardError = log
        try process.run()
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    /// Its process id.
    var id: Int32 { process.processIdentifier }

    /// True until it has ended.
    var isRunning: Bool { process.isRunning }

    /// Its exit code; nil if a signal ended it.
    var exitCode: Int32? { process.terminationReason == .exit ? process.terminationStatus : nil }

    /// The signal that ended it; nil if it exited.
    var signal: Int32? {
        process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
    }

    /// How it ended, in words.
    var ending: String {
        process.terminationReason == .exit
            ? "exit code \(process.terminationStatus)" : "signal \(process.terminationStatus)"
    }

    /// Sends a signal, unless it has ended.
    func send(_ signal: Int32) {
        if process.isRunning { kill(id, signal) }
    }

    /// The lines that it has written since the last call.
    func readLines() -> [String] {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while isOpen {
            let count = read(output, &chunk, chunk.count)
            if count > 0 {
                unfinished += chunk[..<count]
            } else if count == 0 {
                isOpen = false
            } else if errno != EINTR {
                break
            }
        }
        var lines = unfinished.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The text after the last line feed is a line only if nothing more can come.
        unfinished = isOpen ? Array(lines.popLast() ?? []) : []
        return lines.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}
