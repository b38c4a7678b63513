import Bus
import Foundation
import Messages
import TestSupport

/// A whole installation with the timetable of the demo, and a passenger.
final class Town {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    static let feed = root + "/deploy/demo/harbour-line"

    /// The cells of a file of the demo's timetable, without its header.
    static func rows(_ file: String) throws -> [[String]] {
        try String(contentsOfFile: "\(feed)/\(file)", encoding: .utf8)
            .split(separator: "\n").dropFirst().map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
    }

    let system: System
    private(set) var transit: Program
    private(set) var notifier: Program
    let client: Client

    /// Starts the installation.
    ///
    /// - Parameter accepts: whether the passenger has accepted the privacy policy.
    init(accepts: Bool = true) throws {
        system = try System()
        transit = try system.start("transit-alert-service")
        notifier = try system.start("notifier")
        client = try system.client()
        guard accepts else { return }
        _ = try client.ask(AcceptPolicy(version: 2), for: Traveller.self)
    }

    func restartTransit(adding settings: [String: String] = [:]) throws {
        transit.kill()
        transit = try system.launch("transit-alert-service", adding: settings)
        try transit.waitUntilReady()
    }

    func restartNotifier() throws {
        notifier.kill()
        notifier = try system.start("notifier")
    }

    /// Imports a feed and waits until the job has ended.
    @discardableResult
    func load(_ path: String = feed, as name: String = "town") throws -> Job {
        let job = try client.ask(ImportFeed(feed: name, path: path), for: JobAccepted.self)
        var state = Job()
        try eventually("the import ends") {
            state = try client.ask(ReadJob(jobId: job.jobId), for: Job.self)
            return state.state != .queued && state.state != .running
        }
        return state
    }

    /// Makes another edition of the demo's timetable, with texts replaced in some of its files.
    ///
    /// - Returns: its folder.
    func edition(
        _ name: String, replacing changes: [(file: String, text: String, by: String)] = []
    ) throws -> String {
        let folder = system.path(name)
        try FileManager.default.copyItem(atPath: Self.feed, toPath: folder)
        for change in changes {
            let path = "\(folder)/\(change.file)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            guard text.contains(change.text) else {
                throw Complaint("\(change.file) has no “\(change.text)”")
            }
            try text.replacing(change.text, with: change.by)
                .write(toFile: path, atomically: true, encoding: .utf8)
        }
        return folder
    }

    /// Follows the demo's ride to the hospital and ends the journey, without waiting until each
    /// position is due: how early its alerts come doesn't depend on how busy the machine is.
    static func follow(with client: Client, feed: String = "town") throws {
        let ride = try Self.ride()
        let journey = try client.ask(
            StartJourney(
                feed: feed, stopId: "4131", clock: JourneyClock(origin: ride[0].time, speed: 1)),
            for: Journey.self)
        for begin in stride(from: 0, to: ride.count, by: 20) {
            let some = Array(ride[begin..<min(begin + 20, ride.count)])
            _ = try client.ask(
                RecordPositions(journeyId: journey.id, fixes: some, source: "file"),
                for: Journey.self)
        }
        _ = try client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
    }

    func refusal(of body: () throws -> Void) throws -> String {
        do { try body() } catch ClientError.refused(let refusal) { return refusal.message }
        throw Complaint("it was not refused")
    }

    /// Returns the alerts that the notifier has kept, oldest first.
    func alerts() throws -> [Alert] {
        let notifier = try system.client(of: .notifier)
        return try notifier.ask(ListAlerts(limit: 100), for: Alerts.self).alerts.reversed()
    }

    /// Returns the files of the services that contain one of these places in any form: as text, as
    /// the numbers of a message, or as binary numbers. Timetables have places of their own, so they
    /// are left out.
    func traces(of places: [Coordinate]) throws -> Set<String> {
        let folder = system.path("data")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains(".sqlite") }
        guard files.contains("transit-alert-service.sqlite"), !places.isEmpty else {
            throw Complaint("there is nothing to search for, or nowhere: \(files)")
        }
        let forms = Dictionary(grouping: places.flatMap(Self.forms)) { Self.beginning($0) }
        return Set(
            try files.filter { name in
                let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
                return Self.has(bytes, anyOf: forms)
            })
    }

    /// Returns whether a file contains one of these texts, which are keyed by their first four
    /// bytes.
    private static func has(_ file: Data, anyOf texts: [UInt32: [Data]]) -> Bool {
        file.withUnsafeBytes { bytes in
            for place in 0..<max(0, bytes.count - 3) {
                let beginning = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                for text in texts[beginning] ?? [] where bytes[place...].starts(with: text) {
                    return true
                }
            }
            return false
        }
    }

    private static func beginning(_ text: Data) -> UInt32 {
        text.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    /// Returns the forms in which a latitude may be written to a file.
    private static func forms(of place: Coordinate) -> [Data] {
        let degrees = Double(place.latitudeE7) / 1e7
        func bytes(_ number: some FixedWidthInteger) -> [Data] {
            [number.littleEndian, number.bigEndian].map { withUnsafeBytes(of: $0) { Data($0) } }
        }
        return [Data("\(degrees)".utf8), packed(place.latitudeE7)] + bytes(degrees.bitPattern)
            + bytes(place.latitudeE7)
    }

    /// A number as a message encodes it: zigzag, seven bits per byte.
    private static func packed(_ number: Int32) -> Data {
        var rest = UInt32(bitPattern: (number << 1) ^ (number >> 31))
        var bytes = Data()
        while rest > 127 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        return bytes
    }

    /// Returns the positions of the demo's ride.
    static func ride() throws -> [Fix] {
        let text = try String(contentsOfFile: root + "/deploy/demo/ride.csv", encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: ",").map(String.init)
            guard let latitude = Double(cells[1]), let longitude = Double(cells[2]),
                let time = try? Date(cells[0], strategy: .iso8601)
            else { throw Complaint("a position can't be read: \(line)") }
            return Fix(
                time: Int64(time.timeIntervalSince1970 * 1000),
                place: Coordinate(
                    latitudeE7: Int32(latitude * 1e7), longitudeE7: Int32(longitude * 1e7)),
                accuracy: 80)
        }
    }
}
