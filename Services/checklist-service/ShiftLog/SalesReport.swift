import LocalTime
import Messages

/// The key of a figure: an hour and what is measured in it.
struct FigureKey: Hashable, Sendable {
    let hour: UInt32
    let kind: FigureKind
    let name: String

    init(_ figure: EnterFigure) {
        hour = figure.hour
        kind = figure.kind
        name = figure.name
    }
}

/// A value that was entered for a figure, and replaced.
package struct FigureValue: Hashable, Sendable {
    /// The value, in the unit of its kind.
    package let value: Int64
    /// Who entered it, and when.
    package let stamp: Stamp
}

/// A figure of the sales report.
package struct FigureEntry: Hashable, Sendable {
    /// The value, in the unit of its kind.
    package private(set) var value: Int64
    /// Who entered it, and when.
    package private(set) var stamp: Stamp
    /// The values that it replaced, in order of effect.
    package private(set) var replaced: [FigureValue] = []

    init(value: Int64, stamp: Stamp) { (self.value, self.stamp) = (value, stamp) }

    /// Replaces the value.
    mutating func replace(by newer: FigureEntry) {
        replaced.append(FigureValue(value: value, stamp: stamp))
        (value, stamp) = (newer.value, newer.stamp)
    }
}

/// A measurement of service with a name of its own.
package struct ServiceFigure: Hashable, Sendable {
    /// Its name, e.g. `seconds per order`.
    package let name: String
    /// The value in thousandths of its unit.
    package let entry: FigureEntry
}

/// An hour of the sales report.
package struct SalesHour: Hashable, Sendable {
    /// The full local hour, 0 to 23.
    package let hour: Int
    /// Planned sales, in hundredths of the currency.
    package let salesPlanned: FigureEntry?
    /// Actual sales, in hundredths of the currency.
    package let salesActual: FigureEntry?
    /// Planned crew time, in minutes.
    package let crewPlanned: FigureEntry?
    /// Actual crew time, in minutes.
    package let crewActual: FigureEntry?
    /// The measurements of service, by name.
    package let service: [ServiceFigure]
    /// The travel paths that were due in the first half of the hour.
    package let firstHalf: [TravelPathSlot]
    /// The travel paths that were due in the second half.
    package let secondHalf: [TravelPathSlot]
}

extension ShiftState {
    /// Every figure that was entered, by hour, kind and name.
    package var enteredFigures: [(figure: EnterFigure, entry: FigureEntry)] {
        figures.map { key, entry in
            (EnterFigure(hour: key.hour, kind: key.kind, name: key.name, value: entry.value), entry)
        }.sorted {
            ($0.figure.hour, $0.figure.kind.rawValue, $0.figure.name)
                < ($1.figure.hour, $1.figure.kind.rawValue, $1.figure.name)
        }
    }

    /// The sales report: a row for each hour from the beginning to a time or the end, and for each
    /// other hour with a figure, in the order of the shift.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func salesReport(at now: Int64) -> [SalesHour] {
        let until = max(shift.started, isOpen ? now : min(now, shift.ended))
        let begins = localTime.reading(at: shift.started).hour
        var hours = Set(figures.keys.map { Int($0.hour) })
        // Go through the hours in elapsed time, at most a day of them.
        for step in 0..<24 {
            let instant = shift.started + Int64(step) * 3_600_000
            hours.insert(localTime.reading(at: min(instant, until)).hour)
            if instant >= until { break }
        }
        let slots = slots(at: now).map { (reading: localTime.reading(at: $0.due), slot: $0) }
        return hours.sorted { ($0 - begins + 24) % 24 < ($1 - begins + 24) % 24 }.map { hour in
            salesHour(hour, slots.filter { $0.reading.hour == hour })
        }
    }

    private func salesHour(
        _ hour: Int, _ slots: [(reading: LocalTime.Reading, slot: TravelPathSlot)]
    ) -> SalesHour {
        let entries = figures.filter { Int($0.key.hour) == hour }
        let entry = { (kind: FigureKind) in entries.first { $0.key.kind == kind }?.value }
        return SalesHour(
            hour: hour, salesPlanned: entry(.salesPlanned), salesActual: entry(.salesActual),
            crewPlanned: entry(.crewPlanned), crewActual: entry(.crewActual),
            service: entries.filter { $0.key.kind == .service }.sorted { $0.key.name < $1.key.name }
                .map { ServiceFigure(name: $0.key.name, entry: $0.value) },
            firstHalf: slots.filter { $0.reading.minutes % 60 < 30 }.map(\.slot),
            secondHalf: slots.filter { $0.reading.minutes % 60 >= 30 }.map(\.slot))
    }
}
