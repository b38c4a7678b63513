/// Stops without a timetable: those of a feed without trips, or a list that somebody has typed.
extension FeedReader {
    /// The zone of times where nothing has any.
    private static let anyZone = "Etc/UTC"

    /// Reads a feed that has stops but no trips.
    mutating func readStopsAlone() throws(FeedError) -> Feed {
        (name, timeZone) = (archive.name, Self.anyZone)
        if archive.has("agency.txt") {
            timeZone = ""
            try readAgency()
        }
        try readStops()
        return feed([])
    }

    /// Reads a list of stops: a CSV file with the columns `name`, `latitude` and `longitude` and,
    /// if wanted, `id` and `line`. The rows of a line are its stops in the order in which they are
    /// ridden; stops without a line belong to none.
    mutating func readStopList(_ file: String) throws(FeedError) -> Feed {
        (name, timeZone) = (archive.name, Self.anyZone)
        var csv = try open(file)
        let columns = try StopListColumns(csv)
        var calls: [[Int]] = []
        while try next(&csv) {
            let stop = try stop(csv, columns)
            guard let line = try csv.text(columns.line) else { continue }
            let (index, isNew) = routeIds.insert(Array(line.utf8).span)
            if isNew {
                routes.append(Feed.Route(id: line, shortName: line))
                calls.append([])
            }
            guard calls[index].last != stop else {
                throw FeedError(
                    file: file, line: csv.line,
                    reason: "line \(line) calls at \(stops[stop].name) twice in a row",
                    cure: "keep one of the rows")
            }
            guard calls[index].count < limits.stops else {
                throw FeedError(
                    file: file, line: csv.line,
                    reason: "line \(line) has more than \(limits.stops) stops",
                    cure: "leave some out, or divide it")
            }
            calls[index].append(stop)
        }
        guard !stops.isEmpty else {
            throw FeedError(file: file, reason: "has no stop", cure: "write one in each row")
        }
        for (route, own) in zip(routes, calls) where own.count < 2 {
            throw FeedError(
                file: file, reason: "line \(route.name) has only one stop",
                cure: "write its stops in the order in which they are ridden, or leave it out")
        }
        return feed(calls)
    }

    /// The number of the stop of a row: a new one, unless it was in an earlier row.
    private mutating func stop(
        _ csv: CSVReader, _ columns: StopListColumns
    ) throws(FeedError) -> Int {
        guard let name = try csv.text(columns.name) else { throw csv.empty(columns.name) }
        guard let north = try csv.degrees(columns.latitude, limit: 90) else {
            throw csv.empty(columns.latitude)
        }
        guard let east = try csv.degrees(columns.longitude, limit: 180) else {
            throw csv.empty(columns.longitude)
        }
        let place = Feed.Position(latitude: north, longitude: east)
        let given = try csv.identifier(columns.id)
        // A number in its place could be the id of another row.
        if let column = columns.id, given == nil { throw csv.empty(column) }
        // Without ids, a stop of several lines is recognized by its name and place.
        let key = given ?? "\(name) \(north) \(east)"
        let (index, isNew) = stopIds.insert(Array(key.utf8).span)
        guard !isNew else {
            stops.append(
                Feed.Stop(id: given ?? "\(stops.count + 1)", name: name, position: place))
            return index
        }
        guard stops[index].position == place else {
            throw FeedError(
                file: csv.file, line: csv.line, reason: "stop \(key) has another place above",
                cure: "give each stop an id of its own")
        }
        return index
    }

    /// The feed, with a pattern for each line; `calls` has the stops of each.
    private func feed(_ calls: [[Int]]) -> Feed {
        let polylines = calls.map { Feed.Polyline($0.map { stops[$0].position }) }
        let patterns = calls.indices.map { line in
            Feed.Pattern(
                route: line, direction: nil, headsign: nil, shape: nil, polyline: line,
                calls: zip(calls[line], polylines[line].distances).map { stop, metres in
                    Feed.Call(stop: Int32(stop), along: centimetres(metres))
                }, trips: 0..<0)
        }
        return Feed(
            name: name, timeZone: timeZone, stops: stops, routes: routes, calendars: [],
            polylines: polylines, patterns: patterns, trips: [], headsigns: [], packedTimes: [],
            counts: counts)
    }
}

/// The columns of a list of stops.
private struct StopListColumns {
    let name: Int
    let latitude: Int
    let longitude: Int
    let id: Int?
    let line: Int?

    init(_ csv: CSVReader) throws(FeedError) {
        name = try Self.required(["name", "stop_name"], csv)
        latitude = try Self.required(["latitude", "lat", "stop_lat"], csv)
        longitude = try Self.required(["longitude", "lon", "stop_lon"], csv)
        id = csv.column("id") ?? csv.column("stop_id")
        line = csv.column("line")
    }

    private static func required(
        _ names: [String], _ csv: CSVReader
    ) throws(FeedError) -> Int {
        for name in names {
            if let column = csv.column(name) { return column }
        }
        throw FeedError(
            file: csv.file, line: 1, column: names[0], reason: "is not among the columns",
            cure: "begin the list with the row name,latitude,longitude or id,line,name,latitude,"
                + "longitude")
    }
}

extension CSVReader {
    /// The error about an empty field that has to be filled in.
    fileprivate func empty(_ column: Int) -> FeedError {
        refusal(column, "is empty", cure: "fill it in")
    }
}
