import Messages

/// A plan that was read from a file and isn't saved yet.
package struct ImportedPlan: Hashable, Sendable {
    /// The plan's details; its name is the file's if the file doesn't have one.
    package var details: PlanDetails
    /// The plan's items in the file's order, which satisfy the rules of ``FloorPlan/FloorPlan``.
    package var items: [PlanItem]
    /// Remarks for a person: what was repaired, guessed or left out, with its place.
    package var warnings: [String]

    package init(details: PlanDetails, items: [PlanItem], warnings: [String] = []) {
        self.details = details
        self.items = items
        self.warnings = warnings
    }
}
