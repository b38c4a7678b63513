import Messages
import XMLText

/// An XML document while it is read: a plan in our format or BoligApp's, or a home.
enum PlanDocument {
    /// Before its first element.
    case unread(PlanDraft)
    case plan(PlanReader)
    case home(HomeReader)

    /// Begins with the root, which has only its attributes.
    mutating func begin(_ root: XMLNode) throws(Refusal) {
        guard case .unread(let draft) = self else { return }
        switch root.name {
        case "plan": self = .plan(try PlanReader(root, draft))
        case "home": self = .home(try HomeReader(root, draft))
        default:
            throw draft.refusal(root.place, "isn't a plan", PlanFile.formats)
        }
    }

    /// Reads a child of the root, with all its contents.
    mutating func take(_ child: XMLNode) throws(Refusal) {
        switch self {
        case .unread: break
        case .plan(var reader):
            // Release the stored reader, so that nothing is copied.
            self = .unread(PlanDraft())
            try reader.take(child)
            self = .plan(reader)
        case .home(var reader):
            self = .unread(PlanDraft())
            try reader.take(child)
            self = .home(reader)
        }
    }

    /// The plan, after the end of the document.
    func finished() throws(Refusal) -> ImportedPlan {
        switch self {
        case .unread(let draft): try draft.finished()
        case .plan(let reader): try reader.finished()
        case .home(let reader): try reader.finished()
        }
    }
}
