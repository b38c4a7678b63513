import Foundation
import Synchronization
import TestSupport

/// A process that drives browsers: each line of its input is a request, and each line of its output
/// an answer. What a test no longer needs waits for the next one, because it takes as long to start
/// as a browser.
struct BrowserDriver: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// The drivers that no test uses, by the name of their script.
    private static let waiting = Mutex<[String: [BrowserDriver]]>([:])

    /// Starts a driver.
    ///
    /// - Throws: if there is no such Python.
    init(_ python: String, _ script: String) throws {
        process.executableURL = URL(filePath: python)
        process.arguments = [script]
        (process.standardInput, process.standardOutput) = (input, output)
        // Another driver that held this end, too, would keep this one from ending.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
    }

    /// A driver with this script that no test uses; nil if there is none.
    static func idle(_ script: String) -> BrowserDriver? {
        waiting.withLock { $0[script]?.popLast() }
    }

    /// Keeps the driver for the next test. It ends with this process, at the end of its input.
    func keep(_ script: String) {
        Self.waiting.withLock { $0[script, default: []].append(self) }
    }

    /// Where its answers come from.
    var answers: FileHandle { output.fileHandleForReading }

    /// Sends it a request.
    func write(_ line: Data) throws { try input.fileHandleForWriting.write(contentsOf: line) }

    /// Ends it, forcibly if it takes longer than that.
    func end(within limit: Duration) {
        // An empty line ends it.
        if limit > .zero { try? write(Data("\n".utf8)) }
        let hasEnded: Void? = try? eventually("it ends", within: limit) { !process.isRunning }
        if hasEnded == nil { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}
