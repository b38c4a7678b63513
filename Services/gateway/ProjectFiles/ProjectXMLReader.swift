import Dates
import Messages
import XMLText

/// Reads issues from the XML of Microsoft Project (MSPDI), which other programs write too; see
/// https://learn.microsoft.com/office-project/xml-data-interchange.
///
/// Tasks become issues, resources that work become people with their calendars, links from finish
/// to start become relations, and baselines become baselines. What a project can't keep is listed.
struct ProjectXMLReader {
    /// The maximum number of elements in one part of a file, such as that of all tasks.
    private static let mostInOne = 1_000_000
    /// The elements of a file that are read.
    private static let parts: Set = [
        "Tasks", "Resources", "Assignments", "MinutesPerDay", "Calendars", "CalendarUID",
    ]

    private var found = ImportedIssues()
    private var tasks: [XMLNode] = []
    /// The issues that are open in the outline; the next one is a part of the last.
    private var open: [(place: Int, level: Int)] = []
    /// The index of the issue of a task.
    private var places: [String: Int] = [:]
    private var people: [String: UInt32] = [:]
    /// The two ends of each link.
    private var linked: Set<[Int]> = []
    private var minutesPerDay = 480
    private var calendars: ProjectXMLCalendars

    /// The issues of a file.
    ///
    /// - Throws: a refusal that names the line of what can't be read.
    static func read(
        _ bytes: [UInt8], named file: String
    ) throws(Refusal) -> ImportedIssues {
        var root: XMLNode?
        var parts: [XMLNode] = []
        try XMLScanner(
            file: file, mostInOne: mostInOne, begin: { root = $0 },
            take: { node in
                if Self.parts.contains(node.name) { parts.append(node) }
            }
        ).read(bytes)
        do {
            guard let root, root.name == "Project" else {
                throw ProjectFileError(
                    line: root?.line ?? 1, "this isn't a file of MS Project",
                    "save the project as XML there, or give a table, .csv")
            }
            return try ProjectXMLReader(parts).found
        } catch {
            throw .invalid("\(file): \(error)")
        }
    }

    private init(_ parts: [XMLNode]) throws(ProjectFileError) {
        calendars = ProjectXMLCalendars(Self.all("Calendar", of: "Calendars", parts))
        if let calendar = parts.first(where: { $0.name == "CalendarUID" }) {
            found.calendar = try calendars.project(calendar.text.trimmingSpaces)
        }
        if let minutes = parts.first(where: { $0.name == "MinutesPerDay" }),
            let number = Int(minutes.text.trimmingSpaces), (1...1_440).contains(number)
        {
            minutesPerDay = number
        }
        for task in Self.all("Task", of: "Tasks", parts) { try take(task: task) }
        guard !found.issues.isEmpty else {
            throw ProjectFileError("the file has no tasks", "export the whole project")
        }
        for resource in Self.all("Resource", of: "Resources", parts) {
            try take(resource: resource)
        }
        for one in Self.all("Assignment", of: "Assignments", parts) { take(assignment: one) }
        for task in tasks { try link(task) }
        for sentence in calendars.leftOut { found.leaveOut(sentence) }
    }

    /// The children with a name in the parts of another.
    private static func all(_ name: String, of part: String, _ parts: [XMLNode]) -> [XMLNode] {
        parts.filter { $0.name == part }.flatMap(\.children).filter { $0.name == name }
    }

    // MARK: Tasks

