import Foundation
import Messages
import ServiceRuntime
import TransitFeed

/// The timetables: imported by a job, replaced atomically, searched and removed.
enum FeedHandling {
    /// The maximum number of timetables of an installation: each is searched for every letter that
    /// a passenger types, and all of them fit into one answer.
    static let most = 100
    /// The maximum number of bytes of an agency's name.
    static let longestAgency = 800

    /// Everyone may search timetables; importing is for the owner, because it reads files of this
    /// machine.
    static var handlers: [MessageHandler] {
        [
            .job(check: check, work: read, finish: install, .owner), .command(remove, .owner),
            .query(list, .account), .query(find, .account),
        ]
    }

    /// Refuses an import that can't succeed.
    static func check(_ command: ImportFeed, in transaction: Transaction) throws {
        try validateName(command.feed, of: "a timetable")
        try requireRoom(for: command.feed, in: transaction)
        guard command.path.hasPrefix("/") else {
            throw Refusal.invalid("“\(command.path)” is not an absolute path")
        }
        guard FileManager.default.isReadableFile(atPath: command.path) else {
            throw Refusal.notFound(
                "\(command.path) can't be read by the service; check the path and its permissions")
        }
    }

    /// Refuses one more timetable than there may be; a new edition of one always has its place.
    private static func requireRoom(for name: String, in transaction: Transaction) throws {
        let names = try FeedRow.all(transaction.db).map(\.feed.name)
        guard names.contains(name) || names.count < most else {
            throw Refusal.conflict(
                "there are \(names.count) timetables, and at most \(most) are kept; "
                    + "remove one first")
        }
    }

    /// Reads, validates and writes the feed into a file of its own, outside the loop.
    static func read(_ command: ImportFeed, _ job: JobContext) throws -> FeedRead {
        let folder = FeedShelf.folder(job.dataDirectory)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // The name begins with the job's id, by which `removeUnused` recognizes a file being
        // written.
        let file = FeedShelf.name(of: command.feed, by: job.id)
        do {
            let feed = try TransitFeed.Feed.read(from: URL(filePath: command.path)) {
                job.report(
                    done: UInt64($0.rows), total: UInt64($0.estimatedRows), "reading \($0.file)")
            }
            try FeedFile.write(feed, to: URL(filePath: "\(folder)/\(file)")) {
                job.report(
                    done: UInt64($0.rows), total: UInt64($0.estimatedRows), "writing \($0.file)")
            }
            return FeedRead(feed: describe(feed, name: command.feed), file: file)
        } catch let error as FeedError {
            if error.kind == .cancelled { throw JobContext.Cancelled() }
            throw Refusal.invalid("\(error)")
        }
    }

    private static func describe(_ feed: TransitFeed.Feed, name: String) -> Messages.Feed {
        let days = feed.calendars.flatMap { calendar in
            [calendar.range?.lowerBound, calendar.range?.upperBound].compactMap(\.self)
                + calendar.exceptions.filter(\.value).map(\.key)
        }
        return Messages.Feed(
            name: name, agency: feed.name.prefix(bytes: longestAgency), timeZone: feed.timeZone,
            stops: UInt64(feed.stops.count), routes: UInt64(feed.routes.count),
            trips: UInt64(feed.trips.count), stopTimes: UInt64(feed.counts.stopTimes),
            firstDay: days.min()?.iso ?? "", lastDay: days.max()?.iso ?? "",
            unusableTrips: UInt64(feed.counts.unusableTrips),
            tripsWithoutShape: UInt64(feed.counts.tripsWithoutShape))
    }

    /// Replaces the timetable by the new file. Journeys under way keep using the file they began
    /// with.
    static func install(_ result: FeedRead, in transaction: Transaction) throws {
        guard var feed = result.feed else { throw Refusal.invalid("the import has no feed") }
        try requireRoom(for: feed.name, in: transaction)
        feed.imported = transaction.now
        try FeedRow(feed: feed, file: result.file).save(transaction.db)
        try transaction.publish(FeedImported(feed: feed), subject: feed.name)
        try removeUnused(transaction)
    }

    static func list(_: ListFeeds, in transaction: Transaction) throws -> Messages.Feeds {
        let learned = try TravelTimeStore.counts(transaction.db)
        return Messages.Feeds(
            feeds: try FeedRow.all(transaction.db).map { row in
                var feed = row.feed
                feed.learned = UInt64(learned[feed.name] ?? 0)
                return feed
            })
    }

    static func remove(_ command: RemoveFeed, in transaction: Transaction) throws -> FeedRemoved {
        let row = try FeedRow.required(command.feed, transaction.db)
        guard try !JourneyWatch.isRidden(row.file, transaction.db) else {
            throw Refusal.conflict(
                "a journey uses feed \(command.feed); finish it before the feed is removed")
        }
        try FeedRow.delete(command.feed, transaction.db)
        try GoneTravelTimes.add(command.feed, transaction.db)
        try GoneTravelTimes.rows.sweep(in: transaction)
        let removed = FeedRemoved(feed: command.feed)
        try transaction.publish(removed, subject: command.feed)
        try removeUnused(transaction)
        return removed
    }

