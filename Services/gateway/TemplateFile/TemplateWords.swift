import Messages

/// The words of a template file: its keys, and the names of kinds, day parts and times.
enum TemplateWords {
    static let checklist =
        ["checklist", "titles", "kind", "day-parts", "weekdays", "crew", "sections"] + inherited
    static let section = ["section", "id", "titles", "tasks"] + inherited
    static let task =
        [
            "task", "id", "titles", "note", "at", "general", "time-critical", "security-round",
            "opens", "answer", "unit", "least", "most", "choices", "not-ok", "tasks",
        ] + inherited
    /// The keys that everything inside inherits.
    private static let inherited = ["area", "priority"]

    static let kinds: [(word: String, kind: ListKind)] = [
        ("pre-shift", .preShift), ("before", .before), ("during", .during), ("after", .after),
        ("travel-path", .travelPath),
    ]
    static let dayParts: [(word: String, dayPart: DayPart)] = [
        ("day", .day), ("evening", .evening),
    ]

    /// From Monday on.
    static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    static let crew: [(word: String, may: CrewMay)] = [
        ("nothing", .unspecified), ("tick", .tick), ("inspect", .inspect),
    ]
    static let answers: [(word: String, kind: AnswerKind)] = [
        ("number", .number), ("choice", .choice), ("text", .text), ("signature", .signature),
        ("photo", .photo),
    ]

    /// The minutes after midnight of a time such as `10:15`; nil if it isn't a time.
    static func minutes(_ text: String) -> UInt32? {
        guard let match = text.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/),
            let hour = UInt32(match.1), let minute = UInt32(match.2), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

/// What a task inherits from the task, section or checklist around it.
struct Inherited: Hashable {
    var area = "manager"
    var priority = "during-shift"
}