    private mutating func take(task node: XMLNode) throws(ProjectFileError) {
        guard node.text(of: "IsNull") != "1" else { return }
        let uid = node.text(of: "UID")
        // The task 0 stands for the project.
        guard uid != "0" else { return }
        guard places[uid] == nil else {
            throw ProjectFileError(
                line: node.line, column: "<UID>", "another task has the number \(uid.shown) too",
                "give each task one of its own")
        }
        let level = try node.number("OutlineLevel", 0...10_000) ?? 1
        while let last = open.last, last.level >= level { open.removeLast() }
        var issue = TrackedIssue(
            number: UInt32(found.issues.count + 1),
            subject: String(node.text(of: "Name").map { $0.isNewline ? " " : $0 }))
        if issue.subject.isEmpty {
            issue.subject = "(no name)"
            found.leaveOut("line \(node.line): the task has no name")
        }
        issue.description = node.text(of: "Notes").replacing("\r\n", with: "\n")
            .replacing("\r", with: "\n")
        if let parent = open.last { issue.parent = found.issues[parent.place].number }
        if node.text(of: "Summary") != "1" {
            issue.start = try day(node, "Start")
            issue.due = try day(node, "Finish")
        }
        issue.milestone = node.text(of: "Milestone") == "1"
        issue.done = UInt32(try node.number("PercentComplete", 0...100) ?? 0)
        issue.priority = Self.priority(try node.number("Priority", 0...1_000) ?? 500)
        issue.estimate = try node.duration("Work").flatMap { $0 == 0 ? nil : UInt32($0) }
        issue.fixed = node.text(of: "Manual") == "1"
        try readConstraint(node, &issue)
        open.append((found.issues.count, level))
        places[uid] = found.issues.count
        tasks.append(node)
        found.issues.append(issue)
        found.lines[issue.number] = node.line
    }

    private func day(
        _ node: XMLNode, _ name: String
    ) throws(ProjectFileError) -> String {
        let text = node.text(of: name)
        guard !text.isEmpty else { return "" }
        guard let day = CivilDate(iso: text.prefix(10)) else {
            throw ProjectFileError(
                line: node.first(name)?.line ?? node.line, column: "<\(name)>",
                "\(text.shown) isn't a date and time", "write it as 2026-03-31T08:00:00")
        }
        return day.iso
    }

    private static func priority(_ number: Int) -> IssuePriority {
        switch number {
        case ..<400: .low
        case ..<600: .normal
        case ..<750: .high
        case ..<900: .urgent
        default: .immediate
        }
    }

    /// A task's constraint in addition to its dates. Only a fixed date can be kept.
    private mutating func readConstraint(
        _ node: XMLNode, _ issue: inout TrackedIssue
    ) throws(ProjectFileError) {
        let name = issue.subject.shown
        switch try node.number("ConstraintType", 0...7) ?? 0 {
        case 2, 3: issue.fixed = true
        // A constraint to begin no sooner than its start is implied by its dates.
        case 4 where node.text(of: "ConstraintDate").hasPrefix(issue.start): break
        case 4, 5, 6, 7:
            found.leaveOut("line \(node.line): \(name) may begin or end only on one side of a day")
        default: break
        }
        if !node.text(of: "Deadline").isEmpty {
            found.leaveOut("line \(node.line): \(name) has a deadline besides its end")
        }
        if node.text(of: "Active") == "0" {
            found.leaveOut("line \(node.line): \(name) isn't active there, and is an issue here")
        }
        for baseline in node.children where baseline.name == "Baseline" {
            let number = try baseline.number("Number", 0...10) ?? 0
            found.keep(
                PlannedDates(
                    issue: issue.number, start: try day(baseline, "Start"),
                    due: try day(baseline, "Finish")), inBaseline: number)
        }
    }

    // MARK: People

    private mutating func take(resource node: XMLNode) throws(ProjectFileError) {
        let name = node.text(of: "Name")
        guard !name.isEmpty, node.text(of: "UID") != "0" else { return }
        guard ["", "1"].contains(node.text(of: "Type")) else {
            return found.leaveOut("line \(node.line): \(name.shown) is material or a cost")
        }
        let number = found.member(name)
        people[node.text(of: "UID")] = number
        if let calendar = try calendars.person(node.text(of: "CalendarUID")),
            let place = found.members.firstIndex(where: { $0.number == number })
        {
            found.members[place].calendar = calendar
        }
        if let units = Double(node.text(of: "MaxUnits")), units.isFinite,
            let place = found.members.firstIndex(where: { $0.number == number })
        {
            found.members[place].share = UInt32(min(max(units * 100, 0), 100).rounded())
        }
    }

