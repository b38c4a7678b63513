import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts watch`
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what is open, then every alert as it comes, until ctrl-C.",
            discussion: """
                With --json, each line is one AlertNotice as JSON; alerts that were already open \
                have the feedSequence 0.
                """)

        @Flag(help: "Print JSON, one object per line.")
        var json = false
        @Option(help: "End after this number of notices.")
        var count: Int?
        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("End after this time, e.g. 30s or 5m.", valueName: "duration"))
        var time: DurationArgument?

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        }

        func run() throws {
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
                    for notice in tell(news, session.printer) where left > 0 {
                        left -= 1
                        try show(notice, clock, session.printer)
                    }
                }
            }
        }

        /// Prints remarks on the feed itself, and returns the notices to show.
        private func tell(_ news: AlertFeed.News, _ printer: Printer) -> [AlertNotice] {
            switch news {
            case .opened(let alerts):
                if alerts.isEmpty, !json { printer.remark("no alert is open; watching …") }
                return alerts.map { AlertNotice(reason: .raised, alert: $0) }
            case .notice(let notice): return [notice]
            case .silent: printer.remark("steward: the notifier is silent; waiting for it …")
            case .heard: printer.remark("steward: the notifier is back")
            case .lost(let number):
                printer.remark(
                    "steward: \(Wording.count(number, "notice")) can't be had any more; see "
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
