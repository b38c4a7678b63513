import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// The commands for how well rides were alerted.
enum FeedbackCommand {
    /// `steward transit feedback`
    struct Give: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "feedback",
            abstract: "Says whether a ride's alerts were useful, once it has ended.",
            discussion: "The operator sees the comment, but not whose it is.")

        @Argument(help: "The journey's id, or its unique beginning. Default: your last one.")
        var journey: String?
        @Flag(help: "They were useful.")
        var useful = false
        @Flag(help: "They were not.")
        var useless = false
        @Option(help: "What you want to say, at most 2,000 bytes.")
        var comment = ""
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard useful != useless else { throw ValidationError("say --useful or --useless") }
            guard comment.utf8.count <= 2_000 else {
                throw ValidationError("--comment has at most 2,000 bytes")
            }
        }

        func run() throws {
            let session = try Session()
            let id = try journey?.lowercased() ?? Self.last(session)
            let reply = try session.ask(
                .transitAlert,
                GiveFeedback(journeyId: id, useful: useful, comment: comment), for: Journey.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.journeys, [reply]) }
            session.printer.result(
                "the ride to \((reply.stop?.name ?? "").printable) was "
                    + (useful ? "useful" : "useless") + ": thank you")
        }

        private static func last(_ session: Session) throws -> String {
            var before = ""
            while true {
                let journeys = try session.journeys(before: before)
                if let last = journeys.first(where: { $0.stage == .finished }) { return last.id }
                guard let oldest = journeys.last else {
                    throw Failure(.refused, "you have no ride that has ended")
                }
                before = oldest.id
            }
        }
    }

    /// `steward transit stats`
    struct Statistics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Shows how well rides were alerted, by day, line and source.",
            discussion: """
                For whoever runs the installation. It shows neither positions nor people. IN \
                TIME, LATE and MISSED count rides whose vehicle was seen at the stop. Below the \
                table are the newest 100 comments.
                """)

        /// The maximum number of rows that are shown.
        private static let most = 50_000

        @Option(
            help: ArgumentHelp(
                "The first day: today, yesterday, or e.g. 2027-03-01.", valueName: "day"))
        var from: DayArgument?
        @Option(help: ArgumentHelp("The last day.", valueName: "day"))
        var to: DayArgument?
        @OptionGroup var output: OutputOptions

        func validate() throws { try DayArgument.validate(from: from, to: to) }

        func run() throws {
            let session = try Session()
            let reply = try statistics(session)
            if reply.more {
                session.printer.remark(
                    "only the newest \(reply.counts.count) rows are shown; ask for others with "
                        + "--to \(reply.counts.last?.day ?? "")")
            }
            guard !output.json else {
                return try session.printer.json(
                    .rideStatistics, [reply],
                    beside: ["more": reply.more || Self.isFull(reply.comments)])
            }
            guard !reply.counts.isEmpty else {
                return session.printer.remark("no ride has ended in this time")
            }
            session.printer.table(Self.table(reply.counts))
            for comment in reply.comments { session.printer.result(Self.line(comment)) }
            if Self.isFull(reply.comments) {
                session.printer.remark(
                    "there may be more comments; choose fewer days with --from and --to")
            }
        }

        /// `2027-03-01, line 7, useful: in time`
        static func line(_ comment: RideComment) -> String {
            let facts = [
                comment.day.printable,
                comment.route.isEmpty ? "" : "line " + comment.route.printable,
                comment.useful ? "useful" : "not useful",
            ].filter { !$0.isEmpty }
            return facts.joined(separator: ", ") + ": " + comment.comment.printable
        }

        /// Whether these are as many comments as the service sends at most: then there may be more.
        private static func isFull(_ comments: [RideComment]) -> Bool { comments.count >= 100 }

        /// The numbers of these days, newest first, up to the maximum.
        private func statistics(_ session: Session) throws -> RideStatistics {
            var query = ReadRideStatistics(
                firstDay: try from?.iso(session) ?? "", lastDay: try to?.iso(session) ?? "")
            var all = try session.ask(.transitAlert, query, for: RideStatistics.self)
            while all.more, all.counts.count < Self.most, let last = all.counts.last {
                query.after = last
                let page = try session.ask(.transitAlert, query, for: RideStatistics.self)
                all.counts += page.counts
                all.more = page.more
            }
            return all
        }

        private static func table(_ counts: [RideCount]) -> TextTable {
            var table = TextTable([
                .time("DAY"), .text("LINE"), .text("TIMETABLE"), .text("SOURCE"), .number("RIDES"),
                .number("IN TIME"), .number("LATE"), .number("MISSED"), .number("LEAD"),
                .number("USEFUL"), .number("USELESS"),
            ])
            for count in counts {
                let told = count.inTime + count.late
                let lead = told == 0 ? "" : Wording.duration(count.leadSum / Int64(clamping: told))
                table.add([
                    .init(count.day), .init(count.route), .init(count.feed), .init(count.source),
                    "\(count.journeys)", "\(count.inTime)", "\(count.late)", "\(count.missed)",
                    .init(lead), "\(count.useful)", "\(count.useless)",
                ])
            }
            return table
        }
    }
}
