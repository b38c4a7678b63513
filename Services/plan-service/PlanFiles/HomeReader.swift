import FloorPlan
import Messages

/// Reads a home of Sweet Home 3D.
struct HomeReader {
    private var draft: PlanDraft

    init(_ root: XMLNode, _ draft: PlanDraft) throws(Refusal) { self.draft = draft }

    mutating func take(_ child: XMLNode) throws(Refusal) {}

    func finished() throws(Refusal) -> ImportedPlan { try draft.finished() }
}
