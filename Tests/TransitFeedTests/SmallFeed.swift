import CZip
import Foundation
import Testing

@testable import TransitFeed

/// A feed of one line with three stops and two trips, which each test changes.
struct SmallFeed {
    var files: [String: String] = [
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone
        1,City Buses,https://example.org,Europe/Berlin

        """,
        "stops.txt": """
        stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station
        A,101,Alder Street,52.5000000,13.4000000,0,S
        B,102,Birch Street,52.5000000,13.4100000,,
        C,103,Cedar Street,52.5000000,13.4300000,0,
        S,,Alder Station,52.5000100,13.4000000,1,

        """,
        "routes.txt": """
        route_id,agency_id,route_short_name,route_long_name,route_type,route_color
        R1,1,7,Alder to Cedar,3,FF0000

        """,
        "trips.txt": """
        route_id,service_id,trip_id,trip_headsign,direction_id,shape_id
        R1,WK,T1,Cedar,0,L1
        R1,WK,T2,Cedar,0,L1

        """,
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type
        T1,8:00:00,8:00:00,A,1,0,0
        T1,08:05:00,08:06:00,B,2,0,0
        T1,08:16:00,08:16:00,C,3,0,0
        T2,23:55:00,23:55:00,A,1,0,0
        T2,24:00:00,24:00:00,B,2,0,0
        T2,24:10:00,24:10:00,C,3,0,0

        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        WK,1,1,1,1,1,0,0,20260101,20261231

        """,
        "calendar_dates.txt": """
        service_id,date,exception_type
        WK,20260501,2
        WK,20260502,1

        """,
        "shapes.txt": """
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        L1,52.5000000,13.4000000,1
        L1,52.5000000,13.4200000,5
        L1,52.5000000,13.4300000,9

        """,
    ]

    /// The lines of a file, the header first.
    func lines(_ file: String) -> [String] {
        (files[file] ?? "").split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }

    /// Replaces a text that must be there.
    func replacing(_ old: String, _ new: String, in file: String) -> SmallFeed {
        var changed = self
        precondition(files[file]?.contains(old) == true, "\(file) has no “\(old)”")
        changed.files[file] = files[file]?.replacingOccurrences(of: old, with: new)
        return changed
    }

    /// The feed read from a folder.
    func read(
        limits: FeedLimits = FeedLimits(),
        progress: @escaping (Feed.Progress) -> Bool = { _ in true }
    ) throws -> Feed {
        let folder = try Scratch()
        for (file, text) in files {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(file))
        }
        return try Feed.read(from: folder.url, limits: limits, progress: progress)
    }

    /// The message with which the feed is refused; empty if it isn't.
    func refusal(limits: FeedLimits = FeedLimits()) throws -> String {
        do {
            _ = try read(limits: limits)
            return ""
        } catch let error as FeedError {
            return error.description
        }
    }

    /// The bytes of a zip of the feed, with its files in a folder.
    func zipped(in folder: String = "", with others: [String: String] = [:]) throws -> Data {
        let scratch = try Scratch()
        let path = scratch.url.appendingPathComponent("feed.zip").path
        var code: Int32 = 0
        let zip = zip_open(path, ZIP_CREATE, &code)
        for (file, text) in files.merging(others, uniquingKeysWith: { $1 }) {
            let bytes = Array(text.utf8)
            // libzip is told to free this memory, so it needs its own copy.
            guard let copy = malloc(max(1, bytes.count)) else { continue }
            copy.copyMemory(from: bytes, byteCount: bytes.count)
            let source = zip_source_buffer(zip, copy, UInt64(bytes.count), 1)
            zip_file_add(zip, folder + file, source, 0)
        }
        zip_close(zip)
        return try Data(contentsOf: scratch.url.appendingPathComponent("feed.zip"))
    }
}

/// A folder for a test, removed with it.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("transit-feed-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

/// Reads a feed from the bytes of a zip.
func readFeed(_ zip: Data, limits: FeedLimits = FeedLimits()) throws -> Feed {
    let folder = try Scratch()
    let url = folder.url.appendingPathComponent("feed.zip")
    try zip.write(to: url)
    return try Feed.read(from: url, limits: limits)
}
