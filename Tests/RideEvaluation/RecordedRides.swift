import Foundation
import RideTracking

/// Reads the recordings that the evaluation replays. This is a reader for tests, not the product's.
package enum RecordedRides {
    /// One recorded trip: its feed's trip id, and its fixes in order.
    package struct Trip: Sendable {
        package var id: String
        package var trace: Trace
        /// False if the recording lost the time of day and has only the time between fixes.
        package var knowsTime: Bool

        package init(id: String, trace: Trace, knowsTime: Bool) {
            (self.id, self.trace, self.knowsTime) = (id, trace, knowsTime)
        }
    }

    /// The vehicle positions of Washington DC, one trip per trip id and vehicle.
    package static func washington(_ file: URL) throws -> [Trip] {
        let text = try String(contentsOf: file, encoding: .utf8)
        let rows = text.split(whereSeparator: \.isNewline)
        guard let header = rows.first else { return [] }
        let names = columns(header)
        func column(_ name: String) -> Int { names.firstIndex(of: name) ?? 0 }
        let (trip, vehicle) = (column("vehicle.trip.trip_id"), column("vehicle.vehicle.id"))
        let time = column("vehicle.timestamp")
        let latitude = column("vehicle.position.latitude")
        let longitude = column("vehicle.position.longitude")
        var fixes: [String: [RideFix]] = [:]
        var ids: [String: String] = [:]
        for row in rows.dropFirst() {
            let cells = columns(row)
            guard cells.count == names.count, let seconds = Int64(cells[time]),
                let north = Double(cells[latitude]), let east = Double(cells[longitude])
            else {
                continue
            }
            let name = "\(cells[trip])/\(cells[vehicle])"
            ids[name] = cells[trip]
            fixes[name, default: []].append(
                RideFix(time: seconds * 1_000, latitude: north, longitude: east))
        }
        return fixes.keys.sorted().map { name in
            let ordered = (fixes[name] ?? []).sorted { $0.time < $1.time }
            return Trip(
                id: ids[name] ?? name, trace: Trace(name: name, fixes: ordered), knowsTime: true)
        }
    }

    /// The phone recordings of Tampa. The first line of a file names trip and stops, the others:
    /// number, two flags, elapsed nanoseconds, time, latitude, longitude, altitude, speed,
    /// bearing, accuracy, satellites, provider. In some files a spreadsheet rounded the time to
    /// hours; the elapsed time is whole in all of them.
    package static func tampa(_ folder: URL) throws -> [Trip] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try files.filter { $0.hasSuffix(".csv") }.sorted().compactMap { name in
            let text = try String(
                contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let rows = text.split(whereSeparator: \.isNewline).map(columns)
            guard let trip = rows.first?.first?.split(separator: "_").last else { return nil }
            let cells = rows.dropFirst().filter { $0.count >= 11 }
            guard let first = cells.first, let base = Int64(first[4]),
                let started = Int64(first[3])
            else { return nil }
            let knowsTime = Set(cells.map { $0[4] }).count > cells.count / 4
            let fixes = cells.compactMap { row -> RideFix? in
                guard let elapsed = Int64(row[3]), let north = Double(row[5]),
                    let east = Double(row[6])
                else { return nil }
                return RideFix(
                    time: base + (elapsed - started) / 1_000_000, latitude: north,
                    longitude: east, accuracy: Double(row[10]), speed: Double(row[8]))
            }
            return Trip(
                id: String(trip), trace: Trace(name: name, fixes: fixes), knowsTime: knowsTime)
        }
    }

    private static func columns(_ row: Substring) -> [String] {
        row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
