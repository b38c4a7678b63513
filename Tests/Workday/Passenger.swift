import Bus
import Foundation
import Messages
import TestSupport

/// Rides the same recorded bus again and again, with alerts when to get off.
final class Passenger: Occupation {
    private enum Step { case start, record, finish }

    let service = ServiceName.transitAlert
    private let fixes: [Fix]
    private var step = Step.start
    private var journey = ""
    private var sent = 0
    private let clock: () -> Int64
    /// When each journey began.
    private var started: [String: Int64] = [:]
    /// The journeys that went past their stop.
    private(set) var whole: Set<String> = []

    /// - Parameter recording: a CSV file with one position per second.
    init(riding recording: String, clock: @escaping () -> Int64) throws {
        self.clock = clock
        fixes = try Self.fixes(of: recording)
    }

    /// The positions of a recording; one in six is enough for a bus.
    static func fixes(of recording: String) throws -> [Fix] {
        let text = try String(contentsOfFile: recording, encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().enumerated()
            .filter { $0.offset % 6 == 0 }.map { try fix($0.element) }
    }

    private static func fix(_ line: Substring) throws -> Fix {
        let words = line.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count == 5, let latitude = Double(words[1]), let longitude = Double(words[2])
        else { throw Complaint("no position: \(line)") }
        let time = try Date(String(words[0]), strategy: .iso8601)
        return Fix(
            time: Int64(time.timeIntervalSince1970 * 1000),
            place: Coordinate(
                latitudeE7: Int32(latitude * 1e7), longitudeE7: Int32(longitude * 1e7)))
    }

    func next() -> (any ProtobufMessage)? {
        if journey.isEmpty {
            step = .start
            sent = 0
            return StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: fixes.first?.time ?? 0, speed: 1000), policy: 2)
        }
        guard sent < fixes.count else {
            step = .finish
            return FinishJourney(journeyId: journey)
        }
        step = .record
        let part = Array(fixes[sent..<min(sent + 20, fixes.count)])
        sent += part.count
        return RecordPositions(journeyId: journey, fixes: part)
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        // It may have ended by itself: a while after the stop was passed, or when its time was up.
        if step == .record, let refusal = try answer.refusal, refusal.code == .conflict {
            whole.insert(journey)
            journey = ""
            return
        }
        let answered = try answer.message(Journey.self)
        switch step {
        case .start:
            guard answered.id == "\(id)", started.updateValue(clock(), forKey: answered.id) == nil
            else {
                throw Complaint("journey \(answered.id) was begun twice, or by another command")
            }
            journey = answered.id
        case .record: break
        case .finish:
            whole.insert(journey)
            journey = ""
        }
    }

    func inspect(_ system: System, _ client: Client) throws {
        let kept = try system.query(.transitAlert, "SELECT id FROM journey").map { $0[0] }
        let due = started.filter { $0.value > clock() - Workday.memory }.keys
        guard Set(due).isSubset(of: kept), Set(kept).isSubset(of: started.keys) else {
            throw Complaint("\(started.count) journeys were begun, and \(kept.count) are there")
        }
        try inspectAlerts(system)
    }

    /// Checks that each journey has alerted once to get ready and once to get off, whatever was
    /// killed meanwhile.
    private func inspectAlerts(_ system: System) throws {
        var told: [String: Int] = [:]
        for event in try system.published(by: service) where event.type == AlertRaised.protobufName
        {
            told[try AlertRaised(unpacking: event.data).key, default: 0] += 1
        }
        // The events of older journeys have been deleted.
        for id in whole where started[id] ?? 0 > clock() - Workday.memory {
            for kind in ["getReady", "now"] where told["journey/\(id)/\(kind)"] != 1 {
                let times = told["journey/\(id)/\(kind)"] ?? 0
                throw Complaint("journey \(id) said \(kind) \(times) times")
            }
        }
    }
}
