import ArgumentParser
import Foundation
import LocalTime
import Messages
import RoutineDay
import Speech

/// Whose routines and days a command is about.
struct PersonOption: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "A person you care for: name or id. Default: yourself.", valueName: "person"))
    var named: String?

    /// The id of the account; empty for the person who asks.
    func account(_ session: Session) throws -> String {
        guard let named else { return "" }
        return try Self.account(named, session)
    }

    /// The id of the account with a name or an id.
    ///
    /// - Parameter advice: what to do if there is none.
    static func account(
        _ named: String, _ session: Session,
        advice: String = "steward whoami lists the people you care for"
    ) throws -> String {
        let accounts = try session.accounts()
        let found = accounts.first { $0.id == named || $0.name.lowercased() == named.lowercased() }
        guard let found else {
            throw Failure(
                .refused, "there is no “\(named.printable)” that you may see", advice: advice)
        }
        return found.id
    }
}

/// What other services may add to a person's days, as typed.
enum OutsideArgument: String, ExpressibleByArgument, CaseIterable {
    case meetings, shifts
}

/// A time of the day as it is typed: `7:30`, `07:30` or `24:00`.
struct ClockArgument: ExpressibleByArgument, Hashable {
    /// Minutes after midnight, up to 1440.
    let minutes: UInt32

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = UInt32(parts[0]), let minute = UInt32(parts[1]), minute < 60,
            hour * 60 + minute <= 1_440
        else { return nil }
        minutes = hour * 60 + minute
    }
}

/// A date as it is typed: `today`, `tomorrow`, `yesterday`, or in ISO 8601.
struct DayArgument: ExpressibleByArgument, Hashable {
    /// The date in ISO 8601, or `yesterday` or `tomorrow` where the person is; empty for today.
    let text: String

    init?(argument: String) {
        let word = argument.lowercased()
        guard let away = Self.named[word] else {
            guard LocalTime.day(argument) != nil else { return nil }
            text = argument
            return
        }
        text = away == 0 ? "" : word
    }

    /// The distance of each word from today, in days.
    private static let named: [String: Int64] = ["today": 0, "tomorrow": 1, "yesterday": -1]

    /// True if it is counted from today.
    var isCounted: Bool { LocalTime.day(text) == nil }

    /// Refuses a last day before the first. Whether a date comes before a day counted from today
    /// depends on where the person is, which is not known yet.
    static func validate(from first: DayArgument?, to last: DayArgument?) throws {
        guard let first, let last, first.isCounted == last.isCounted,
            last.number(from: 0) < first.number(from: 0)
        else { return }
        throw ValidationError("the last day is before the first")
    }

    /// The day that is meant, in days since 1970-01-01.
    ///
    /// - Parameter today: the present date where the person is.
    func number(from today: Int64) -> Int64 {
        LocalTime.day(text) ?? today + (Self.named[text] ?? 0)
    }
}

/// An appointment as it is typed: `10:00-11:00 Doctor`, with `+20` before the name for 20 minutes
/// on the way.
struct AppointmentArgument: ExpressibleByArgument, Hashable {
    /// The appointment.
    let appointment: Appointment

    init?(argument: String) {
        let words = argument.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        let times = words[0].split(separator: "-", omittingEmptySubsequences: false)
            .map { ClockArgument(argument: String($0)) }
        guard times.count == 2, let from = times[0], let until = times[1] else { return nil }
        var name = words[1].trimmingCharacters(in: .whitespaces)
        var preparation: UInt32 = 0
        if let found = name.prefixMatch(of: /\+(\d{1,3}) +/), let minutes = UInt32(found.1) {
            preparation = minutes
            name = String(name[found.range.upperBound...])
        }
        appointment = Appointment(
            name: name, from: from.minutes, until: until.minutes, preparation: preparation)
    }
}

/// An action as it is typed for a routine: a name, then its minutes and its priority if they differ
/// from the usual: `Brush your teeth:4:5`.
struct ActionArgument: ExpressibleByArgument, Hashable {
    /// The action; the service adds what is missing.
    let action: RoutineAction

    init?(argument: String) {
        guard let found = argument.wholeMatch(of: /(.*?)(?::(\d+))?(?::(\d))?/) else {
            return nil
        }
        let name = found.1.trimmingCharacters(in: .whitespaces)
        // 0 would stand for the usual minutes; a number that is too long is no part of the name.
        let minutes = found.2.map { UInt32($0) ?? 0 }
        guard !name.isEmpty, minutes != 0 else { return nil }
        action = RoutineAction(
            name: name, minutes: minutes ?? 0,
            priority: found.3.flatMap { UInt32($0) } ?? 0)
    }
}
