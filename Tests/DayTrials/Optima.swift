import DayPlan

/// Optima of trial days that an exact solver proved beforehand, with `prove_optima.py`.
package struct Optimum: Hashable, Sendable {
    package let family: DayFamily
    package let seed: UInt64
    /// The maximum worth of a plan; nil if it was not proved in time.
    package let worth: Int?
    /// The minimum cost of a plan with that worth; nil if it was not proved in time.
    package let cost: Int?

    /// All of them, in the order of the file.
    package static let all: [Optimum] = String(decoding: PackageResources.optima_txt, as: UTF8.self)
        .split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 4, let family = DayFamily(rawValue: String(words[0])),
                let seed = UInt64(words[1])
            else { return nil }
            return Optimum(
                family: family, seed: seed, worth: Int(words[2]), cost: Int(words[3]))
        }
}
