import Bus
import Foundation
import Speech
import Terminal

/// Keeps the services running: starts them, shows their logs, and restarts those that end.
final class Supervisor {
    private struct Post {
        let service: ServiceName
        let path: String
        let style: Style
        var process: ServiceProcess?
        var backoff = Backoff()
        /// When to start it; nil while it runs and after it was given up.
        var due: ContinuousClock.Instant?
        var isReady = false
        var wasReady = false
        var isGivenUp = false
        /// The service's own message about why it stopped.
        var lastWords: String?
    }

    /// How long a service may take to end by itself.
    static let patience: Duration = .seconds(3)
    /// EX_TEMPFAIL: someone else holds the store or the address.
    static let occupied: Int32 = 75
    /// The longest wait before checking whether there is anything else to do.
    static let glance: Duration = .milliseconds(250)

    private let printer: Printer
    private let isJSON: Bool
    private let severity: Int
    private let nameWidth: Int
    private var posts: [Post]
    private var refusal: Failure?
    private var hasToldReady = false

    /// A supervisor of these executables.
    init(_ paths: [(ServiceName, String)], printer: Printer, logLevel: String, isJSON: Bool) {
        (self.printer, self.isJSON) = (printer, isJSON)
        severity = LogLine.severity(of: logLevel) ?? 0
        nameWidth = paths.reduce(0) { max($0, $1.0.rawValue.count) }
        let styles: [Style] = [.cyan, .magenta, .green, .blue, .yellow]
        posts = paths.enumerated().map { index, entry in
            Post(
                service: entry.0, path: entry.1, style: styles[index % styles.count],
                due: ContinuousClock.now)
        }
    }

    /// Runs until the person stops it, or no service is left that could run.
    ///
    /// - Throws: ``Failure`` if a service found its store or address occupied, or was given up.
    func run() throws {
        defer { stopAll() }
        while !Interruption.isWanted, refusal == nil {
            for index in posts.indices { start(index) }
            wait()
            for index in posts.indices { attend(index) }
            try reportReady()
            if posts.allSatisfy(\.isGivenUp) { break }
        }
        if let refusal { throw refusal }
        let lost = posts.filter(\.isGivenUp).map(\.service.rawValue)
        guard lost.isEmpty else {
            throw Failure(
                .broken, "\(lost.listed) could not be started",
                advice: "fix what its last line says, then: steward up")
        }
    }

    private func start(_ index: Int) {
        guard let due = posts[index].due, ContinuousClock.now >= due else { return }
        posts[index].due = nil
        posts[index].lastWords = nil
        do {
            posts[index].process = try ServiceProcess(posts[index].service, at: posts[index].path)
        } catch {
            // The file may be in the middle of being replaced.
            restart(
                index, after: .init(time: .zero), because: "can't be started: \(error.reason)")
        }
    }

    private func restart(_ index: Int, after ending: Backoff.Ending, because: String) {
        switch posts[index].backoff.judge(ending) {
        case .restart(let wait):
            posts[index].due = ContinuousClock.now + wait
            let words = Wording.duration(Int64(wait / .milliseconds(1)))
            say("crashed (\(because)); it is restarted in \(words)", index)
        case .giveUp:
            posts[index].isGivenUp = true
            say("is given up: \(posts[index].lastWords ?? because)", index)
            let name = posts[index].service.rawValue
            printer.remark("steward: \(name) does not run; the other services go on")
        }
    }

    /// Waits until a service writes or ends, or the next start is due.
    private func wait() {
        let now = ContinuousClock.now
        var items = posts.compactMap(\.process).filter(\.isOpen).map {
            pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0)
        }
        // A service that has closed its log is about to end: check again soon.
        let isEnding = posts.contains { $0.process?.isOpen == false }
        var end = now + (isEnding ? .milliseconds(5) : Self.glance)
        for due in posts.compactMap(\.due) { end = min(end, due) }
        let milliseconds = Int32(clamping: Int((end - now) / .milliseconds(1)) + 1)
        poll(&items, nfds_t(items.count), max(0, milliseconds))
    }

    private func attend(_ index: Int) {
        guard let process = posts[index].process else { return }
        // Ask this before reading the last lines, so that none is missed.
        let hasEnded = !process.isRunning
        for line in process.readLines() { show(line, index) }
        guard hasEnded else { return }
        let ending = Backoff.Ending(
            exitCode: process.exitCode, signal: process.signal, wasReady: posts[index].isReady,
            time: ContinuousClock.now - process.started)
        posts[index].process = nil
        posts[index].isReady = false
        guard !Interruption.isWanted else { return }
        if process.exitCode == Self.occupied, !posts[index].wasReady {
            refusal = Failure(
                .refused, posts[index].lastWords ?? "\(process.service.rawValue) runs already")
            return
        }
        restart(index, after: ending, because: process.ending)
    }

    private func show(_ text: String, _ index: Int) {
        let line = LogLine(text)
        if line.event == "ready" {
            posts[index].isReady = true
            posts[index].wasReady = true
        }
        if line.event == "stopped" { posts[index].lastWords = line.values["error"] }
        if line.severity >= severity { say(text, index) }
    }

    private func say(_ text: String, _ index: Int) {
        let post = posts[index]
        let name = post.service.rawValue.padded(to: nameWidth)
        let prefix = post.style(name + " |", if: printer.err.hasColours)
        printer.remark("\(prefix) \(text.printable)")
    }

    private func reportReady() throws {
        guard !hasToldReady, posts.allSatisfy(\.isReady) else { return }
        hasToldReady = true
        if isJSON {
            return try printer.jsonLine(
                .services, posts.map { ["service": $0.service.rawValue, "state": "ready"] })
        }
        printer.result("all services are ready")
    }

    /// Asks every service to end, and kills those that have not ended in time.
    private func stopAll() {
        let end = ContinuousClock.now + Self.patience
        for post in posts { post.process?.send(SIGTERM) }
        while ContinuousClock.now < end, posts.contains(where: { $0.process?.isRunning == true }) {
            wait()
            for index in posts.indices {
                for line in posts[index].process?.readLines() ?? [] { show(line, index) }
            }
        }
        for post in posts { post.process?.send(SIGKILL) }
    }
}
