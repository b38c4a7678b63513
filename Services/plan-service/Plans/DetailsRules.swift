import Foundation
import Messages

/// The rules for a plan's details.
extension PlanDetails {
    /// The maximum tolerance of measures, in millimetres.
    static let largestTolerance: UInt32 = 500

    /// The details in the stored form: trimmed and with normalised letters.
    var tidied: PlanDetails {
        var tidied = self
        tidied.name = name.tidied
        tidied.description = description.tidied
        tidied.address = address.tidied
        tidied.client = client.tidied
        tidied.author = author.tidied
        tidied.authorTitle = authorTitle.tidied
        tidied.assessment = assessment.tidied
        tidied.standards = standards.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return tidied
    }

    /// Refuses invalid details.
    ///
    /// - Parameters:
    ///   - known: the standards that can be checked.
    ///   - isChair: returns whether an id is that of a wheelchair in the plan.
    func validate(known: [String], isChair: (String) throws -> Bool) throws {
        try validateText(name, "the name of a plan", 1...100)
        try validateText(description, "the description", 0...2_000)
        try validateText(address, "the address", 0...300)
        try validateText(client, "the client", 0...100)
        try validateText(author, "the author", 0...100)
        try validateText(authorTitle, "the author's profession", 0...100)
        try validateText(assessment, "the assessment", 0...4_000)
        guard north ?? 0 < 360_000 else {
            throw Refusal.invalid("north is at an angle of 0 to 359.999 degrees")
        }
        guard tolerance <= Self.largestTolerance else {
            throw Refusal.invalid(
                "measures that may be off by \(tolerance) mm are useless; the most is "
                    + "\(Self.largestTolerance)")
        }
        for standard in standards where !known.contains(standard) {
            throw Refusal.notFound(
                "there is no standard “\(standard.prefix(100))”; there are "
                    + known.joined(separator: ", "))
        }
        guard try chair.isEmpty || isChair(chair) else {
            throw Refusal.notFound(
                "the plan has no wheelchair “\(chair.prefix(100))”; add it first, then choose it")
        }
    }
}

extension String {
    /// The text trimmed, with normalised letters.
    fileprivate var tidied: String {
        trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }
}

extension PlanItem {
    /// True for a wheelchair.
    var isWheelchair: Bool {
        guard case .element(let element) = item else { return false }
        return element.kind == .wheelchair
    }
}
