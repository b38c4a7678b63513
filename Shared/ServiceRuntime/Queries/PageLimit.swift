import Messages

/// The maximum number of rows in an answer.
///
/// - Parameters:
///   - wanted: the number requested; 0 to leave it to the service.
///   - usual: the number when none was requested.
///   - most: the limit for any request.
public func pageLimit(_ wanted: UInt32, usual: Int, most: Int) -> Int {
    wanted == 0 ? usual : min(Int(wanted), most)
}

/// The rows of one answer: no more than were asked for, and no more bytes than fit in an answer.
public struct Page<Row> {
    /// The maximum number of bytes of the rows of an answer: half of what a message may have.
    public static var mostBytes: Int { 512 << 10 }

    /// The rows, in the order in which they were added.
    public private(set) var rows: [Row] = []
    private let limit: Int
    private let mostBytes: Int
    private var bytes = 0

    /// An empty page.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows; see ``pageLimit(_:usual:most:)``.
    ///   - bytes: the maximum number of bytes of its rows. The first row may have more.
    public init(limit: Int, bytes: Int = Page.mostBytes) {
        (self.limit, mostBytes) = (limit, bytes)
    }

    /// Adds the next row, unless the page is full.
    ///
    /// - Parameter bytes: the number of bytes of the row when it is packed.
    /// - Returns: false when the page is full: the next page begins with this row.
    public mutating func add(_ row: Row, bytes size: Int) -> Bool {
        guard rows.count < limit, rows.isEmpty || bytes + size <= mostBytes else { return false }
        rows.append(row)
        bytes += size
        return true
    }
}

extension Page where Row: ProtobufMessage {
    /// The beginning of a list, as far as it fits into an answer.
    public static func first(of rows: some Sequence<Row>, limit: Int = .max) -> [Row] {
        var page = Page(limit: limit)
        for row in rows where !page.add(row, bytes: row.packed().count) { break }
        return page.rows
    }
}
