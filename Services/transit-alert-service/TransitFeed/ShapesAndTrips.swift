/// Reads the shapes, and the trips without their times.
extension FeedReader {
    /// One point of a shape, as read.
    private struct Point {
        var shape: Int32
        var sequence: Int32
        var line: Int32
        var position: Feed.Position
        var stated: Float
    }

    mutating func readShapes() throws(FeedError) {
        var csv = try open("shapes.txt")
        let id = try csv.required("shape_id")
        let latitude = try csv.required("shape_pt_lat")
        let longitude = try csv.required("shape_pt_lon")
        let sequence = try csv.required("shape_pt_sequence")
        let distance = csv.column("shape_dist_traveled")
        var names: [String] = []
        var points: [Point] = []
        var isOrdered = true
        while try next(&csv) {
            let range = csv.range(id)
            guard !range.isEmpty else { throw csv.missing(id) }
            let (shape, isNew) = shapeIds.insert(csv.buffer.span.extracting(range))
            if isNew { names.append(try csv.requiredIdentifier(id)) }
            guard let north = try csv.degrees(latitude, limit: 90) else {
                throw csv.missing(latitude)
            }
            guard let east = try csv.degrees(longitude, limit: 180) else {
                throw csv.missing(longitude)
            }
            guard let number = try csv.integer(sequence, in: 0...Int(Int32.max)) else {
                throw csv.missing(sequence)
            }
            let point = Point(
                shape: Int32(shape), sequence: Int32(number),
                line: Int32(truncatingIfNeeded: csv.line),
                position: .init(latitude: north, longitude: east),
                stated: try csv.stated(distance))
            if let last = points.last, !isBefore(last, point) { isOrdered = false }
            points.append(point)
        }
        counts.shapePoints = points.count
        if !isOrdered { points.sort(by: isBefore) }
        try gather(points, names, csv)
    }

    private func isBefore(_ left: Point, _ right: Point) -> Bool {
        (left.shape, left.sequence) < (right.shape, right.sequence)
    }

    /// Makes the lines from the ordered points.
    private mutating func gather(
        _ points: [Point], _ names: [String], _ csv: CSVReader
    ) throws(FeedError) {
        var first = 0
        while first < points.count {
            var positions: [Feed.Position] = []
            var stated: [Double] = []
            var next = first
            while next < points.count, points[next].shape == points[first].shape {
                let point = points[next]
                guard next - first < limits.points else {
                    throw FeedError(
                        file: csv.file, line: Int(point.line), column: "shape_id",
                        reason: "“\(names[Int(point.shape)])” has more than "
                            + "\(limits.points) points",
                        cure: "leave out points that lie on a straight line")
                }
                if next > first, points[next - 1].sequence == point.sequence {
                    throw FeedError(
                        file: csv.file, line: Int(point.line), column: "shape_pt_sequence",
                        reason: "\(point.sequence) occurs twice in one shape",
                        cure: "number the points of a shape in their order")
                }
                // A point that repeats the previous one adds nothing to the line.
                if positions.last != point.position {
                    positions.append(point.position)
                    if point.stated >= 0 { stated.append(Double(point.stated)) }
                }
                next += 1
            }
            shapes.append(
                Shape(
                    id: names[Int(points[first].shape)], line: Feed.Polyline(positions),
                    stated: stated.count == positions.count ? stated : []))
            first = next
        }
    }

    mutating func readTrips() throws(FeedError) {
        var csv = try open("trips.txt")
        let id = try csv.required("trip_id")
        let route = try csv.required("route_id")
        let service = try csv.required("service_id")
        let shape = csv.column("shape_id")
        let direction = csv.column("direction_id")
        let headsign = csv.column("trip_headsign")
        let calendarFile =
            archive.has("calendar.txt")
            ? "calendar.txt or calendar_dates.txt"
            : "calendar_dates.txt"
        var headsignIds = IdTable()
        while try next(&csv) {
            _ = try csv.enter(id, into: &tripIds)
            var line: Int32 = -1
            if let shape, !csv.isEmpty(shape) {
                if let known = csv.index(shape, in: shapeIds) {
                    line = Int32(known)
                } else {
                    counts.tripsWithoutShape += 1
                }
            }
            var sign: Int32 = -1
            if let headsign, !csv.isEmpty(headsign) {
                let bytes = csv.range(headsign)
                let (index, isNew) = headsignIds.insert(csv.buffer.span.extracting(bytes))
                if isNew { headsigns.append(try csv.text(headsign) ?? "") }
                sign = Int32(index)
            }
            trips.append(
                TripRow(
                    id: try csv.requiredIdentifier(id),
                    route: Int32(try csv.reference(route, to: routeIds, of: "routes.txt")),
                    calendar: Int32(
                        try csv.reference(service, to: calendarIds, of: calendarFile)),
                    shape: line, headsign: sign,
                    direction: Int8(try csv.integer(direction, in: 0...1) ?? -1)))
        }
    }
}
