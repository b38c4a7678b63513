import Foundation
import Messages

/// A program that is run for each notice, to play a sound, switch on a lamp or a siren, or show the
/// notice on a desktop.
///
/// Its runs follow one after another. The text of an alert is passed in the environment or in an
/// argument of its own, never in a command's text, so that nobody who can raise an alert can run a
/// command.
final class AlertProgram {
    /// A run of the program for a notice.
    struct Run {
        let path: String
        let arguments: [String]
        var environment = AlertProgram.environment
    }

    /// A run that waits for another one.
    struct Waiting {
        let run: Run
        /// The id of the alert that it is for.
        let alert: String
        /// What has happened to the alert.
        let reason: AlertNotice.Reason
    }

    /// The maximum number of runs that wait for another one; beyond that some are dropped: see
    /// ``makeRoom()``.
    static let mostWaiting = 100
    /// How long a run may take before it is ended, with all that it has started. Once it has ended
    /// by itself, what it left in the background goes on.
    var patience: Duration = .seconds(60)
    /// The environment of this program.
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    private let name: String
    private let least: Severity
    private let run: (AlertNotice) -> Run?
    /// The runs that wait for another one, oldest first.
    private(set) var waiting: [Waiting] = []
    /// The alerts for which it was or will be run, until they end.
    private var wanted: Set<String> = []
    /// The alerts among these for which it was run.
    private var begun: Set<String> = []
    private var running: (program: ChildProgram, end: ContinuousClock.Instant)?
    /// The runs that were told to end because they took too long, and haven't ended yet.
    private var late: [ChildProgram] = []

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
    /// too, so that a siren can be switched off, however severe the alert is then.
    func add(_ notice: AlertNotice) {
        let (alert, isEnd) = (notice.alert?.id ?? "", notice.reason == .closed)
        let isLoud = (notice.alert?.loudness ?? .info).rawValue >= least.rawValue
        let wasWanted = isEnd && wanted.remove(alert) != nil
        guard isLoud || wasWanted, let next = run(notice) else { return }
        if !isEnd { wanted.insert(alert) }
        waiting.append(Waiting(run: next, alert: alert, reason: notice.reason))
        makeRoom()
    }

    /// Drops what is needed least while too much waits: first changes and repetitions, then
    /// beginnings, and never the end of an alert for which it was run, because a siren would go on.
    private func makeRoom() {
        while waiting.count > Self.mostWaiting {
            let index =
                waiting.firstIndex { [.changed, .repeated].contains($0.reason) }
                ?? waiting.firstIndex { $0.reason != .closed }
                ?? waiting.firstIndex { !begun.contains($0.alert) }
            guard let index else { return }
            waiting.remove(at: index)
        }
    }

    /// Starts what waits and ends what takes too long; returns immediately.
    ///
    /// - Parameter remark: reports what goes wrong.
    func turn(_ remark: (String) -> Void) {
        late.removeAll { $0.end != nil }
        if let (program, end) = running {
            switch program.end {
            case nil:
                guard ContinuousClock.now > end else { return }
                remark("steward: \(name) took over \(patience.components.seconds) s and was ended")
                program.send(SIGKILL)
                late.append(program)
            case .exited(0): break
            case .exited(let code): remark("steward: \(name) ended with exit code \(code)")
            case .killed(let signal): remark("steward: \(name) was ended by signal \(signal)")
            }
            running = nil
        }
        guard !waiting.isEmpty else { return }
        let first = waiting.removeFirst()
        let next = first.run
        if first.reason == .closed { begun.remove(first.alert) } else { begun.insert(first.alert) }
        do {
            let program = try ChildProgram(
                path: next.path, arguments: next.arguments, environment: next.environment)
            running = (program, ContinuousClock.now + patience)
        } catch { remark("steward: \(name) can't be run: \(error.localizedDescription)") }
    }

    /// Ends what runs, because somebody has ended this program.
    func stop() { running?.program.send(SIGTERM) }

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
