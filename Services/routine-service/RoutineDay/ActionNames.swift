import ActionLibrary
import Messages
import Phrases

/// What actions and the parts of a day are called in each language.
extension RoutineAction {
    /// What it is called in a language; its emoji when it has no name.
    package func title(in language: Language) -> String {
        guard name.isEmpty else { return name }
        return LibraryAction.ofKey(library)?.name(in: language) ?? emoji
    }

    /// The same, to be said in any language.
    package func said<Key>() -> Said<Key>.Value {
        if name.isEmpty, let action = LibraryAction.ofKey(library) { return .action(action.phrase) }
        return .text(name.isEmpty ? emoji : name)
    }
}

extension DayItem {
    /// True for what has a fixed time.
    package var isAppointment: Bool { routine.isEmpty }

    /// What it is called; its emoji when it has no name.
    package var title: String { name.isEmpty ? emoji : name }
}
