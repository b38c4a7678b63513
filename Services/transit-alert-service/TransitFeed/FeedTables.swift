import Foundation

/// The small files of a feed: agencies, stops, routes, calendars.
extension FeedReader {
    mutating func readAgency() throws(FeedError) {
        var csv = try open("agency.txt")
        let nameColumn = try csv.required("agency_name")
        let zoneColumn = try csv.required("agency_timezone")
        var names: [String] = []
        var known: Set<String> = []
        while try next(&csv) {
            guard let zone = try csv.identifier(zoneColumn) else { throw csv.missing(zoneColumn) }
            guard TimeZone(identifier: zone) != nil else {
                throw csv.refusal(
                    zoneColumn, "“\(zone)” is not a known time zone",
                    cure: "write it as in the IANA database, such as Europe/Berlin")
            }
            guard timeZone.isEmpty || zone == timeZone else {
                throw csv.refusal(
                    zoneColumn, "“\(zone)” differs from “\(timeZone)” of another agency",
                    cure: "give all agencies of a feed the same time zone; GTFS requires it")
            }
            timeZone = zone
            guard let agency = try csv.text(nameColumn) else { throw csv.missing(nameColumn) }
            if known.insert(agency).inserted { names.append(agency) }
        }
        guard !names.isEmpty else {
            throw FeedError(
                file: csv.file, reason: "has no agency",
                cure: "add one; the times are in its time zone")
        }
        name = names.joined(separator: ", ")
    }

    mutating func readStops() throws(FeedError) {
        var csv = try open("stops.txt")
        let id = try csv.required("stop_id")
        let latitude = try csv.required("stop_lat")
        let longitude = try csv.required("stop_lon")
        let names = csv.column("stop_name")
        let codes = csv.column("stop_code")
        let kinds = csv.column("location_type")
        let parents = csv.column("parent_station")
        var parentOf: [(stop: Int, id: String, line: Int)] = []
        var unplaced: [(stop: Int, line: Int)] = []
        while try next(&csv) {
            let index = try csv.enter(id, into: &stopIds)
            let identifier = try csv.requiredIdentifier(id)
            let kind = Feed.Stop.Kind(rawValue: try csv.integer(kinds, in: 0...4) ?? 0) ?? .stop
            let north = try csv.degrees(latitude, limit: 90)
            let east = try csv.degrees(longitude, limit: 180)
            if north == nil || east == nil {
                // Only the inner parts of a station may lack one: they are where the station is.
                guard kind == .node || kind == .boardingArea else {
                    throw csv.missing(north == nil ? latitude : longitude)
                }
                unplaced.append((index, csv.line))
            }
            let code = try csv.text(codes)
            // A stop without a name is still a destination: it is called by its sign.
            let name = try csv.text(names) ?? code ?? identifier
            stops.append(
                Feed.Stop(
                    id: identifier, name: name, code: code, kind: kind,
                    position: .init(latitude: north ?? 0, longitude: east ?? 0)))
            if let parent = try csv.identifier(parents) {
                parentOf.append((index, parent, csv.line))
            }
        }
        for (stop, id, line) in parentOf {
            guard let parent = stopIds.index(of: Array(id.utf8).span), parent != stop else {
                throw FeedError(
                    file: csv.file, line: line, column: "parent_station",
                    reason: "“\(id)” is not another stop of this file",
                    cure: "add the station, or leave the field empty")
            }
            stops[stop].parent = parent
        }
        let withoutPlace = Set(unplaced.map(\.stop))
        for (stop, line) in unplaced {
            guard let parent = stops[stop].parent, !withoutPlace.contains(parent) else {
                throw FeedError(
                    file: csv.file, line: line, column: "stop_lat", reason: "is empty",
                    cure: "fill in both coordinates, or name a parent_station that has them")
            }
            stops[stop].position = stops[parent].position
        }
        guard !stops.isEmpty else {
            throw FeedError(file: csv.file, reason: "has no stop", cure: "add the stops")
        }
    }

    mutating func readRoutes() throws(FeedError) {
        var csv = try open("routes.txt")
        let id = try csv.required("route_id")
        let kind = try csv.required("route_type")
        let shortName = csv.column("route_short_name")
        let longName = csv.column("route_long_name")
        let colour = csv.column("route_color")
        while try next(&csv) {
            _ = try csv.enter(id, into: &routeIds)
            guard let number = try csv.integer(kind, in: 0...1799) else { throw csv.missing(kind) }
            var shade: Int?
            if let colour, let text = try csv.identifier(colour) {
                shade = Int(text, radix: 16)
                guard text.utf8.count == 6, shade != nil, text.first != "-", text.first != "+"
                else {
                    throw csv.refusal(
                        colour, "“\(text)” is not a colour",
                        cure: "write six hexadecimal digits, red, green and blue")
                }
            }
            routes.append(
                Feed.Route(
                    id: try csv.requiredIdentifier(id), shortName: try csv.text(shortName),
                    longName: try csv.text(longName), kind: number, colour: shade))
        }
    }

    mutating func readCalendar() throws(FeedError) {
        var csv = try open("calendar.txt")
        let id = try csv.required("service_id")
        let start = try csv.required("start_date")
        let end = try csv.required("end_date")
        var days: [Int] = []
        for day in [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ] {
            days.append(try csv.required(day))
        }
        while try next(&csv) {
            _ = try csv.enter(id, into: &calendarIds)
            var weekdays: UInt8 = 0
            for (bit, column) in days.enumerated() {
                guard let runs = try csv.integer(column, in: 0...1) else {
                    throw csv.missing(column)
                }
                weekdays |= UInt8(runs) << UInt8(bit)
            }
            let first = try csv.day(start)
            let last = try csv.day(end)
            guard first <= last else {
                throw csv.refusal(
                    end, "\(last.yyyymmdd) is before start_date", cure: "exchange the dates")
            }
            calendars.append(
                Feed.Calendar(
                    id: try csv.requiredIdentifier(id), weekdays: weekdays, range: first...last))
        }
    }

    mutating func readCalendarDates() throws(FeedError) {
        var csv = try open("calendar_dates.txt")
        let id = try csv.required("service_id")
        let date = try csv.required("date")
        let kind = try csv.required("exception_type")
        while try next(&csv) {
            let identifier = try csv.requiredIdentifier(id)
            let (index, isNew) = calendarIds.insert(Array(identifier.utf8).span)
            // A service may consist of single days only, and then be named only here.
            if isNew { calendars.append(Feed.Calendar(id: identifier)) }
            let day = try csv.day(date)
            guard let type = try csv.integer(kind, in: 1...2) else { throw csv.missing(kind) }
            guard calendars[index].exceptions.updateValue(type == 1, forKey: day) == nil else {
                throw csv.refusal(
                    date, "\(day.yyyymmdd) occurs twice for “\(identifier)”",
                    cure: "keep one of them")
            }
        }
    }
}
