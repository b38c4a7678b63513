/// A row of `stop_times.txt` with resolved ids.
struct StopTimeRow {
    var stop: Int32 = 0
    var sequence: Int32 = 0
    /// Seconds; -1 when the feed omits it.
    var arrival: Int32 = -1
    var departure: Int32 = -1
    var line: UInt32 = 0
    /// `shape_dist_traveled`, in the feed's own unit; -1 when it is missing.
    var stated: Float = -1
    /// `pickup_type` in the lower and `drop_off_type` in the upper half.
    var boarding: UInt8 = 0
    var isTimepoint = false
}

/// The columns of `stop_times.txt`.
private struct StopTimeColumns {
    let trip: Int
    let stop: Int
    let sequence: Int
    let arrival: Int?
    let departure: Int?
    let pickup: Int?
    let dropOff: Int?
    let timepoint: Int?
    let stated: Int?
    let area: Int?
    let group: Int?

    init(_ csv: CSVReader) throws(FeedError) {
        trip = try csv.required("trip_id")
        stop = try csv.required("stop_id")
        sequence = try csv.required("stop_sequence")
        departure = csv.column("departure_time")
        // One of the two is enough, because each replaces the other where that is empty.
        arrival =
            departure == nil ? try csv.required("arrival_time") : csv.column("arrival_time")
        pickup = csv.column("pickup_type")
        dropOff = csv.column("drop_off_type")
        timepoint = csv.column("timepoint")
        stated = csv.column("shape_dist_traveled")
        area = csv.column("location_id")
        group = csv.column("location_group_id")
    }

    /// Whether the row belongs to a trip on demand, within an area instead of at a stop.
    func isOnDemand(_ csv: CSVReader) -> Bool {
        csv.isEmpty(stop) && !(csv.isEmpty(area) && csv.isEmpty(group))
    }

    func row(_ csv: CSVReader, _ stops: IdTable) throws(FeedError) -> StopTimeRow {
        guard let number = try csv.integer(sequence, in: 0...Int(Int32.max)) else {
            throw csv.missing(sequence)
        }
        var arrives: Int32 = -1
        if let arrival { arrives = try csv.time(arrival) ?? -1 }
        var leaves = arrives
        if let departure { leaves = try csv.time(departure) ?? arrives }
        if arrives < 0 { arrives = leaves }
        let on = try csv.integer(pickup, in: 0...3) ?? 0
        let off = try csv.integer(dropOff, in: 0...3) ?? 0
        return StopTimeRow(
            stop: Int32(try csv.reference(stop, to: stops, of: "stops.txt")),
            sequence: Int32(number), arrival: arrives, departure: leaves,
            line: UInt32(truncatingIfNeeded: csv.line),
            stated: try csv.stated(stated),
            boarding: UInt8(on) | UInt8(off) << 4,
            isTimepoint: csv.isOne(timepoint))
    }
}

extension FeedReader {
    /// Reads the times. The rows of nearly every trip are consecutive, so a trip can be finished at
    /// once; only for trips whose rows are scattered is the file read a second time.
    mutating func readStopTimes(into patterns: inout PatternBuilder) throws(FeedError) {
        var csv = try open("stop_times.txt")
        let columns = try StopTimeColumns(csv)
        var rowsOfTrip = [Int32](repeating: 0, count: trips.count)
        var isScattered = [Bool](repeating: false, count: trips.count)
        var rows: [StopTimeRow] = []
        var current = -1
        while try next(&csv) {
            if columns.isOnDemand(csv) { continue }
            counts.stopTimes += 1
            let trip = try self.trip(csv, columns.trip, current)
            let row = try columns.row(csv, stopIds)
            if trip != current {
                finish(current, &rows, &isScattered, &patterns)
                current = trip
                if rowsOfTrip[trip] > 0 { isScattered[trip] = true }
            }
            rowsOfTrip[trip] += 1
            guard Int(rowsOfTrip[trip]) <= limits.stops else {
                throw csv.refusal(
                    columns.trip,
                    "\(csv.quoted(columns.trip)) has more than \(limits.stops) stops",
                    cure: "leave the trip out, or divide it")
            }
            if !isScattered[trip] { rows.append(row) }
        }
        finish(current, &rows, &isScattered, &patterns)
        guard isScattered.contains(true) else { return }
        patterns.remove(isScattered)
        for trip in trips.indices where !isScattered[trip] { rowsOfTrip[trip] = 0 }
        try readScattered(rowsOfTrip, into: &patterns)
    }

    /// Adds a trip from the rows seen so far. Errors may only mean that rows are missing, which
    /// becomes clear when the trip is read again with all its rows.
    private func finish(
        _ trip: Int, _ rows: inout [StopTimeRow], _ isScattered: inout [Bool],
        _ patterns: inout PatternBuilder
    ) {
        guard !rows.isEmpty else { return }
        do throws(FeedError) {
            try patterns.add(trip, &rows)
        } catch {
            isScattered[trip] = true
        }
        rows.removeAll(keepingCapacity: true)
    }

    /// Reads the file again for trips with scattered rows, as often as needed to hold no more rows
    /// at once than the limits permit.
    private mutating func readScattered(
        _ rowsOfTrip: [Int32], into patterns: inout PatternBuilder
    ) throws(FeedError) {
        var first = 0
        while first < rowsOfTrip.count {
            var next = first
            var total = 0
            while next < rowsOfTrip.count,
                total == 0 || total + Int(rowsOfTrip[next]) <= limits.heldRows
            {
                total += Int(rowsOfTrip[next])
                next += 1
            }
            if total > 0 { try readRows(of: first..<next, rowsOfTrip, into: &patterns) }
            first = next
        }
    }

    /// Reads the file again for some of the trips, each row into its place within its trip.
    private mutating func readRows(
        of wanted: Range<Int>, _ rowsOfTrip: [Int32], into patterns: inout PatternBuilder
    ) throws(FeedError) {
        expectAgain("stop_times.txt")
        var ends: [Int] = []
        var total = 0
        for trip in wanted {
            ends.append(total)
            total += Int(rowsOfTrip[trip])
        }
        var all = [StopTimeRow](repeating: StopTimeRow(), count: total)
        var csv = try open("stop_times.txt")
        let columns = try StopTimeColumns(csv)
        var current = -1
        while try next(&csv) {
            if columns.isOnDemand(csv) { continue }
            current = try trip(csv, columns.trip, current)
            guard rowsOfTrip[current] > 0, wanted.contains(current) else { continue }
            let place = ends[current - wanted.lowerBound]
            // Only a file that changes while it is read has more rows than before.
            guard place < total else { break }
            all[place] = try columns.row(csv, stopIds)
            ends[current - wanted.lowerBound] += 1
        }
        for trip in wanted where rowsOfTrip[trip] > 0 {
            let end = ends[trip - wanted.lowerBound]
            var rows = Array(all[max(0, end - Int(rowsOfTrip[trip]))..<end])
            try patterns.add(trip, &rows)
        }
    }

    /// The trip of a row, which is usually that of the previous row.
    private func trip(
        _ csv: CSVReader, _ column: Int, _ current: Int
    ) throws(FeedError) -> Int {
        let range = csv.range(column)
        if current >= 0, tripIds.matches(current, csv.buffer.span.extracting(range)) {
            return current
        }
        return try csv.reference(column, to: tripIds, of: "trips.txt")
    }
}
