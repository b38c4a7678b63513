import ActionLibrary
import LocalTime
import Messages

/// The limits of what a person may store.
package enum RoutineLimits {
    /// The maximum number of a person's own actions.
    package static let ownActions = 500
    /// The maximum number of a person's routines, without deleted ones.
    package static let routines = 200
    /// The maximum number of a person's deleted routines that can be restored.
    package static let deletedRoutines = 50
    /// The maximum number of a person's pictures.
    package static let pictures = 200
    /// The maximum number of actions in a routine.
    package static let steps = 40
    /// The maximum number of actions in a day.
    package static let daySteps = 200
    /// The maximum number of routines in a day.
    package static let dayRoutines = 40
    /// The maximum number of appointments in a day.
    package static let appointments = 30
    /// The maximum number of days that a day can be planned ahead.
    package static let daysAhead: Int64 = 366
    /// The maximum number of a person's templates.
    package static let templates = 50
    /// The allowed minutes of an action.
    package static let minutes: ClosedRange<UInt32> = 1...480
    /// The minutes of an action for which none are given.
    package static let usualMinutes: UInt32 = 10
    /// The priority of an action for which none is given.
    package static let usualPriority: UInt32 = 3
}

/// When a routine with a tag is done, if the routine itself has no time.
package struct TagTime: Hashable, Sendable {
    /// Minutes after midnight.
    package let from: UInt32
    package let until: UInt32

    /// The tags that stand for a time of the day, in the languages of Steward.
    private static let known: [String: TagTime] = {
        let named: [([String], TagTime)] = [
            (["morning", "morgen", "morgon"], TagTime(from: 300, until: 660)),
            (["forenoon", "formiddag", "förmiddag"], TagTime(from: 480, until: 720)),
            (["noon", "midday", "midt på dagen", "mitt på dagen"], TagTime(from: 660, until: 840)),
            (["afternoon", "ettermiddag", "eftermiddag"], TagTime(from: 720, until: 1_080)),
            (["evening", "kveld", "kväll"], TagTime(from: 1_020, until: 1_320)),
            (["night", "natt"], TagTime(from: 1_140, until: 1_440)),
        ]
        return Dictionary(
            named.flatMap { names, time in names.map { ($0, time) } },
            uniquingKeysWith: { first, _ in first })
    }()

    /// Returns the time of the first of these tags that stands for one, or else the whole day.
    package static func of(_ tags: [String]) -> TagTime {
        tags.lazy.compactMap { known[$0] }.first ?? TagTime(from: 0, until: 1_440)
    }
}

extension RoutineAction {
    /// Returns the action as it is stored. Missing values come from the person's own action or the
    /// library action of that name, or else are the usual ones.
    ///
    /// - Parameter own: returns the person's own action of a name.
    /// - Throws: a refusal that names what is missing.
    package func resolved(own: (String) throws -> RoutineAction?) throws -> RoutineAction {
        var action = self
        action.name = Self.tidied(name)
        action.emoji = Self.tidied(emoji)
        if action.library.isEmpty, !action.name.isEmpty {
            if let found = try own(action.name) {
                action.name = found.name
                action = action.completed(by: found)
            } else if let found = LibraryAction.named(action.name) {
                (action.library, action.name) = (found.key, "")
            }
        }
        if !action.library.isEmpty {
            guard let found = LibraryAction.ofKey(action.library) else {
                throw Refusal.notFound(
                    "no action with the key “\(library.prefix(60))” comes with Steward")
            }
            if action.emoji.isEmpty { action.emoji = found.emoji }
            if action.minutes == 0 { action.minutes = UInt32(found.minutes) }
        }
        return try action.checked()
    }

    /// Returns the action with its missing values taken from another.
    package func completed(by other: RoutineAction?) -> RoutineAction {
        guard let other else { return self }
        var action = self
        if action.emoji.isEmpty { action.emoji = other.emoji }
        if action.minutes == 0 { action.minutes = other.minutes }
        if action.priority == 0 { action.priority = other.priority }
        if action.picture.isEmpty { action.picture = other.picture }
        return action
    }

    /// Returns the action with the usual values where none are given.
    ///
    /// - Throws: a refusal if a value is invalid.
    package func checked() throws(Refusal) -> RoutineAction {
        var action = self
        action.name = Self.tidied(name)
        action.emoji = Self.tidied(emoji)
        guard !action.name.isEmpty || !action.emoji.isEmpty || !library.isEmpty else {
            throw .invalid("an action needs a name, an emoji, or both")
        }
        try validateText(action.name, "the name of an action", 0...80)
        try action.emoji.validateEmoji("the emoji of an action")
        if action.minutes == 0 { action.minutes = RoutineLimits.usualMinutes }
        if action.priority == 0 { action.priority = RoutineLimits.usualPriority }
        guard RoutineLimits.minutes.contains(action.minutes) else {
            throw .invalid("an action takes 1 to 480 minutes, not \(action.minutes)")
        }
        guard (1...5).contains(action.priority) else {
            throw .invalid("the priority is 1, the least, to 5, not \(action.priority)")
        }
        return action
    }

