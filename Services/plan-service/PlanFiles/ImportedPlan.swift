import Messages

/// A plan that was read from a file. Nothing has been kept yet.
package struct ImportedPlan: Hashable, Sendable {
    /// Its name is the file's when the file doesn't say it.
    package var details: PlanDetails
    /// What is in it, in the file's order; all of it keeps the rules of ``FloorPlan/FloorPlan``.
    package var items: [PlanItem]
    /// What a person should know: what was mended, guessed or left out, with its place.
    package var warnings: [String]

    package init(details: PlanDetails, items: [PlanItem], warnings: [String] = []) {
        self.details = details
        self.items = items
        self.warnings = warnings
    }
}
