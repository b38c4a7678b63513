import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts watch`
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Shows what is open, then every alert as it arrives, until ctrl-C.",
            discussion: """
                With --json, each line is one AlertNotice as JSON; alerts that were already open, \
                or whose end was missed, have the feedSequence 0.

                With --run, a command of your own is run for each notice: it finds the alert in \
                ALERT_TITLE, ALERT_BODY, ALERT_SEVERITY, ALERT_ID, ALERT_REASON (raised, changed, \
                repeated, closed, or reopened because nobody put right what was acknowledged), \
                ALERT_STATE, ALERT_SOURCE, ALERT_KIND and ALERT_SUBJECT.

                With --desktop, alerts are also shown on the desktop by notify-send, from Debian's \
                package libnotify-bin: when they are raised or reopened, get louder, or are \
                repeated.
                """)

        @Flag(help: "Print JSON, one object per line.")
        var json = false
        @Option(help: "End after this number of notices.")
        var count: Int?
        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("End after this time, e.g. 30s or 5m.", valueName: "duration"))
        var time: DurationArgument?
        @Option(
            name: .customLong("run"),
            help: ArgumentHelp("Run this with /bin/sh for each notice.", valueName: "command"))
        var command: String?
        @Option(help: "The lowest severity for which to run the command. Default: urgent.")
        var runFrom: Severity?
        @Flag(help: "Show notices on the desktop, with notify-send.")
        var desktop = false
        @Option(help: "The lowest severity to show on the desktop. Default: info.")
        var desktopFrom: Severity?

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1") }
            if runFrom != nil, command == nil {
                throw ValidationError("--run-from goes with --run")
            }
            if desktopFrom != nil, !desktop {
                throw ValidationError("--desktop-from goes with --desktop")
            }
        }

        func run() throws {
            let programs = try self.programs
            Printer.outlivesReaders = !programs.isEmpty
            let session = try Session()
            let clock = try session.siteClock
            let follower = try AlertFeed.Follower(session, isPatient: false)
            Interruption.watch()
            let end = time.map { ContinuousClock.now + .milliseconds($0.milliseconds) }
            var left = count ?? .max
            while !Interruption.isWanted, left > 0 {
                let slice: Duration = .milliseconds(250)
                let rest = end.map { $0 - ContinuousClock.now } ?? slice
                guard rest > .zero else { break }
                for news in try follower.news(within: min(rest, slice)) {
                    for notice in printRemarks(on: news, session.printer) where left > 0 {
                        left -= 1
                        // Do this first: printing may have to wait for whoever reads the output.
                        for program in programs {
                            program.add(notice)
                            program.turn { session.printer.remark($0) }
                        }
                        try show(notice, clock, session.printer)
                    }
                }
                for program in programs { program.turn { session.printer.remark($0) } }
            }
            while programs.contains(where: \.isBusy), !Interruption.isWanted {
                for program in programs { program.turn { session.printer.remark($0) } }
                // A signal ends the wait early, as intended.
                poll(nil, 0, 50)
            }
            if Interruption.isWanted { for program in programs { program.stop() } }
        }

        /// The programs that are run for each notice.
        private var programs: [AlertProgram] {
            get throws {
                let own = command.map { AlertProgram(command: $0, from: runFrom ?? .urgent) }
                let screen = try desktop ? AlertProgram.desktop(from: desktopFrom ?? .info) : nil
                return [own, screen].compactMap { $0 }
            }
        }

        /// Prints remarks on the feed itself, and returns the notices to show.
        private func printRemarks(on news: AlertFeed.News, _ printer: Printer) -> [AlertNotice] {
            switch news {
            case .opened(let alerts):
                if alerts.isEmpty, !json { printer.remark("no alert is open; watching …") }
                return alerts.map { AlertNotice(reason: .raised, alert: $0) }
            case .notice(let notice): return [notice]
            case .silent: printer.remark("steward: the notifier is silent; waiting for it …")
            case .heard: printer.remark("steward: the notifier is back")
            case .lost(let number):
                printer.remark(
                    "steward: \(Wording.count(number, "notice")) can no longer be fetched; see "
                        + "steward alerts list")
            }
            return []
        }

        private func show(_ notice: AlertNotice, _ clock: SiteClock, _ printer: Printer) throws {
            guard !json else { return try printer.jsonLine(.notices, [notice]) }
            printer.result(AlertLine.text(notice, clock, isColoured: printer.out.hasColours))
            if notice.alert?.loudness == .urgent, notice.reason != .closed {
                printer.ring()
            }
        }
    }
}
