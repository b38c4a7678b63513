import Messages
import ProjectNetwork

extension ProjectEditor {
    /// Stores things as another server has them, and removes others. Nothing moves because of it:
    /// the other server has already moved what follows.
    ///
    /// - Throws: a refusal that names what contradicts the rest of the project.
    mutating func mirror(
        _ items: [ProjectItem], removed: [ProjectItem.Key]
    ) throws(Refusal) {
        for key in removed where record[key] != nil {
            try remove(key.kind, key.id, key.kind.rawValue)
        }
        for item in items {
            switch item {
            case .details(let details): try details.validate()
            case .issue(let issue): try issue.validate()
            case .member(let member): try member.validate()
            case .version(let version): try version.validate()
            case .entry(let entry): try entry.validate()
            case .relation, .baseline: break
            }
            put(item)
        }
        guard record.issues.count <= ProjectLimits.issues,
            record.relations.count <= ProjectLimits.relations,
            record.members.count <= ProjectLimits.members,
            record.versions.count <= ProjectLimits.versions,
            record.entries.count <= ProjectLimits.entries
        else {
            throw .conflict(
                "it would have more than \(ProjectLimits.issues) issues, "
                    + "\(ProjectLimits.relations) relations, \(ProjectLimits.members) people, "
                    + "\(ProjectLimits.versions) versions or \(ProjectLimits.entries) entries of "
                    + "time worked")
        }
        try mendReferences(of: items)
        try deriveWholes()
    }

    /// Empties references to things that no longer exist.
    private mutating func mendReferences(of items: [ProjectItem]) throws(Refusal) {
        for relation in record.relations.values.sorted(by: { $0.id < $1.id })
        where record.issues[relation.from] == nil || record.issues[relation.to] == nil {
            try remove(.relation, relation.id, "relation")
        }
        for var issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            guard let parent = issue.parent, record.issues[parent] == nil else { continue }
            issue.parent = nil
            put(.issue(issue))
        }
        for item in items {
            guard case .issue(let issue) = item, let present = record.issues[issue.id] else {
                continue
            }
            try validate(present)
        }
    }
}
