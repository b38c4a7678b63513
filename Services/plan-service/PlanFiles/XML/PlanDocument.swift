import Messages

/// A document of XML while it is read: a plan in our shape or BoligApp's, or a home.
enum PlanDocument {
    /// Before its first element.
    case unread(PlanDraft)
    case plan(PlanReader)
    case home(HomeReader)

    /// Takes the root, with its attributes alone.
    mutating func begin(_ root: XMLNode) throws(Refusal) {
        guard case .unread(let draft) = self else { return }
        switch root.name {
        case "plan": self = .plan(try PlanReader(root, draft))
        case "home": self = .home(try HomeReader(root, draft))
        default:
            throw draft.refusal(root.place, "isn't a plan", PlanFile.formats)
        }
    }

    /// Takes a child of the root, with all that is in it.
    mutating func take(_ child: XMLNode) throws(Refusal) {
        switch self {
        case .unread: break
        case .plan(var reader):
            // Let go of the one that is kept, so that nothing is copied.
            self = .unread(PlanDraft())
            try reader.take(child)
            self = .plan(reader)
        case .home(var reader):
            self = .unread(PlanDraft())
            try reader.take(child)
            self = .home(reader)
        }
    }

    /// The plan, when the document has come to its end.
    func finished() throws(Refusal) -> ImportedPlan {
        switch self {
        case .unread(let draft): try draft.finished()
        case .plan(let reader): try reader.finished()
        case .home(let reader): try reader.finished()
        }
    }
}
