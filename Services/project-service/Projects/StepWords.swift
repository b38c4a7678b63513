import Messages
import ProjectRecord

/// What was done in a step, in words for the history of a project.
enum StepWords {
    /// How many things in a step are named.
    static let most = 3

    /// The words of changes as one sentence.
    static func sentence(of changes: [ProjectChange]) -> String {
        let shown = changes.prefix(most).map(words).joined(separator: ", ")
        return changes.count > most ? "\(shown), and \(changes.count - most) more" : shown
    }

    private static func words(_ change: ProjectChange) -> String {
        guard let item = change.after ?? change.before else { return "" }
        let verb = change.before == nil ? "added" : change.after == nil ? "removed" : "changed"
        return "\(verb) \(name(of: item))"
    }

    private static func name(of item: ProjectItem) -> String {
        switch item {
        case .details: "the project"
        case .issue(let issue): "#\(issue.id) “\(issue.subject.prefix(bytes: 240))”"
        case .relation(let relation):
            "#\(relation.from) \(relation.kind.rawValue) #\(relation.to)"
        case .member(let member): member.name
        case .version(let version): "the version \(version.name)"
        case .entry(let entry): "time on #\(entry.issue)"
        case .baseline(let kept): "the baseline \(kept.baseline.name)"
        }
    }
}
