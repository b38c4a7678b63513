import ActionLibrary
import Messages
import Phrases

/// The names of actions and of the parts of a day, in each language.
extension RoutineAction {
    /// Returns the name in a language, or the emoji if there is no name.
    package func title(in language: Language) -> String {
        guard name.isEmpty else { return name }
        return LibraryAction.ofKey(library)?.name(in: language) ?? emoji
    }

    /// Returns the name for a text that can be rendered in any language.
    package func said<Key>() -> Said<Key>.Value {
        if name.isEmpty, let action = LibraryAction.ofKey(library) { return .action(action.phrase) }
        return .text(name.isEmpty ? emoji : name)
    }
}

extension DayItem {
    /// Whether the item has a fixed time.
    package var isAppointment: Bool { routine.isEmpty }

    /// The name, or the emoji if there is no name.
    package var title: String { name.isEmpty ? emoji : name }
}
