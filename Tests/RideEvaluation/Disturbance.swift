import Foundation
import RideTracking

/// What a receiver and a network do to the fixes of a ride.
package struct Disturbance: Sendable {
    /// The standard deviation of the noise, metres, and its correlation time, seconds (AR(1)).
    package var noise = 8.0
    package var memory = 20.0
    /// The fraction of fixes that are `outlierMetres` off.
    package var outliers = 0.003
    package var outlierMetres = 60.0
    /// The seconds between losses of signal (nil for none), and their mean length above 10 s.
    package var dropoutInterval: Double?
    package var dropoutLength = 60.0
    /// The fraction of fixes that come twice, and of those that change places with the next.
    package var duplicates = 0.0
    package var reordered = 0.0

    package init() {}

    package func applied(to trace: Trace, seed: UInt64) -> Trace {
        var random = Seeded(seed)
        var east = random.normal() * noise
        var north = random.normal() * noise
        var last = trace.fixes.first?.time ?? 0
        var lost = last + nextLoss(&random)
        var found = lost + lossLength(&random)
        var fixes: [RideFix] = []
        for fix in trace.fixes {
            let kept = exp(-Double(fix.time - last) / 1_000 / memory)
            let fresh = noise * (1 - kept * kept).squareRoot()
            east = kept * east + fresh * random.normal()
            north = kept * north + fresh * random.normal()
            last = fix.time
            if fix.time > found {
                lost = fix.time + nextLoss(&random)
                found = lost + lossLength(&random)
            }
            var angle = 0.0
            var jump = 0.0
            if random.share() < outliers {
                (angle, jump) = (2 * .pi * random.share(), outlierMetres)
            }
            guard fix.time < lost else { continue }
            var moved = fix
            moved.position = Self.moved(
                fix.position, east: east + jump * cos(angle), north: north + jump * sin(angle))
            fixes.append(moved)
            if random.share() < duplicates { fixes.append(moved) }
        }
        for index in fixes.indices.dropLast() where random.share() < reordered {
            fixes.swapAt(index, index + 1)
        }
        return Trace(name: trace.name, fixes: fixes)
    }

    /// A position this many metres east and north of another.
    package static func moved(_ position: Position, east: Double, north: Double) -> Position {
        let scale = cos(position.latitude * .pi / 180)
        return Position(
            latitude: position.latitude + north / 111_132,
            longitude: position.longitude + east / (111_320 * scale))
    }

    private func nextLoss(_ random: inout Seeded) -> Int64 {
        guard let dropoutInterval else { return .max / 4 }
        return Int64(-log(1 - random.share()) * dropoutInterval * 1_000)
    }

    private func lossLength(_ random: inout Seeded) -> Int64 {
        Int64((10 - log(1 - random.share()) * dropoutLength) * 1_000)
    }
}

extension Truth {
    /// The fixes of a phone on this vehicle, every `cadence` milliseconds, on the line itself.
    /// Between two known places the speed changes smoothly (monotone cubic interpolation,
    /// Fritsch and Carlson, SIAM Journal on Numerical Analysis 17, 1980).
    package func phone(
        named name: String, on line: Line, cadence: Int64
    ) -> (trace: Trace, truth: Truth) {
        guard times.count >= 2, let start = times.first, let end = times.last else {
            return (Trace(name: name, fixes: []), self)
        }
        let slopes = self.slopes()
        var piece = 0
        var smooth = Truth(times: [], alongs: [])
        let fixes = stride(from: start, through: end, by: Int(cadence)).map { time in
            while piece + 2 < times.count, times[piece + 1] < time { piece += 1 }
            let length = Double(times[piece + 1] - times[piece])
            let share = Double(time - times[piece]) / length
            let (two, three) = (share * share, share * share * share)
            let along =
                (2 * three - 3 * two + 1) * alongs[piece]
                + (three - 2 * two + share) * length * slopes[piece]
                + (3 * two - 2 * three) * alongs[piece + 1]
                + (three - two) * length * slopes[piece + 1]
            let position = line.position(at: along)
            smooth.append(time, along)
            return RideFix(
                time: time, latitude: position.latitude, longitude: position.longitude)
        }
        return (Trace(name: name, fixes: fixes), smooth)
    }

    private func slopes() -> [Double] {
        let secants = zip(times.indices, times.indices.dropFirst()).map { earlier, later in
            (alongs[later] - alongs[earlier]) / Double(times[later] - times[earlier])
        }
        return times.indices.map { index in
            guard index > 0, index < secants.count else {
                return secants[min(index, secants.count - 1)]
            }
            let (left, right) = (secants[index - 1], secants[index])
            return left * right <= 0 ? 0 : 2 * left * right / (left + right)
        }
    }
}
