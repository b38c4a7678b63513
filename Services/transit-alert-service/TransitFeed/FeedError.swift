/// Why a feed could not be read: where, what is wrong, and how to fix it.
package struct FeedError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Whether the feed is at fault or the caller stopped the reading.
    package enum Kind: Sendable {
        /// The feed, or the file it is in, can't be used as it is.
        case refused
        /// The progress callback returned `false`.
        case cancelled
    }

    /// The kind of the error.
    package let kind: Kind

    /// The file at fault: a name such as `stop_times.txt`, or the archive's own name.
    package let file: String

    /// The line in that file, counted from 1; `nil` when the whole file is at fault.
    package let line: Int?

    /// The column at fault; `nil` when the whole line is at fault.
    package let column: String?

    /// What is wrong, as the end of a sentence that begins with the column.
    package let reason: String

    /// How to fix it.
    package let cure: String

    /// Makes an error.
    package init(
        kind: Kind = .refused, file: String, line: Int? = nil, column: String? = nil,
        reason: String, cure: String
    ) {
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
        self.cure = cure
    }

    /// Makes the error for a caller who stopped while `file` was being read or written.
    package static func cancelled(in file: String) -> FeedError {
        FeedError(
            kind: .cancelled, file: file, reason: "was not read to its end: it was cancelled",
            cure: "start it again to get the feed")
    }

    /// One sentence: place, fault; fix.
    package var description: String {
        let place = line.map { "\(file), line \($0)" } ?? file
        let subject = column.map { "\($0) " } ?? ""
        return "\(place): \(subject)\(reason); \(cure)"
    }
}

/// The limits on reading a feed, so that a hostile archive can't exhaust the machine.
package struct FeedLimits: Sendable {
    /// The maximum uncompressed size of all files together, in bytes.
    package var totalBytes: Int

    /// The maximum size of a field in bytes.
    package var fieldBytes: Int

    /// The maximum number of columns of a file.
    package var columns: Int

    /// The maximum number of rows of `stop_times.txt` in memory at once, 28 bytes each, when they
    /// are not in the order of the trips; with more of them the file is read several times.
    package var heldRows: Int

    /// The maximum number of stops of a trip or a line, and of points of a shape. Each stop is
    /// looked for along the whole shape, and each position of a ride along its lines.
    package var stops: Int
    package var points: Int

    /// The maximum number of rows of a file whose rows are all held in memory, by its name; a list
    /// of stops counts as `stops.txt`. A file without an entry may have any number.
    package var rows: [String: Int]

    /// Several times as many rows as the feeds of whole countries have. Those of the longest file,
    /// the points of all shapes, take 24 bytes each.
    package static let usualRows = [
        "agency.txt": 100_000, "stops.txt": 2_000_000, "routes.txt": 1_000_000,
        "calendar.txt": 2_000_000, "calendar_dates.txt": 10_000_000, "shapes.txt": 50_000_000,
        "trips.txt": 5_000_000, "frequencies.txt": 5_000_000,
    ]

    /// Makes limits, by default ones that no real feed exceeds.
    package init(
        totalBytes: Int = 4 << 30, fieldBytes: Int = 64 << 10, columns: Int = 256,
        heldRows: Int = 3_000_000, stops: Int = 2_000, points: Int = 300_000,
        rows: [String: Int] = FeedLimits.usualRows
    ) {
        self.totalBytes = totalBytes
        self.fieldBytes = fieldBytes
        self.columns = columns
        self.heldRows = heldRows
        (self.stops, self.points, self.rows) = (stops, points, rows)
    }
}