    /// Returns a text as it is stored, with accented letters in composed form.
    package static func tidied(_ text: String) -> String { text.tidied }
}

extension Routine {
    /// Returns the routine as it is stored: with its actions resolved and its window set.
    ///
    /// - Parameter own: returns the person's own action of a name.
    /// - Throws: a refusal that says what is wrong and how to fix it.
    package func tidied(own: (String) throws -> RoutineAction?) throws -> Routine {
        var routine = self
        routine.name = name.tidied
        routine.emoji = emoji.tidied
        routine.description = description.tidied
        guard !routine.name.isEmpty || !routine.emoji.isEmpty else {
            throw Refusal.invalid("the routine needs a name, in words or as an emoji")
        }
        if routine.name.isEmpty { (routine.name, routine.emoji) = (routine.emoji, "") }
        try validateText(routine.name, "the name of a routine", 1...80)
        try routine.emoji.validateEmoji("the emoji of a routine")
        try validateText(routine.description, "the description of a routine", 0...1_000)
        guard !actions.isEmpty else {
            throw Refusal.invalid("the routine has no action; give it at least one")
        }
        guard actions.count <= RoutineLimits.steps else {
            throw Refusal.invalid("a routine has at most \(RoutineLimits.steps) actions")
        }
        routine.actions = try actions.map { try $0.resolved(own: own) }
        routine.tags = try tags.tidiedTags()
        if from == 0, until == 0 {
            let time = TagTime.of(routine.tags)
            (routine.from, routine.until) = (time.from, time.until)
        }
        guard routine.until <= 1_440, routine.from < routine.until else {
            throw Refusal.invalid("the time for a routine ends after it begins, within one day")
        }
        return routine
    }
}

extension Appointment {
    /// Returns the appointment as it is stored.
    ///
    /// - Throws: a refusal that says what is wrong and how to fix it.
    package func tidied() throws(Refusal) -> Appointment {
        var appointment = self
        appointment.name = name.tidied
        appointment.emoji = emoji.tidied
        guard !appointment.name.isEmpty || !appointment.emoji.isEmpty else {
            throw .invalid("an appointment needs a name, in words or as an emoji")
        }
        try validateText(appointment.name, "the name of an appointment", 0...80)
        try appointment.emoji.validateEmoji("the emoji of an appointment")
        guard from < 1_440, until <= 1_440 else {
            throw .invalid("an appointment lies within one day, 00:00 to 24:00")
        }
        guard from < until else {
            let clock = { (minutes: UInt32) in LocalTime.text(minutes: Int(minutes)) }
            let when = from == until ? "as soon as it begins" : "before it begins at \(clock(from))"
            throw .invalid(
                "the appointment “\(appointment.name)” ends at \(clock(until)), \(when); give an "
                    + "end after the beginning")
        }
        guard preparation <= 240 else {
            throw .invalid("at most 240 minutes are kept free before an appointment")
        }
        return appointment
    }
}

extension [String] {
    /// Returns the tags as they are stored: in lower case and without duplicates.
    ///
    /// - Throws: a refusal if there are too many or one is too long.
    package func tidiedTags() throws(Refusal) -> [String] {
        var tags: [String] = []
        for tag in map({ $0.tidied.lowercased() }) where !tags.contains(tag) {
            try validateText(tag, "a tag", 1...40)
            tags.append(tag)
            guard tags.count <= 10 else { throw .invalid("at most 10 tags") }
        }
        return tags
    }
}

extension String {
    /// The text without white space at its ends, with accented letters in composed form.
    package var tidied: String {
        // A text beyond every limit is refused by the check that follows, so it isn't normalised.
        guard utf8.count <= 16_000 else { return self }
        return trimmed.precomposed
    }

    /// Refuses a text that is neither empty nor a few emoji.
    func validateEmoji(_ what: String) throws(Refusal) {
        try validateText(self, what, 0...4)
        guard allSatisfy({ $0.unicodeScalars.contains { $0.properties.isEmoji && !$0.isASCII } })
        else { throw .invalid("\(what) is an emoji, such as 🪥, not “\(prefix(20))”") }
    }
}
