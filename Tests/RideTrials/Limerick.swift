import Foundation
import RideEvaluation
import RideFile
import RideTracking

/// Rides that phones recorded in Limerick, on lines of which only the stops are known. No constant
/// was chosen on them, and they have no timetable.
enum Limerick {
    /// A ride, and when it was at each stop of its line.
    struct StopRide {
        let ride: RecordedRide
        let arrivals: [Int64]
    }

    /// How near to the ridden way a stop of the line is, and from where on a vehicle is at it, in
    /// metres.
    private static let (near, at) = (60.0, 20.0)

    /// The rides whose names say the line and where it goes, if there is a list of its stops.
    static func rides(_ folder: URL) throws -> [StopRide] {
        let recordings = folder.appending(path: "rides-limerick")
        return try FileManager.default.contentsOfDirectory(atPath: recordings.path).sorted()
            .compactMap { name -> StopRide? in
                guard let line = name.firstMatch(of: /__([0-9]+A?)_to_([A-Za-z]+)/) else {
                    return nil
                }
                let list = "stops_\(line.1)_to_\(line.2.lowercased())"
                let file = folder.appending(path: "stops-limerick/\(list).gpkg")
                guard FileManager.default.fileExists(atPath: file.path) else { return nil }
                let bytes = try Data(contentsOf: recordings.appending(path: name))
                let trace = Trace(name: name, fixes: try GPXReader.fixes(from: bytes))
                return try ride(trace, on: String(line.1), by: stops(list, in: file))
            }
    }

    /// The stops of a GeoPackage with points in degrees, by their ids.
    private static func stops(_ table: String, in file: URL) throws -> [(
        id: String, place: Position
    )] {
        let reading = Process()
        reading.executableURL = URL(filePath: "/usr/bin/sqlite3")
        reading.arguments = [
            "-readonly", "-separator", " ", "file:\(file.path)?immutable=1",
            "SELECT fid, hex(geom) FROM \(table)",
        ]
        let output = Pipe()
        reading.standardOutput = output
        try reading.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        reading.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap {
            row -> (id: String, place: Position)? in
            let cells = row.split(separator: " ")
            guard cells.count == 2, cells[1].count >= 32 else { return nil }
            // At the end of the geometry are two numbers: degrees east and north.
            let digits = cells[1].suffix(32)
            let halves = [digits.prefix(16), digits.suffix(16)].compactMap {
                UInt64($0, radix: 16).map { Double(bitPattern: $0.byteSwapped) }
            }
            guard halves.count == 2 else { return nil }
            let place = Position(latitude: halves[1], longitude: halves[0])
            return place.isOnEarth ? (id: String(cells[0]), place: place) : nil
        }
    }

    /// A ride on a line whose stops are in the order in which they were passed.
    private static func ride(
        _ trace: Trace, on route: String, by stops: [(id: String, place: Position)]
    ) throws -> StopRide? {
        var calls: [(id: String, place: Position, arrival: Int64)] = []
        for (id, place) in stops {
            let metres = trace.fixes.map { $0.position.metres(to: place) }
            guard let nearest = metres.indices.min(by: { metres[$0] < metres[$1] }),
                metres[nearest] < near
            else { continue }
            var arrived = nearest
            while arrived > 0, metres[arrived - 1] <= metres[nearest] + at { arrived -= 1 }
            calls.append((id, place, trace.fixes[arrived].time))
        }
        calls.sort { $0.arrival < $1.arrival }
        guard calls.count > 2 else { return nil }
        var along = 0.0
        let ordered = calls.indices.map { index -> Line.Stop in
            if index > 0 { along += calls[index - 1].place.metres(to: calls[index].place) }
            return Line.Stop(id: calls[index].id, name: calls[index].id, along: along)
        }
        let line = try Line(
            id: route, path: calls.map(\.place), stops: ordered, isStraight: true)
        return StopRide(
            ride: RecordedRide(line: line, truth: Truth(of: trace, on: line), trace: trace),
            arrivals: calls.map(\.arrival))
    }
}
