import Messages
import Phrases
import Speech

extension Words<ScreenPhrase> {
    /// The text of a screen about an operation that the service refused.
    func notTakenIn(_ refusal: Refusal) -> String {
        say(.notTakenIn, ["reason": text(of: refusal)])
    }

    /// The text of a screen about an operation that was set aside because the service couldn't read
    /// it.
    func setAside(_ title: String, _ refusal: Refusal) -> String {
        say(
            .setAside,
            [
                "title": title.printable, "reason": text(of: refusal),
                "command": "steward shift refused",
            ])
    }

    /// The text of a refusal: in English the sentence of the service, which names what it is about;
    /// else the phrase for its reason, the same as on pages unless that phrase mentions the page.
    package func text(of refusal: Refusal) -> String {
        guard language != .english else { return refusal.typedMessage.printable }
        let own = say(family: "refusal", refusal.reason)
        return (own ?? Words<WebPhrase>(language).text(of: refusal)).printable
    }
}

extension Refusal {
    /// What people call the message that a field belongs to. For other messages, which are
    /// commands, only the field is named.
    private static let owners = [
        "project.Project": "the project", "project.IssueStatus": "a status",
        "project.TrackedIssue": "the issue", "project.IssueLink": "the relation",
        "project.TeamMember": "the person", "project.ProjectVersion": "the version",
        "project.WorkedTime": "the time worked", "project.PlanBaseline": "the baseline",
        "project.SpecialDay": "the holiday", "project.WorkAbsence": "the absence",
        "project.ProjectMeeting": "the meeting", "project.MeetingGuest": "a guest",
        "project.IssueFilter": "the filter",
    ]
    /// Fields that people call something else.
    private static let fields = ["done": "share done", "due": "due date", "mail": "mail address"]

    /// The sentence in the words of the command line: a field beyond its limit is named in full
    /// only for programs.
    package var typedMessage: String {
        guard isBecause(.fieldLimit), !subject.isEmpty,
            let place = message.firstRange(of: subject)
        else { return message }
        let rest = message[place.upperBound...]
        // “has 60 items”, not “have”.
        let list = rest.contains(" items;") ? "the list of " : "the "
        return list + Self.words(ofField: subject) + rest
    }

    /// A field named in full, `project.TrackedIssue.due`, as people call it.
    private static func words(ofField field: String) -> String {
        let parts = field.split(separator: ".").map(String.init)
        let name = parts.last ?? field
        let words = fields[name] ?? name.split(separator: "_").joined(separator: " ")
        let owner = owners[parts.dropLast().joined(separator: ".")]
        return words + (owner.map { " of \($0)" } ?? "")
    }
}