    static func find(_ query: FindStops, in transaction: Transaction) throws -> Stops {
        let rows =
            try query.feed.isEmpty
            ? FeedRow.all(transaction.db) : [FeedRow.required(query.feed, transaction.db)]
        guard !rows.isEmpty else { throw Refusal.noFeed }
        let limit = pageLimit(query.limit, usual: 10, most: 100)
        let near = query.near.map {
            TransitFeed.Feed.Position(latitude: $0.latitudeE7, longitude: $0.longitudeE7)
        }
        var damaged: [(feed: String, error: FeedFileError)] = []
        /// Reads from a feed; nil if its file is damaged: then the others answer.
        func reading<R>(_ feed: String, _ body: () throws -> R) throws -> R? {
            do { return try body() } catch let error as FeedFileError {
                logDamage(error, in: transaction)
                damaged.append((feed, error))
                return nil
            }
        }
        var found: [(feed: String, file: FeedFile, stop: FoundStop)] = []
        for row in rows {
            _ = try reading(row.feed.name) {
                let file = try FeedShelf.shared.file(row.file, in: transaction.dataDirectory)
                found += try file.search(query.text, near: near, limit: limit)
                    .map { (row.feed.name, file, $0) }
            }
        }
        if rows.count > 1 {
            found.sort {
                ($0.stop.closeness, $0.stop.metres ?? 0) < ($1.stop.closeness, $1.stop.metres ?? 0)
            }
        }
        var stops: [Messages.Stop] = []
        for (feed, file, match) in found where stops.count < limit {
            guard !damaged.contains(where: { $0.feed == feed }) else { continue }
            let stop = try reading(feed) {
                try Messages.Stop(
                    match.stop, of: file, feed: feed,
                    metres: match.metres.map { UInt32(clamping: Int($0)) })
            }
            if let stop { stops.append(stop) }
        }
        if let first = damaged.first, damaged.count == rows.count { throw first.error.refusal }
        return Stops(stops: stops, damaged: damaged.map(\.feed).sorted())
    }

    /// A stop as the file of a timetable has it; nil if it has none with that id, or is damaged.
    static func stop(
        _ id: String, of feed: String, file name: String, in transaction: Transaction
    ) throws -> Messages.Stop? {
        do {
            let file = try FeedShelf.shared.file(name, in: transaction.dataDirectory)
            return try file.stop(id).map { try Messages.Stop($0, of: file, feed: feed) }
        } catch let error as FeedFileError {
            logDamage(error, in: transaction)
            return nil
        }
    }

    /// Logs that a file is damaged: once for each file, not for each letter that is typed.
    private static func logDamage(_ error: FeedFileError, in transaction: Transaction) {
        let isNews = FeedShelf.shared.noteDamage(
            of: error.file.lastPathComponent, in: transaction.dataDirectory)
        if isNews { transaction.logLeftOut(error) }
    }

    /// Deletes unused files: after the commit, and again at each start, because a crash may come
    /// between.
    static func removeUnused(_ transaction: Transaction) throws {
        let used = try FeedRow.usedFiles(transaction)
        let directory = transaction.dataDirectory
        transaction.afterCommit {
            let folder = FeedShelf.folder(directory)
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
                return  // There is no folder before the first import.
            }
            for name in names where !used.contains(where: name.hasPrefix) {
                FeedShelf.shared.close(name, in: directory)
                unlink("\(folder)/\(name)")
            }
        }
    }
}

extension Messages.Stop {
    /// Makes the message about a stop of a feed.
    init(
        _ stop: TransitFeed.Feed.Stop, of file: FeedFile, feed: String, metres: UInt32? = nil
    ) throws {
        let calling = try file.calling(at: stop.id)
        self.init(
            feed: feed, id: stop.id, code: stop.code ?? "", name: stop.name,
            place: Coordinate(
                latitudeE7: stop.position.latitude, longitudeE7: stop.position.longitude),
            trips: UInt64(calling.trips), metres: metres, routes: calling.routes,
            headsigns: calling.headsigns)
    }
}

extension FeedFileError: PartialOutage {
    var refusal: Refusal { .damagedFeed(FeedShelf.feed(of: file.lastPathComponent)) }
}

extension Refusal {
    /// No timetable has been imported yet.
    static let noFeed = Refusal.notFound(
        "there is no feed yet; import one with steward transit import FILE"
    ).because(.feedNone)

    /// The machine doesn't know the time zone of a timetable.
    static func unknownZone(_ timeZone: String) -> Refusal {
        Refusal.conflict("the feed's time zone \(timeZone) is not known on this machine")
            .because(.zoneMissing, of: timeZone)
    }

    /// The file of a timetable can't be read.
    static func damagedFeed(_ name: String) -> Refusal {
        Refusal.conflict(
            "the file of the timetable \(name) is missing or damaged; import it again with steward "
                + "transit import, and begin rides under way again"
        ).because(.feedDamaged, of: name)
    }

    /// There is no timetable with that name.
    static func unknownFeed(_ name: String, known: [String]) -> Refusal {
        guard !known.isEmpty else { return noFeed }
        return Refusal.notFound(
            "there is no feed “\(name)”; the known ones are \(known.joined(separator: ", "))"
        ).because(.feedMissing, of: name)
    }
}
