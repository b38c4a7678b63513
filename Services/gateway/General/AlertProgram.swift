import Foundation
import Messages
import Terminal

/// A program that is run for each notice, to play a sound, switch on a lamp or a siren, or show the
/// notice on a desktop.
///
/// Its runs follow one after another. The text of an alert is passed in the environment or in an
/// argument of its own, never in a command's text, so that nobody who can raise an alert can run a
/// command.
final class AlertProgram {
    /// What is run for a notice.
    struct Run {
        let path: String
        let arguments: [String]
        var environment = AlertProgram.environment
    }

    /// The maximum number of runs that wait for another one; beyond that the oldest are dropped.
    private static let mostWaiting = 100
    /// How long a run may take before it is ended.
    private static let patience: Duration = .seconds(60)
    /// The environment of this program.
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    private let name: String
    private let least: Severity
    private let run: (AlertNotice) -> Run?
    private var waiting: [Run] = []
    private var running: (process: Process, end: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - name: what remarks call it.
    ///   - least: the lowest severity for which it is run.
    ///   - run: what to run for a notice; nil for nothing.
    init(_ name: String, from least: Severity, _ run: @escaping (AlertNotice) -> Run?) {
        (self.name, self.least, self.run) = (name, least, run)
    }

    /// A command of the person's own, which `/bin/sh` runs.
    convenience init(command: String, from least: Severity) {
        self.init("the command", from: least) { notice in
            Run(
                path: "/bin/sh", arguments: ["-c", command],
                environment: AlertProgram.environment.merging(
                    AlertProgram.variables(of: notice)
                ) { $1 })
        }
    }

    /// True while it runs or has something to run.
    var isBusy: Bool { running != nil || !waiting.isEmpty }

    /// Runs it for a notice, as soon as the runs before have ended. The end of an alert is a notice
    /// too, so that a siren can be switched off.
    func add(_ notice: AlertNotice) {
        guard (notice.alert?.loudness ?? .info).rawValue >= least.rawValue, let next = run(notice)
        else { return }
        if waiting.count == Self.mostWaiting { waiting.removeFirst() }
        waiting.append(next)
    }

    /// Starts what waits and ends what takes too long; returns immediately.
    func turn(_ printer: Printer) {
        if let (process, end) = running {
            if process.isRunning {
                guard ContinuousClock.now > end else { return }
                printer.remark("steward: \(name) took over a minute and was ended")
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            } else if process.terminationStatus != 0 {
                printer.remark(
                    "steward: \(name) ended with exit code \(process.terminationStatus)")
            }
            running = nil
        }
        guard !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        let process = Process()
        process.executableURL = URL(filePath: next.path)
        process.arguments = next.arguments
        process.environment = next.environment
        process.standardInput = FileHandle.nullDevice
        // Keep what it prints apart from the notices.
        process.standardOutput = FileHandle.standardError
        do { try process.run() } catch {
            return printer.remark("steward: \(name) can't be run: \(error)")
        }
        running = (process, ContinuousClock.now + Self.patience)
    }

    private static func variables(of notice: AlertNotice) -> [String: String] {
        let alert = notice.alert ?? Alert()
        let shown = alert.shown
        let told = [
            "ALERT_ID": alert.id, "ALERT_REASON": "\(notice.reason)",
            "ALERT_STATE": "\(alert.state)",
            "ALERT_SEVERITY": "\(alert.loudness)", "ALERT_TITLE": shown.title,
            "ALERT_BODY": shown.body, "ALERT_SOURCE": alert.source, "ALERT_KIND": shown.kind,
            "ALERT_SUBJECT": shown.subject,
        ]
        // A zero byte ends a variable.
        return told.mapValues { $0.replacing("\0", with: "") }
    }
}
