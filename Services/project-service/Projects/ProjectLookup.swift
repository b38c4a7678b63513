import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

extension Access {
    /// Everyone with a role in the organisation of the projects or at one of its sites, except
    /// displays. An account without any role may be a stranger who has just signed up.
    static let member = Access.role(minimum: .crew, at: .site)
    /// Everyone who leads others: they create and delete projects.
    static let lead = Access.role(minimum: .shiftManager, at: .site)
}

extension Transaction {
    /// The project with an identifier, a name or an id, or the only one whose id begins with the
    /// text.
    ///
    /// - Throws: a `Refusal`; it is the same for a project of another organisation and for an
    ///   unknown one.
    func project(_ reference: String) throws -> ProjectRow {
        guard !reference.isEmpty else { throw Refusal.invalid("name the project") }
        if let row = try ProjectRow.ofID(reference, db),
            principal.scope.includes(row.project.organisation)
        {
            return row
        }
        for found in [
            try ProjectRow.identified(reference, of: principal.scope, db),
            try ProjectRow.named(reference, of: principal.scope, db),
        ] {
            let own = found.filter { $0.project.organisation == principal.organisation }
            guard let row = own.first ?? found.first else { continue }
            guard own.count == 1 || found.count == 1 else {
                throw Refusal.conflict(
                    "several projects are called “\(reference.prefix(100))”; give the identifier "
                        + "or the id of one")
            }
            return row
        }
        guard reference.utf8.count >= TypedID.shortest else { throw Refusal.noProject(reference) }
        let found = try ProjectRow.matching(
            TypedID(reference, of: "project"), of: principal.scope, db)
        guard let row = found.first else { throw Refusal.noProject(reference) }
        guard found.count == 1 else {
            throw Refusal.conflict(
                "several projects begin with \(reference.prefix(100)); give more of the id")
        }
        return row
    }
}

extension ProjectRow {
    /// The project with everything in it.
    func record(_ transaction: Transaction) throws -> ProjectRecord {
        if let record = OpenProjects.shared.record(of: self) { return record }
        let record = try ItemStore.record(of: project.id, project.details(), transaction.db)
        OpenProjects.shared.put(record, of: project.id, mark: mark)
        return record
    }

    /// The project with what can be read of it, for its alerts: a damaged thing holds up no other.
    /// That something can't be read is reported, once for all of it.
    ///
    /// - Returns: the project, and whether all of it could be read.
    func salvaged(_ transaction: Transaction) throws -> (record: ProjectRecord, isWhole: Bool) {
        let whole = try transaction.readable("project") { try record(transaction) }
        if let whole { return (whole, true) }
        return (try ItemStore.salvaged(of: project.id, project.details(), transaction.db), false)
    }

    /// Updates the summary of a project from its present state, to which the person with a name
    /// has brought it.
    mutating func update(from record: ProjectRecord, by name: String, in transaction: Transaction) {
        project.put(record.details)
        project.issues = UInt32(clamping: record.issues.count)
        let closed = Set(record.details.statuses.filter(\.isClosed).map(\.name))
        let open = record.issues.values.reduce(0) { $0 + (closed.contains($1.status) ? 0 : 1) }
        project.open = UInt32(clamping: open)
        project.revision += 1
        project.changed = transaction.now
        project.changedBy = name
        mark = "\(transaction.id)"
    }

    /// Refuses an identifier that another project of the organisation has.
    func requireFree(_ transaction: Transaction) throws {
        let others = try ProjectRow.identified(
            project.identifier, of: .one(project.organisation), transaction.db)
        guard others.allSatisfy({ $0.project.id == project.id }) else {
            throw Refusal.conflict(
                "there is a project “\(project.identifier)” already; choose another identifier")
        }
    }
}

extension Project {
    /// The project without what a list doesn't need.
    var listed: Project {
        var project = self
        project.description = ""
        project.calendar = nil
        return project
    }
}

extension Refusal {
    /// The refusal if there is no such project, or none that the asker may know of.
    static func noProject(_ reference: String) -> Refusal {
        .notFound(
            "there is no project “\(reference.prefix(100))” in your organisation; see steward "
                + "project list"
        ).because(.projectMissing, of: reference)
    }
}
