/// Why a feed was not read: the place, what is wrong there, and what would cure it.
package struct FeedError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Whether the feed is at fault or the caller stopped the reading.
    package enum Kind: Sendable {
        /// The feed, or the file it is in, cannot be used as it is.
        case refused
        /// The progress callback answered `false`.
        case cancelled
    }

    /// Whose wish or fault it is.
    package let kind: Kind

    /// The file at fault: a name such as `stop_times.txt`, or the archive's own name.
    package let file: String

    /// The line in that file, counted from 1; `nil` when the fault is of the whole file.
    package let line: Int?

    /// The column at fault; `nil` when the fault is of the whole line.
    package let column: String?

    /// What is wrong, as the end of a sentence that begins with the column.
    package let reason: String

    /// What would put it right.
    package let cure: String

    /// An error of these values.
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

    /// The caller's wish to stop, noticed while `file` was being read or written.
    package static func cancelled(in file: String) -> FeedError {
        FeedError(
            kind: .cancelled, file: file, reason: "was not read to its end: it was cancelled",
            cure: "start it again to have the feed")
    }

    /// One sentence: place, fault; cure.
    package var description: String {
        let place = line.map { "\(file), line \($0)" } ?? file
        let subject = column.map { "\($0) " } ?? ""
        return "\(place): \(subject)\(reason); \(cure)"
    }
}

/// How much a feed may take while it is read, so that a hostile archive cannot fill the machine.
package struct FeedLimits: Sendable {
    /// Bytes of all files together, uncompressed.
    package var totalBytes: Int

    /// Bytes of one field.
    package var fieldBytes: Int

    /// Columns of one file.
    package var columns: Int

    /// Rows of `stop_times.txt` held in memory at once, 28 bytes each, when they are not in the
    /// order of the trips; with more of them the file is read several times.
    package var heldRows: Int

    /// Limits that every real feed keeps.
    package init(
        totalBytes: Int = 4 << 30, fieldBytes: Int = 64 << 10, columns: Int = 256,
        heldRows: Int = 3_000_000
    ) {
        self.totalBytes = totalBytes
        self.fieldBytes = fieldBytes
        self.columns = columns
        self.heldRows = heldRows
    }
}
