import Foundation
import RideEvaluation
import RideTracking

/// Lines and rides on a plane: east and north of a point, in metres.
enum Synthetic {
    static let origin = Position(latitude: 51.5, longitude: -0.1)
    /// Midnight of the service day of every synthetic timetable.
    static let midnight: Int64 = 1_780_000_000_000

    static func at(_ east: Double, _ north: Double) -> Position {
        Disturbance.moved(origin, east: east, north: north)
    }

    /// A line through these corners, with a stop every `spacing` metres, and a timetable at
    /// `speed` metres per second that leaves the first stop at `departure` seconds.
    static func line(
        id: String = "1", corners: [(Double, Double)] = [(0, 0), (8_000, 0)],
        spacing: Double = 400, speed: Double = 5, departure: Int = 36_000,
        hasTimes: Bool = true, knowsDay: Bool = false, wait: (stop: Int, seconds: Int)? = nil,
        names: [Int: String] = [:]
    ) throws -> Line {
        let path = corners.map { at($0.0, $0.1) }
        let bare = try Line(id: id, path: path, stops: [.init(id: "x", name: "X", along: 0)])
        var stops: [Line.Stop] = []
        var calls: [Timetable.Call] = []
        var waited = 0
        for number in 0...Int(bare.length / spacing + 0.01) {
            let along = min(bare.length, Double(number) * spacing)
            let name = names[number] ?? "s\(number)"
            stops.append(.init(id: name, name: "Stop \(number)", along: along))
            let arrival = departure + Int(along / speed) + waited
            if let wait, wait.stop == number { waited = wait.seconds }
            calls.append(
                .init(
                    arrival: arrival, departure: departure + Int(along / speed) + waited,
                    isTimepoint: wait?.stop == number))
        }
        let table = Timetable(calls: calls, serviceDay: knowsDay ? midnight : nil)
        return try Line(id: id, path: path, stops: stops, timetable: hasTimes ? table : nil)
    }

    /// Milliseconds since 1970 of a second of the service day.
    static func time(_ second: Double) -> Int64 {
        midnight + Int64(second * 1_000)
    }

    /// A drive along a line at an even speed, from second `start`, one fix every `cadence` s.
    static func drive(
        _ line: Line, from: Double = 0, to end: Double, speed: Double = 5,
        start: Double = 36_000, cadence: Double = 5
    ) -> [RideFix] {
        let seconds = abs(end - from) / speed
        let direction = end < from ? -1.0 : 1
        return stride(from: 0, through: seconds, by: cadence).map { second in
            let position = line.position(at: from + direction * speed * second)
            return fix(position, start + second)
        }
    }

    static func fix(_ position: Position, _ second: Double, accuracy: Double? = nil) -> RideFix {
        RideFix(
            time: time(second), latitude: position.latitude, longitude: position.longitude,
            accuracy: accuracy)
    }

    /// The signals of a ride while these fixes came, and until `end` without further fixes.
    static func told(
        _ ride: inout Ride, _ fixes: [RideFix], on lines: [Line], until end: Int64? = nil
    ) -> [(time: Int64, signal: Signal)] {
        var told: [(time: Int64, signal: Signal)] = []
        for fix in fixes {
            while let due = ride.timerDue, due <= fix.time {
                told += ride.timerExpired(at: due, on: lines).map { (due, $0) }
            }
            told += ride.advance(fix, on: lines).map { (fix.time, $0) }
        }
        while let end, let due = ride.timerDue, due <= end {
            told += ride.timerExpired(at: due, on: lines).map { (due, $0) }
        }
        return told
    }
}

extension [(time: Int64, signal: Signal)] {
    var kinds: [Signal.Kind] { map(\.signal.kind) }

    /// When the first signal of a kind came.
    func time(of kind: Signal.Kind) -> Int64? {
        first { $0.signal.kind == kind }?.time
    }
}
