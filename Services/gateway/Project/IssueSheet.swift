import Messages
import ProjectFiles
import Speech
import Terminal

/// Issues as a table.
enum IssueTable {
    /// A table of issues.
    ///
    /// - Parameters:
    ///   - issues: the issues, in order.
    ///   - today: open issues that were due before it are late.
    ///   - withProject: whether to show each issue's project.
    static func table(
        of issues: [ListedIssue], today: String, withProject: Bool = false
    ) -> TextTable {
        let project: [TextTable.Column] = withProject ? [.text("PROJECT")] : []
        var table = TextTable(
            project + [
                .number("NO"), .text("SUBJECT"), .text("TRACKER"), .text("STATUS"),
                .text("PRIORITY"),
                .text("ASSIGNEE"), .time("START"), .time("DUE"), .number("DONE"),
            ])
        for listed in issues {
            let issue = listed.issue ?? TrackedIssue()
            let isLate = listed.isLate(today)
            let project: [TextTable.Cell] = withProject ? [.init(listed.project)] : []
            table.add(
                project + [
                    "#\(issue.number)", .init(issue.subject, listed.isClosed ? .dim : nil),
                    .init(issue.tracker), .init(issue.status), .init("\(issue.priority)"),
                    .init(listed.assignee), .init(issue.start),
                    .init(issue.due.isEmpty ? "open" : issue.due + (isLate ? " late" : "")),
                    "\(issue.done) %",
                ])
        }
        return table
    }
}

extension ListedIssue {
    /// Whether it was due before today.
    func isLate(_ today: String) -> Bool {
        guard !isClosed, let due = issue?.due, !due.isEmpty else { return false }
        return due < today
    }
}

extension IssueLink {
    /// Its delay, after what it relates; empty for none.
    var delayWords: String {
        guard delay != 0 else { return "" }
        let days = Wording.count(delay.magnitude, "day")
        return delay > 0 ? ", \(days) in between" : ", overlapping by \(days)"
    }
}

/// An issue as lines on a screen. It is pure.
struct IssueSheet {
    private let contents: IssueContents
    private let clock: SiteClock
    private let today: String

    init(_ contents: IssueContents, clock: SiteClock, today: String) {
        (self.contents, self.clock, self.today) = (contents, clock, today)
    }

    private var listed: ListedIssue { contents.issue ?? ListedIssue() }
    private var issue: TrackedIssue { listed.issue ?? TrackedIssue() }

    /// The lines.
    var lines: [String] {
        var lines = [
            "#\(issue.number) \(issue.subject)  (\(contents.project?.identifier ?? ""))".printable
        ]
        if !issue.description.isEmpty { lines += ["", issue.description.printableLines, ""] }
        for (title, text) in facts where !text.isEmpty {
            lines.append("\(title): \(text.printable)")
        }
        lines += relations + parts
        if !contents.journal.isEmpty { lines.append("") }
        return lines + contents.journal.flatMap(entry)
    }

    private var facts: [(String, String)] {
        let late = listed.isLate(today) ? ", late" : ""
        let start = issue.start.isEmpty ? "not set" : issue.start
        let due = issue.due.isEmpty ? "open" : issue.due + late
        let estimate = issue.estimate.map { Effort.text($0) + " h" } ?? "none"
        return [
            ("tracker", issue.tracker), ("status", issue.status),
            ("priority", "\(issue.priority)"), ("assignee", listed.assignee),
            ("start", start), ("due", due), ("done", "\(issue.done) %"),
            ("estimated", estimate), ("spent", Effort.text(listed.spent) + " h"),
            ("version", listed.version), ("needs", issue.skills.joined(separator: ", ")),
            ("part of", issue.parent == 0 ? "" : name(issue.parent)),
            ("fixed", issue.fixed ? "yes" : ""), ("milestone", issue.milestone ? "yes" : ""),
        ]
    }

    private var relations: [String] {
        contents.relations.map { link in
            let isFirst = link.from == issue.number
            let words: String =
                switch link.kind {
                case .precedes: isFirst ? "precedes" : "follows"
                case .blocks: isFirst ? "blocks" : "blocked by"
                case .duplicates: isFirst ? "duplicates" : "duplicated by"
                case .copied: isFirst ? "copied to" : "copied from"
                default: "related to"
                }
            return "\(words): \(name(isFirst ? link.to : link.from))\(link.delayWords)"
        }
    }

    private var parts: [String] {
        contents.others.filter { $0.issue?.parent == issue.number }.map {
            "part: \(name($0.issue?.number ?? 0))\($0.isClosed ? ", closed" : "")"
        }
    }

    private func name(_ number: UInt32) -> String {
        let subject = contents.others.first { $0.issue?.number == number }?.issue?.subject
        return "#\(number)\(subject.map { " " + $0 } ?? "")".printable
    }

    private func entry(_ entry: IssueEntry) -> [String] {
        let head = "\(clock.moment(entry.time))  \(entry.by.printable)"
        var lines: [String] = []
        if !entry.event.isEmpty { lines.append("\(head)  \(entry.event.printable)") }
        for field in entry.fields {
            let before = field.before.isEmpty ? "nothing" : field.before
            let after = field.after.isEmpty ? "nothing" : field.after
            let why = entry.because == 0 ? "" : ", because of #\(entry.because)"
            lines.append("\(head)  \(field.field): \(before) → \(after)\(why)".printable)
        }
        if !entry.note.isEmpty { lines.append("\(head)  \(entry.note.printableLines)") }
        return lines
    }
}
