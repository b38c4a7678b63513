import ArgumentParser
import Messages
import ShiftLog

/// A time of day as it is typed: `10:15`, or `none`.
struct TimeArgument: ExpressibleByArgument, Hashable {
    /// Minutes after local midnight; nil for none.
    let minutes: UInt32?

    init?(argument: String) {
        if argument == "none" {
            minutes = nil
            return
        }
        guard let parts = argument.wholeMatch(of: /(\d{1,2})[:.](\d{2})/),
            let hour = UInt32(parts.1), let minute = UInt32(parts.2), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }
}

/// A kind of answer as it is typed.
enum AnswerArgument: String, ExpressibleByArgument, CaseIterable {
    case number
    case choice
    case text
    case signature
    case photo
    case none

    var kind: AnswerKind {
        switch self {
        case .number: .number
        case .choice: .choice
        case .text: .text
        case .signature: .signature
        case .photo: .photo
        case .none: .unspecified
        }
    }
}

/// A number with a sign as it is typed: `4.5`, `-18`; with up to three decimals.
struct SignedFigure: ExpressibleByArgument, Hashable {
    /// The number in thousandths.
    let thousandths: Int64

    init?(argument: String) {
        guard let read = Thousandths.read(argument) else { return nil }
        thousandths = read
    }
}
