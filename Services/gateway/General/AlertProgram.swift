import Foundation
import Messages
import Terminal

/// A command of the person's own that is run for each notice: a sound, a lamp, a siren.
///
/// Commands run one after another. The text of an alert is passed in the environment, never in the
/// command's text, so that nobody who can raise an alert can run a command.
final class AlertProgram {
    /// The maximum number of notices that wait while a command runs; beyond that the oldest are
    /// dropped.
    private static let mostWaiting = 100
    /// How long a command may run before it is ended.
    private static let patience: Duration = .seconds(60)

    private let command: String
    private let least: Severity
    private var waiting: [AlertNotice] = []
    private var running: (process: Process, end: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - command: what `/bin/sh` runs.
    ///   - least: the lowest severity for which it is run.
    init(_ command: String, from least: Severity) {
        (self.command, self.least) = (command, least)
    }

    /// True while a command runs or waits.
    var isBusy: Bool { running != nil || !waiting.isEmpty }

    /// Runs the command for a notice, as soon as those before have ended. The end of an alert is a
    /// notice too, so that a siren can be switched off.
    func add(_ notice: AlertNotice) {
        guard (notice.alert?.loudness ?? .info).rawValue >= least.rawValue else { return }
        if waiting.count == Self.mostWaiting { waiting.removeFirst() }
        waiting.append(notice)
    }

    /// Starts what waits and ends what takes too long; returns immediately.
    func turn(_ printer: Printer) {
        if let (process, end) = running {
            if process.isRunning {
                guard ContinuousClock.now > end else { return }
                printer.remark("steward: the command took over a minute and was ended")
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            } else if process.terminationStatus != 0 {
                printer.remark(
                    "steward: the command ended with exit code \(process.terminationStatus)")
            }
            running = nil
        }
        guard !waiting.isEmpty else { return }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = environment(of: waiting.removeFirst())
        process.standardInput = FileHandle.nullDevice
        // What it prints isn't among the notices.
        process.standardOutput = FileHandle.standardError
        do { try process.run() } catch {
            return printer.remark("steward: the command can't be run: \(error)")
        }
        running = (process, ContinuousClock.now + Self.patience)
    }

    private func environment(of notice: AlertNotice) -> [String: String] {
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
        return ProcessInfo.processInfo.environment.merging(
            told.mapValues { $0.replacing("\0", with: "") }
        ) { $1 }
    }
}
