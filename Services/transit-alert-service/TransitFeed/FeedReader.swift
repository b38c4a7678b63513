import Foundation

extension Feed {
    /// Reads a GTFS feed from a zip archive or from a folder with its files, or a list of stops.
    ///
    /// - Parameters:
    ///   - url: the archive, folder or list.
    ///   - limits: the limits on reading.
    ///   - progress: called every few thousand rows; returning `false` stops the reading.
    /// - Throws: ``FeedError``, which names the file, the line and the fix, when the feed can't be
    ///   used as it is; of kind `cancelled` when `progress` stopped it.
    package static func read(
        from url: URL, limits: FeedLimits = FeedLimits(),
        progress: @escaping (Progress) -> Bool = { _ in true }
    ) throws(FeedError) -> Feed {
        var reader = FeedReader(
            archive: try FeedArchive(url, limits: limits), limits: limits, progress: progress)
        return try reader.read()
    }
}

/// Reads one feed, file by file, each before those that refer to it.
struct FeedReader {
    let archive: FeedArchive
    let limits: FeedLimits
    let progress: (Feed.Progress) -> Bool

    var timeZone = ""
    var name = ""
    var stops: [Feed.Stop] = []
    var stopIds = IdTable()
    var routes: [Feed.Route] = []
    var routeIds = IdTable()
    var calendars: [Feed.Calendar] = []
    var calendarIds = IdTable()
    var shapes: [Shape] = []
    var shapeIds = IdTable()
    var trips: [TripRow] = []
    var tripIds = IdTable()
    var headsigns: [String] = []
    /// How often repeated trips leave, by their rows in `trips.txt`.
    var frequencies: [Int: [Frequency]] = [:]
    var counts = Feed.Counts()

    private var rowsBefore = 0
    private var bytesBefore = 0
    private var totalBytes = 0

    /// A shape as read: its line, and the distances along it that the feed states.
    struct Shape {
        let id: String
        let line: Feed.Polyline
        let stated: [Double]
    }

    /// A row of `trips.txt` with resolved ids.
    struct TripRow {
        let id: String
        let route: Int32
        let calendar: Int32
        let shape: Int32
        let headsign: Int32
        let direction: Int8
    }

    init(
        archive: FeedArchive, limits: FeedLimits, progress: @escaping (Feed.Progress) -> Bool
    ) {
        self.archive = archive
        self.limits = limits
        self.progress = progress
        for file in [
            "agency.txt", "stops.txt", "routes.txt", "calendar.txt", "calendar_dates.txt",
            "shapes.txt", "trips.txt", "frequencies.txt", "stop_times.txt",
        ] {
            totalBytes += archive.size(of: file)
        }
    }

    mutating func read() throws(FeedError) -> Feed {
        if let list = archive.list { return try readStopList(list) }
        if archive.has("stops.txt"), !archive.has("trips.txt"), !archive.has("stop_times.txt") {
            return try readStopsAlone()
        }
        // Report a missing file before spending minutes on the others.
        for file in ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"] {
            guard archive.has(file) else {
                throw FeedError(
                    file: file, reason: "is not in \(archive.name)",
                    cure: "add it; GTFS requires it")
            }
        }
        guard archive.has("calendar.txt") || archive.has("calendar_dates.txt") else {
            throw FeedError(
                file: "calendar.txt", reason: "is not in \(archive.name), nor calendar_dates.txt",
                cure: "add one of them; it says when the trips run")
        }
        try readAgency()
        try readStops()
        try readRoutes()
        if archive.has("calendar.txt") { try readCalendar() }
        if archive.has("calendar_dates.txt") { try readCalendarDates() }
        if archive.has("shapes.txt") { try readShapes() }
        try readTrips()
        if archive.has("frequencies.txt") { try readFrequencies() }
        var patterns = PatternBuilder(reader: self)
        try readStopTimes(into: &patterns)
        _ = progress(
            Feed.Progress(file: "stop_times.txt", rows: rowsBefore, estimatedRows: rowsBefore))
        let feed = patterns.feed(counts)
        guard !feed.trips.isEmpty else {
            throw FeedError(
                file: "trips.txt", reason: "has no trip that calls at two stops",
                cure: "choose a feed with trips; a ride needs one")
        }
        return feed
    }

    /// Moves a file to its next record, and reports the progress from time to time.
    mutating func next(_ csv: inout CSVReader) throws(FeedError) -> Bool {
        guard try csv.next() else {
            rowsBefore += csv.records
            bytesBefore += csv.bytesRead
            return false
        }
        if csv.records & 0xFFF == 1 { try report(csv) }
        return true
    }

    /// Counts a file's bytes once more, because it will be read a second time.
    mutating func expectAgain(_ file: String) {
        totalBytes += archive.size(of: file)
    }

    /// Opens a file of the feed.
    func open(_ file: String) throws(FeedError) -> CSVReader {
        try CSVReader(file, in: archive, limits: limits)
    }

    /// Reports the progress, and throws when the caller wants to stop.
    func report(_ csv: CSVReader) throws(FeedError) {
        let rows = rowsBefore + csv.records
        let bytes = max(1, bytesBefore + csv.bytesRead)
        let share = Double(max(totalBytes, bytes)) / Double(bytes)
        let estimate = max(rows, Int(min(Double(rows) * share, 1e15)))
        let isWanted = progress(
            Feed.Progress(file: csv.file, rows: rows, estimatedRows: estimate))
        guard isWanted else { throw .cancelled(in: csv.file) }
    }
}
