import Messages
import ProjectLanguage
import ProjectRecord
import Speech

/// A project in the state in which it was read.
struct ProjectContentsRead {
    /// Its details.
    let project: Project
    /// Its contents; without the time worked, unless that was requested.
    let record: ProjectRecord

    /// Reads a project in as many parts as it has.
    init(_ name: String, _ session: Session, withTime: Bool = false) throws {
        let (project, things) = try Session.parts(\Project.revision) { skip in
            let part = try session.askProject(
                ReadProject(project: name, skip: skip, withoutTime: !withTime),
                for: ProjectContents.self)
            guard let project = part.project else {
                throw Failure(.broken, "the answer has no project in it")
            }
            return (project, part.things, part.next)
        }
        let details = try project.details()
        self.project = project
        record = ProjectRecord(
            kept: details, try things.map { try $0.item(in: details) })
    }

    /// The person with a name or a number.
    ///
    /// - Throws: ``Failure`` that names the existing ones.
    func member(_ named: String) throws -> Member {
        let all = record.members.values.sorted { $0.id < $1.id }
        return try Self.find(named, all, "person", "steward project person add NAME") {
            ($0.id, $0.name)
        }
    }

    /// The version with a name or a number.
    func version(_ named: String) throws -> Version {
        let all = record.versions.values.sorted { $0.id < $1.id }
        return try Self.find(named, all, "version", "steward project version add NAME") {
            ($0.id, $0.name)
        }
    }

    /// The baseline with a name or a number.
    func baseline(_ named: String) throws -> KeptBaseline {
        let all = record.baselines.values.sorted { $0.id < $1.id }
        return try Self.find(named, all, "baseline", "steward project baseline keep NAME") {
            ($0.id, $0.baseline.name)
        }
    }

    /// The issue with a number.
    func issue(_ number: UInt32) throws -> ProjectIssue {
        guard let issue = record.issues[Int(number)] else {
            throw Failure(
                .refused, "\(project.identifier) has no #\(number)",
                advice: "see steward issue list --state all")
        }
        return issue
    }

    /// The one of these names that is typed, perhaps with other capitals; what is typed if there is
    /// none.
    static func name(_ typed: String, among names: [String]) -> String {
        guard !names.contains(typed) else { return typed }
        return names.first { $0.lowercased() == typed.lowercased() } ?? typed
    }

    private static func find<Thing>(
        _ named: String, _ all: [Thing], _ what: String, _ cure: String,
        _ keys: (Thing) -> (number: Int, name: String)
    ) throws -> Thing {
        let wanted = named.lowercased()
        if let exact = all.first(where: { keys($0).name == named }) { return exact }
        if let found = all.first(where: { keys($0).name.lowercased() == wanted }) { return found }
        if let number = Int(named), let found = all.first(where: { keys($0).number == number }) {
            return found
        }
        let names = all.prefix(8).map { keys($0).name }.joined(separator: ", ")
        let rest = all.count > 8 ? " and \(all.count - 8) more" : ""
        throw Failure(
            .refused, "the project has no \(what) “\(named)”",
            advice: names.isEmpty
                ? "add one: \(cure)"
                : all.count == 1 ? "there is only \(names)" : "there are \(names)\(rest)")
    }
}
