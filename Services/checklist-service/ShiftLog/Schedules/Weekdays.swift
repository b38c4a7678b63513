import Dates
import Messages

/// Weekdays in messages: 1 for Monday to 7 for Sunday.
package enum Weekdays {
    /// The weekday of a day.
    ///
    /// - Parameter day: days since 1970-01-01.
    package static func of(day: Int64) -> UInt32 {
        UInt32(CivilDate(daysSince1970: Int(day)).weekday + 1)
    }

    /// Refuses numbers that are not of weekdays, and weekdays out of order or named twice.
    static func validate(_ weekdays: [UInt32]) throws(Refusal) {
        guard weekdays.count <= 7, weekdays.allSatisfy({ (1...7).contains($0) }),
            zip(weekdays, weekdays.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw .invalid("weekdays are numbers from 1 for Monday to 7 for Sunday, in order")
        }
    }
}

extension ChecklistTemplate {
    /// True when its weekdays let a shift that begins on a day use it.
    ///
    /// - Parameter day: the local day, in days since 1970-01-01.
    package func isUsed(onDay day: Int64) -> Bool {
        weekdays.isEmpty || weekdays.contains(Weekdays.of(day: day))
    }
}