    private mutating func take(assignment node: XMLNode) {
        guard let place = places[node.text(of: "TaskUID")],
            let person = people[node.text(of: "ResourceUID")]
        else { return }
        let issue = found.issues[place]
        if issue.assignee == 0 {
            found.issues[place].assignee = person
        } else if issue.assignee != person {
            let name = found.members.first { $0.number == person }?.name ?? ""
            found.leaveOut(
                "line \(node.line): \(name.shown) does \(issue.subject.shown) too, and an issue "
                    + "has one person")
        }
    }

    // MARK: Links

    private mutating func link(_ task: XMLNode) throws(ProjectFileError) {
        guard let to = places[task.text(of: "UID")] else { return }
        for node in task.children where node.name == "PredecessorLink" {
            let uid = node.text(of: "PredecessorUID")
            guard let from = places[uid] else {
                found.leaveOut(
                    "line \(node.line): a link to the task \(uid.shown), not in the file")
                continue
            }
            guard (try node.number("Type", 0...3) ?? 1) == 1 else {
                found.leaveOut(
                    "line \(node.line): a link to \(found.issues[to].subject.shown) that isn't "
                        + "from finish to start")
                continue
            }
            let delay = try delay(node)
            guard from != to, linked.insert([from, to]).inserted else {
                found.leaveOut("line \(node.line): the same link a second time")
                continue
            }
            found.relations.append(
                IssueLink(
                    number: UInt32(found.relations.count + 1), kind: .precedes,
                    from: found.issues[from].number, to: found.issues[to].number, delay: delay))
        }
    }

    /// The working days of a link's lag, which the file has in tenths of minutes.
    private mutating func delay(_ node: XMLNode) throws(ProjectFileError) -> Int32 {
        let limit = 100_000 * minutesPerDay * 10
        guard let lag = try node.number("LinkLag", -limit...limit), lag != 0 else { return 0 }
        // 3 to 12 and, for estimates, 35 to 44 are units of time; the even ones count all hours.
        // The others are shares of the predecessor's length.
        let format = try node.number("LagFormat", 0...60) ?? 7
        guard format <= 12 || (35...44).contains(format) else {
            found.leaveOut("line \(node.line): a lag in percent")
            return 0
        }
        let isElapsed = format.isMultiple(of: 2)
        let perDay = (isElapsed ? 1_440 : minutesPerDay) * 10
        let days = Int((Double(lag) / Double(perDay)).rounded())
        if isElapsed || days * perDay != lag {
            found.leaveOut(
                "line \(node.line): a lag of \(lag / 10) minutes, which became \(days) working days"
            )
        }
        return Int32(clamping: days)
    }
}

extension XMLNode {
    /// The first child with a name.
    func first(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The text of the first child with a name; empty for none.
    func text(of name: String) -> String { first(name)?.text.trimmingSpaces ?? "" }

    /// The whole number in the first child with a name; nil for none.
    func number(
        _ name: String, _ range: ClosedRange<Int>
    ) throws(ProjectFileError) -> Int? {
        let text = text(of: name)
        guard !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ProjectFileError(
                line: first(name)?.line ?? line, column: "<\(name)>",
                "\(text.shown) isn't a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)", "export the project again")
        }
        return number
    }

    /// The minutes of a duration such as `PT16H30M0S` in the first child with a name; nil for none.
    fileprivate func duration(_ name: String) throws(ProjectFileError) -> Int? {
        let text = text(of: name)
        guard !text.isEmpty else { return nil }
        guard let match = text.wholeMatch(of: /P?T?(\d{1,7})H(\d{1,2})M(\d{1,2})(?:\.\d+)?S/),
            let hours = Int(match.1), let minutes = Int(match.2), hours <= 100_000,
            hours * 60 + minutes <= Int(Effort.most)
        else {
            throw ProjectFileError(
                line: first(name)?.line ?? line, column: "<\(name)>",
                "\(text.shown) isn't a duration of up to 100000 hours",
                "write it as PT16H30M0S")
        }
        return hours * 60 + minutes
    }
}
