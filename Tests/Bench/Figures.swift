import Foundation

/// A measured figure, with a reference measured in the same run.
struct Figure: Codable {
    let name: String
    let value: Double
    let unit: String
    /// The name of the reference; nil if there is none.
    var reference: String?
    var referenceValue: Double?
    var ratio: Double?
    /// The goal in words, e.g. `<= 2.5x`.
    var goal: String?
    var met: Bool?
}

/// The goal of a figure.
enum Goal {
    case none
    /// At most this value.
    case atMost(Double)
    /// At least this value.
    case atLeast(Double)
    /// At most this many times the reference.
    case atMostTimes(Double)
    /// At least this many times the reference.
    case atLeastTimes(Double)
}

/// The figures of a run, printed as they come and written to a file at the end.
struct Figures {
    private(set) var all: [Figure] = []

    mutating func add(
        _ name: String, _ value: Double, _ unit: String, goal: Goal = .none,
        reference: (name: String, value: Double)? = nil
    ) {
        var figure = Figure(name: name, value: value, unit: unit)
        figure.reference = reference?.name
        figure.referenceValue = reference?.value
        let ratio = reference.map { value / $0.value }
        figure.ratio = ratio
        (figure.goal, figure.met) =
            switch goal {
            case .none: (nil, nil)
            case .atMost(let limit): ("<= \(short(limit)) \(unit)", value <= limit)
            case .atLeast(let limit): (">= \(short(limit)) \(unit)", value >= limit)
            case .atMostTimes(let limit): ("<= \(short(limit))x", ratio.map { $0 <= limit })
            case .atLeastTimes(let limit): (">= \(short(limit))x", ratio.map { $0 >= limit })
            }
        all.append(figure)
        print(line(figure))
        fflush(nil)
    }

    static let header =
        pad("figure", 52) + pad("value", 16, right: true) + "  " + pad("reference", 44)
        + pad("ratio", 8, right: true) + "  " + pad("goal", 18) + "met"

    private func line(_ figure: Figure) -> String {
        let reference = figure.reference.map {
            "\(short(figure.referenceValue ?? 0)) \($0)"
        }
        return pad(figure.name, 52) + pad("\(short(figure.value)) \(figure.unit)", 16, right: true)
            + "  " + pad(reference ?? "", 44)
            + pad(figure.ratio.map { String(format: "%.2f", $0) } ?? "", 8, right: true) + "  "
            + pad(figure.goal ?? "", 18) + (figure.met.map { $0 ? "yes" : "NO" } ?? "")
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(all).write(to: URL(filePath: path))
    }
}

private func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(1, width - text.count))
    return right ? blanks + text : text + blanks
}

/// A number for people: with three significant digits.
func short(_ value: Double) -> String {
    if value >= 1000 { return String(Int(value.rounded())) }
    return String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
}

/// The times of repetitions of one operation, in microseconds.
struct Samples {
    private var values: [Double] = []

    mutating func add(_ duration: Duration) { values.append(duration / .microseconds(1)) }

    /// The value that a fraction of the samples, 0 to 1, does not exceed.
    func percentile(_ share: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        return values.sorted()[min(values.count - 1, Int(Double(values.count) * share))]
    }
}
