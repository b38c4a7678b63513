import FloorPlan
import Messages
import XMLText

/// Puts openings into walls by their places, and resolves conflicts.
///
/// Other programs keep a door as an object apart from the wall, so it may extend slightly beyond
/// the wall's end or its neighbour; a plan's opening never does.
struct OpeningDock {
    /// How much an opening may be cut without a warning, in millimetres.
    private static let unnoticed = 5.0
    /// The fraction of its width that an opening may lose before it is left out.
    private static let mostLost = 0.5

    /// An opening before it has its offset.
    struct Candidate {
        var opening: Opening
        /// The distance of its centre from the wall's start, in millimetres.
        var middle: Double
        /// Its name in warnings.
        let name: String
        let place: FilePlace

        var start: Double { middle - Double(opening.width) / 2 }
        var end: Double { middle + Double(opening.width) / 2 }
        /// Decides which of two openings in the same place is kept: the higher rank.
        var rank: UInt32 { (opening.leafWidth ?? 0) * 4 + opening.width }

        mutating func narrow(from start: Double, to end: Double) {
            var cut = opening
            cut.width = UInt32(max((end - start).rounded(), 0))
            middle = (start + end) / 2
            cut.leafWidth = cut.leafWidth.map { min($0, cut.width) }
            cut = cut.estimated(since: opening)
            cut.clearWidth = cut.clearWidth.map { min($0, cut.width) }
            opening = cut
        }
    }

    private var candidates: [String: [Candidate]] = [:]

    /// Puts an opening into a wall.
    /// - Parameters:
    ///   - name: Its name in warnings.
    ///   - centre: The centre of its hole.
    mutating func dock(
        _ opening: Opening, named name: String, centre: Vector, in wall: Wall,
        at place: FilePlace, _ draft: inout PlanDraft
    ) {
        let middle = (centre - wall.line.start).dot(wall.line.along.unit)
        var candidate = Candidate(
            opening: opening, middle: middle, name: name, place: place)
        candidate.opening.wall = wall.id
        let (start, end) = (max(candidate.start, 0), min(candidate.end, wall.length))
        let lost = Double(opening.width) - (end - start)
        guard end - start >= 1, lost <= Double(opening.width) * Self.mostLost else {
            return draft.warn(
                place, "“\(name)” stands past the end of its wall and was left out")
        }
        if lost > 0 { candidate.narrow(from: start, to: end) }
        if lost > Self.unnoticed {
            draft.warn(
                place,
                "“\(name)” reached \(Int(lost.rounded())) mm past the end of its "
                    + "wall and was cut")
        }
        candidates[wall.id, default: []].append(candidate)
    }

    /// The openings of a wall, from its start; overlapping ones are cut or left out.
    mutating func openings(
        of wall: Wall, _ draft: inout PlanDraft
    ) -> [(opening: Opening, place: FilePlace)] {
        let sorted = (candidates.removeValue(forKey: wall.id) ?? []).sorted {
            ($0.start, $0.end) < ($1.start, $1.end)
        }
        var kept: [Candidate] = []
        for candidate in sorted {
            var candidate = candidate
            var isKept = true
            while let last = kept.last, isKept, last.end > candidate.start {
                if Self.isAbove(last, candidate) { break }
                let common = last.end - candidate.start
                let narrower = Double(min(last.opening.width, candidate.opening.width))
                if common <= narrower * 0.1 {
                    let between = (last.end + candidate.start) / 2
                    kept[kept.count - 1].narrow(from: last.start, to: between)
                    candidate.narrow(from: between, to: candidate.end)
                    warn(last, candidate, common, &draft)
                    break
                }
                let (better, worse) =
                    last.rank >= candidate.rank ? (last, candidate) : (candidate, last)
                draft.warn(
                    worse.place,
                    "“\(worse.name)” stands in the hole of "
                        + "“\(better.name)” and was left out")
                if last.rank >= candidate.rank { isKept = false } else { kept.removeLast() }
            }
            if isKept { kept.append(candidate) }
        }
        return Self.placed(kept, in: wall)
    }

    private func warn(
        _ one: Candidate, _ other: Candidate, _ common: Double, _ draft: inout PlanDraft
    ) {
        guard common > Self.unnoticed else { return }
        draft.warn(
            other.place,
            "“\(other.name)” overlapped “\(one.name)” by "
                + "\(Int(common.rounded())) mm, and both were made narrower")
    }

    private static func isAbove(_ one: Candidate, _ other: Candidate) -> Bool {
        func isBelow(_ low: Opening, _ high: Opening) -> Bool {
            low.height > 0 && low.sill + low.height <= high.sill
        }
        return isBelow(one.opening, other.opening) || isBelow(other.opening, one.opening)
    }

    /// True if a start is less than a millimetre before the end of the previous opening.
    private static func isRoundedInto(_ end: Double, _ start: Double) -> Bool {
        start < end && end - start < 1
    }

    /// Rounds to whole millimetres without causing an overlap.
    private static func placed(
        _ kept: [Candidate], in wall: Wall
    ) -> [(opening: Opening, place: FilePlace)] {
        var free = 0.0
        return kept.map { candidate in
            var opening = candidate.opening
            let offset = max(
                candidate.start.rounded(), Self.isRoundedInto(free, candidate.start) ? free : 0, 0)
            let room = max(wall.length.rounded(.up) - offset, 1)
            opening.offset = UInt32(offset)
            opening.width = UInt32(min(Double(opening.width), room))
            opening.leafWidth = opening.leafWidth.map { min($0, opening.width) }
            free = Double(opening.endOffset)
            return (opening, candidate.place)
        }
    }
}
