import Messages
import ProjectNetwork

extension ProjectEditor {
    /// Adds items that refer to each other by numbers that apply only among them. Each gets a new
    /// number; a person or a version whose name the project already has is reused. Their dates are
    /// kept: nothing moves because of them.
    ///
    /// - Throws: a refusal that names what can't be added.
    mutating func add(_ items: [ProjectItem]) throws(Refusal) {
        var members: [Int: Int] = [:]
        var versions: [Int: Int] = [:]
        var issues: [Int: Int] = [:]
        // First people, versions and the number of each issue, whatever the order.
        for item in items {
            let isNew: Bool
            switch item {
            case .member(let member):
                isNew = members.updateValue(try numberAdding(member), forKey: member.id) == nil
            case .version(let version):
                isNew = versions.updateValue(try numberAdding(version), forKey: version.id) == nil
            case .issue(let issue):
                let next = record.nextNumber(.issue) + issues.count
                isNew = issues.updateValue(next, forKey: issue.id) == nil
            case .relation, .baseline: isNew = true
            case .details, .entry:
                throw .invalid(
                    "people, versions, issues, relations and baselines can be added together")
            }
            guard isNew else {
                throw .invalid("two things to add have the number \(item.key.id)")
            }
        }
        guard record.issues.count + issues.count <= ProjectLimits.issues else {
            throw .conflict(
                "it would have \(record.issues.count + issues.count) issues, and may have "
                    + "\(ProjectLimits.issues)")
        }
        var added: [ProjectIssue] = []
        for case .issue(var issue) in items {
            issue.id = issues[issue.id] ?? 0
            issue.assignee = try Self.number(issue.assignee, members, "person", issue)
            issue.version = try Self.number(issue.version, versions, "version", issue)
            issue.parent = try Self.number(issue.parent, issues, "issue", issue)
            if issue.span.due == nil, issue.isMilestone { issue.span.due = issue.span.start }
            put(.issue(issue))
            added.append(issue)
        }
        for issue in added {
            do {
                try issue.validate()
                try validate(issue)
            } catch {
                var refusal = error
                refusal.message = "“\(issue.subject.prefix(60))”: \(refusal.message)"
                throw refusal
            }
        }
        for case .relation(var relation) in items {
            guard let from = issues[relation.from], let to = issues[relation.to] else {
                throw .invalid("a relation names an issue that isn't among those to add")
            }
            try ProjectLimits.validate(record.relations.count, ProjectLimits.relations, "relations")
            relation = IssueRelation(
                id: record.nextNumber(.relation), kind: relation.kind, from: from, to: to,
                delay: relation.delay)
            put(.relation(relation))
        }
        for case .baseline(let baseline) in items { try add(baseline, issues) }
        try deriveWholes()
        number = added.first?.id ?? 0
    }

    /// Adds a baseline of added issues, under a name that no other has.
    private mutating func add(_ sent: KeptBaseline, _ issues: [Int: Int]) throws(Refusal) {
        try ProjectLimits.validate(record.baselines.count, ProjectLimits.baselines, "baselines")
        try validateText(sent.baseline.name, "the name of the baseline", 1...50)
        let taken = Set(record.baselines.values.map(\.baseline.name))
        var name = sent.baseline.name
        var count = 1
        while taken.contains(name) {
            count += 1
            name = "\(sent.baseline.name) (\(count))"
        }
        var spans: [Int: Span] = [:]
        for (issue, span) in sent.baseline.spans {
            guard let number = issues[issue] else {
                throw .invalid("a baseline names an issue that isn't among those to add")
            }
            try ProjectLimits.validate(span.start, "the start in a baseline")
            try ProjectLimits.validate(span.due, "the due date in a baseline")
            spans[number] = span
        }
        put(
            .baseline(
                KeptBaseline(
                    id: record.nextNumber(.baseline), baseline: Baseline(name, spans: spans),
                    day: sent.day)))
    }

    /// The number in the project for a number among the added things.
    private static func number(
        _ named: Int?, _ numbers: [Int: Int], _ what: String, _ issue: ProjectIssue
    ) throws(Refusal) -> Int? {
        guard let named else { return nil }
        if let number = numbers[named] { return number }
        throw .invalid(
            "“\(issue.subject.prefix(60))” names the \(what) \(named), which isn't among those to "
                + "add")
    }

    /// The number of the person with a name, who is added if necessary.
    private mutating func numberAdding(_ sent: Member) throws(Refusal) -> Int {
        if let known = record.members.values.first(where: { $0.name == sent.name }) {
            return known.id
        }
        var member = sent
        member.id = 0
        try keep(member)
        return record.lastNumbers[.member] ?? 0
    }

    /// The number of the version with a name, which is added if necessary.
    private mutating func numberAdding(_ sent: Version) throws(Refusal) -> Int {
        if let known = record.versions.values.first(where: { $0.name == sent.name }) {
            return known.id
        }
        var version = sent
        version.id = 0
        try keep(version)
        return record.lastNumbers[.version] ?? 0
    }
}
