import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// The commands for the timetables that the transit service keeps.
enum FeedCommand {
    /// `steward transit import`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Imports a timetable (GTFS), or replaces the one of the same name.",
            discussion: """
                Ctrl-C cancels the import; the old timetable stays until the new one is complete.

                Without a timetable the stops suffice: a feed with stops.txt alone, or a list of \
                your own that begins with the row name,latitude,longitude. Columns id and line are \
                optional: the rows of a line are its stops in the order in which you ride them. \
                The alarm then goes by distance and speed.
                """)

        @Argument(
            help: ArgumentHelp(
                "A GTFS zip file or folder, or a list of stops as CSV, which the service must be "
                    + "able to read.", valueName: "path"),
            completion: .file())
        var path: String
        @Option(
            name: .customLong("feed"),
            help: "The name to keep it under: letters, digits, - and _. Default: the file's name.")
        var name: FeedName?
        @Flag(help: "Print the job's id and don't wait for its end.")
        var detach = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let path = Self.absolute(path)
            // A service on another host may see files that this one doesn't have.
            let isHere =
                !session.connection.address.isLocal
                || FileManager.default.fileExists(atPath: path)
            guard isHere else {
                throw Failure(.file, "there is no file or folder \(path)")
            }
            guard let name = name ?? FeedName(fileAt: path) else {
                throw Failure(
                    .usage, "the file's name can't be the name of a timetable",
                    advice: "choose one with --feed NAME")
            }
            let accepted = try session.ask(
                .transitAlert, ImportFeed(feed: name.text, path: path), for: JobAccepted.self,
                repeating: repeating)
            if detach {
                if output.json { return try session.printer.json(.jobs, [["id": accepted.jobId]]) }
                return session.printer.result(accepted.jobId)
            }
            let job = try JobProgress(session, of: .transitAlert, jobID: accepted.jobId).follow()
            try Self.report(job, named: name.text, session, output)
        }

        private static func absolute(_ path: String) -> String {
            URL(filePath: path).standardizedFileURL.path
        }

        private static func report(
            _ job: Job, named name: String, _ session: Session, _ output: OutputOptions
        ) throws {
            guard job.state == .succeeded else {
                let isCancelled = job.state == .cancelled
                throw Failure(
                    .refused,
                    isCancelled ? "the import was cancelled" : "the import failed: \(job.message)",
                    advice: "nothing was changed")
            }
            let feeds = try session.ask(.transitAlert, ListFeeds(), for: Feeds.self)
            guard let feed = feeds.feeds.first(where: { $0.name == name }) else { return }
            if output.json { return try session.printer.json(.timetables, [feed]) }
            let counts = [
                Wording.count(feed.stops, "stop"), Wording.count(feed.routes, "route"),
                Wording.count(feed.trips, "trip"),
            ]
            let took = Wording.duration(max(0, job.ended - job.created))
            let days =
                feed.trips == 0
                ? "without times" : "valid \(feed.firstDay) to \(feed.lastDay)"
            session.printer.result(
                "\(feed.name): \(counts.joined(separator: ", ")), \(feed.agency.printable), "
                    + "\(days) (imported in \(took))")
            for remark in remarks(on: feed, try session.siteClock.today.iso) {
                session.printer.remark("steward: \(remark)")
            }
        }

        /// Remarks on the faults of a timetable that was imported anyway.
        private static func remarks(on feed: Feed, _ today: String) -> [String] {
            var remarks: [String] = []
            if feed.unusableTrips > 0 {
                let trips = Wording.count(feed.unusableTrips, "trip")
                remarks.append("\(trips) left out: they call at fewer than two stops")
            }
            if feed.tripsWithoutShape > 0 {
                let trips = Wording.count(feed.tripsWithoutShape, "trip")
                remarks.append(
                    "the shape of \(trips) is not in shapes.txt: the line is straight from stop "
                        + "to stop")
            }
            if feed.hasEnded(before: today) {
                remarks.append(
                    "this timetable ended on \(feed.lastDay): times are those of a usual trip "
                        + "until you import the current one")
            }
            return remarks
        }
    }

    /// `steward transit feeds`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "feeds", abstract: "Lists the timetables.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(.transitAlert, ListFeeds(), for: Feeds.self)
            guard !output.json else { return try session.printer.json(.timetables, reply.feeds) }
            guard !reply.feeds.isEmpty else {
                return session.printer.remark(
                    "there is no timetable yet; import one: steward transit import FILE")
            }
            let clock = try session.siteClock
            let today = clock.today.iso
            var table = TextTable([
                .text("TIMETABLE"), .text("AGENCY"), .number("STOPS"), .number("ROUTES"),
                .number("TRIPS"), .time("FROM"), .time("TO"), .text("ZONE"),
                .time(clock.title("IMPORTED", of: reply.feeds.map(\.imported))),
            ])
            for feed in reply.feeds {
                table.add([
                    .init(feed.name), .init(feed.agency), "\(feed.stops)", "\(feed.routes)",
                    "\(feed.trips)", .init(feed.firstDay),
                    .init(feed.hasEnded(before: today) ? "\(feed.lastDay), ended" : feed.lastDay),
                    .init(feed.timeZone), .init(clock.moment(feed.imported)),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward transit remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a timetable that no journey uses.")

        @Argument(help: "The timetable's name.")
        var feed: FeedName
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .transitAlert, RemoveFeed(feed: feed.text), for: FeedRemoved.self,
                repeating: repeating)
            if output.json { return try session.printer.json(.timetables, [["name": reply.feed]]) }
            session.printer.result("removed \(reply.feed)")
        }
    }
}

extension Feed {
    /// Whether its last day of service is over.
    ///
    /// - Parameter today: the day, ISO 8601.
    fileprivate func hasEnded(before today: String) -> Bool {
        !lastDay.isEmpty && lastDay < today
    }
}
