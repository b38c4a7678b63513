import Bus
import Foundation
import Messages
import TestSupport

/// The whole installation with the demo's timetable, and a person who rides.
final class Town {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    static let feed = root + "/deploy/demo/harbour-line"

    let system: System
    private(set) var transit: Program
    private(set) var notifier: Program
    let client: Client

    init() throws {
        system = try System()
        transit = try system.start("transit-alert-service")
        notifier = try system.start("notifier")
        client = try system.client()
    }

    func restartTransit() throws {
        transit.kill()
        transit = try system.start("transit-alert-service")
    }

    func restartNotifier() throws {
        notifier.kill()
        notifier = try system.start("notifier")
    }

    /// Imports a feed and waits for the job's end.
    @discardableResult
    func load(_ path: String = feed, as name: String = "town") throws -> Job {
        let job = try client.ask(ImportFeed(feed: name, path: path), for: JobAccepted.self)
        var state = Job()
        try eventually("the import ends", within: .seconds(60)) {
            state = try client.ask(ReadJob(jobId: job.jobId), for: Job.self)
            return state.state != .queued && state.state != .running
        }
        return state
    }

    func refusal(of body: () throws -> Void) throws -> String {
        do { try body() } catch ClientError.refused(let refusal) { return refusal.message }
        throw Complaint("it was not refused")
    }

    /// The alerts that the notifier has kept, oldest first.
    func alerts() throws -> [Alert] {
        let notifier = try system.client(of: .notifier)
        return try notifier.ask(ListAlerts(limit: 100), for: Alerts.self).alerts.reversed()
    }

    /// The positions of the demo's ride.
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
