/// What ramps have to be like.
package struct RampLimits: Hashable, Sendable, Decodable {
    /// The clause that sets these limits, as it is cited.
    package let clause: String
    /// The least width, in millimetres; 0 if a ramp need only be as wide as its door.
    package let width: UInt32
    /// The slopes that are allowed, each up to a length.
    package let flights: [Flight]
    /// True if a standard has limits of its own, and these were taken because they aren't known.
    package var areAssumed = false

    /// A slope, and the length up to which a ramp may have it.
    package struct Flight: Hashable, Sendable, Decodable {
        /// How long a ramp has to be for each millimetre that it climbs, in millimetres.
        package let oneIn: Double
        /// The greatest length, in millimetres; a landing is needed after it.
        package let upTo: Double

        /// The keys in a standard's file.
        package enum CodingKeys: String, CodingKey, CaseIterable {
            case oneIn = "one-in"
            case upTo = "up-to"
        }
    }

    /// The keys in a standard's file.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case clause, width, flights
    }

    /// TEK17 § 12-16, for standards that say nothing about ramps: 900 mm wide; 1:15, or 1:12 if
    /// shorter than 3 m; a landing for each metre of height. NAV doesn't lend ramps steeper than
    /// 1:12 either (nav.no, “Ta mål for rampe”).
    package static let usual = RampLimits(clause: "TEK17 § 12-16", width: 900, flights: slopes)

    /// The same for a known chair: if a door is wide enough for the chair, so is a ramp as wide as
    /// the door.
    package static let driven = RampLimits(clause: usual.clause, width: 0, flights: slopes)

    private static let slopes = [Flight(oneIn: 12, upTo: 2_999), Flight(oneIn: 15, upTo: 15_000)]

    /// True if a ramp of a length may climb this high, both in millimetres.
    package func allow(_ rise: UInt32, over length: Double) -> Bool {
        // Angles are stored in thousandths of a degree, so a length is exact to a tenth.
        flights.contains { Double(rise) * $0.oneIn <= length + 0.1 && length <= $0.upTo + 0.1 }
    }

    /// The least length of a ramp that climbs this high, in millimetres; nil if none may.
    /// - Parameter length: the minimum length; ignored if no ramp as long as that may climb that
    ///   high.
    package func length(for rise: UInt32, from length: Double = 0) -> UInt32? {
        let lengths = flights.compactMap { flight -> UInt32? in
            let least = max(Double(rise) * flight.oneIn, length).rounded(.up)
            return least <= flight.upTo ? UInt32(least) : nil
        }
        return lengths.min() ?? (length > 0 ? self.length(for: rise) : nil)
    }
}
