import Foundation
import Testing
import TransitFeed

@testable import TransitAlertService

/// A feed with stops of these names, and a folder for its file, which is removed with it.
///
/// The first stop has the most trips, the last the fewest. Stop 0 is passed twice by the loop.
final class StoredFeed {
    let folder: URL
    let feed: Feed

    var url: URL { folder.appendingPathComponent("city.feed") }

    /// - Parameters:
    ///   - names: the names of its stops.
    ///   - others: further files, by their names.
    init(
        _ names: [String] = ["Alder", "Birch", "Cedar", "Dogwood"],
        adding others: [String: String] = [:]
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("feed-store-" + UUID().uuidString)
        let source = folder.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        for (file, text) in Self.files(names).merging(others, uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: source.appendingPathComponent(file))
        }
        feed = try Feed.read(from: source)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The feed written and opened.
    func stored() throws -> FeedFile {
        try FeedFile.write(feed, to: url)
        return try FeedFile.open(url)
    }

    private static func files(_ names: [String]) -> [String: String] {
        var stops = "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
        var trips = "route_id,service_id,trip_id,trip_headsign,direction_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for (number, name) in names.enumerated() {
            stops += "S\(number),9\(number),\"\(name)\",52.\(1000 + number),13.0,0,\n"
            guard number > 0 else { continue }
            // Trip n serves the stops 0 to n.
            trips += "R1,WK,T\(number),To \(number),0\n"
            for call in 0...number {
                times += "T\(number),\(5 + number):0\(call % 10):00,,S\(call),\(call)\n"
                if call == 9 { break }
            }
        }
        stops += "HUB,,,52.1,13.0,1,\nP,,Platform,52.1001,13.0001,0,HUB\n"
        trips += "R2,SU,LOOP,Round,1\nR1,WK,LATE,To 1,0\n"
        times += "LOOP,23:00:00,,S0,1\nLOOP,23:10:00,23:12:00,P,2\nLOOP,24:20:00,,S0,3\n"
        times += "LATE,22:00:00,,S0,0\nLATE,22:30:00,,S1,1\n"
        return [
            "agency.txt": "agency_name,agency_timezone\nCity,Europe/Paris\n",
            "stops.txt": stops, "trips.txt": trips, "stop_times.txt": times,
            "routes.txt": "route_id,route_short_name,route_type\nR1,1,3\nR2,2,0\n",
            "calendar.txt": """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            WK,1,1,1,1,1,0,0,20260101,20261231

            """,
            "calendar_dates.txt": """
            service_id,date,exception_type
            WK,20260501,2
            SU,20260503,1

            """,
        ]
    }
}
