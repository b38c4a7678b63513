import Foundation
import Messages

/// The rules for the fields of a to-do.
extension AddTodo {
    /// Refuses a to-do that says nothing, texts that are too long, and an impossible number.
    package func validateTexts() throws(Refusal) {
        try validateText(title, "a to-do's title", 1...200)
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw Refusal.invalid("a to-do's title is missing: say what to do")
                .because(.textMissing)
        }
        try validateText(section, "a section's name", 0...80)
        try validateText(area, "an area", 1...60)
        try validateText(note, "a note", 0...1_000)
        try validateText(assignee, "the name of who is to do it", 0...80)
        try Photo.validate(photos, "the to-do")
        guard number == 0 || (TodoNumbers.first...TodoNumbers.highest).contains(number) else {
            throw Refusal.invalid(
                "a to-do's number is \(TodoNumbers.first) to \(TodoNumbers.highest), not \(number)"
            ).because(.operationUnknown)
        }
    }

    /// Refuses an area or a priority that the site doesn't have.
    ///
    /// - Parameters:
    ///   - settings: the settings of the site.
    ///   - areas: its areas; empty when they aren't known.
    package func validatePlace(
        in settings: SiteSettings, areas: [String]
    ) throws(Refusal) {
        guard areas.isEmpty || areas.contains(area) else {
            throw Refusal.invalid(
                "the area “\(area)” isn't one of the site's: " + areas.joined(separator: ", ")
            ).because(.todoArea)
        }
        try settings.validate(priority: priority)
    }
}

extension ChangeTodo {
    /// Refuses a change that says nothing, and one that the site can't have.
    package func validate(in settings: SiteSettings) throws(Refusal) {
        guard assignee != nil || due != 0 || neverDue || !priority.isEmpty else {
            throw Refusal.invalid("say what changes: who does it, when it is due, or how soon")
                .because(.todoUnchanged)
        }
        guard due == 0 || !neverDue else {
            throw Refusal.invalid("a to-do has a due time or none").because(.operationUnknown)
        }
        try validateText(assignee ?? "", "the name of who is to do it", 0...80)
        if !priority.isEmpty { try settings.validate(priority: priority) }
    }
}

extension SiteSettings {
    /// Refuses a priority that the site doesn't have.
    func validate(priority: String) throws(Refusal) {
        let names = priorities.map(\.name)
        guard names.contains(priority) else {
            throw Refusal.invalid(
                "the priority “\(priority)” isn't one of the site's: "
                    + names.joined(separator: ", ")
            ).because(.todoPriority)
        }
    }
}
