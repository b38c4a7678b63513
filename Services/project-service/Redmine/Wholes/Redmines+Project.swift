import Messages
import ProjectLanguage
import ProjectRecord
import RedmineMirror
import ServiceRuntime

extension Redmines {
    /// Makes the project that is to mirror one of a server, with what of that can be kept here; the
    /// mirror reports the rest. Until somebody changes it here, the server's values count, also
    /// those that are changed there before everything is first read.
    static func makeProject(
        _ identifier: String, like remote: RemoteProject, in transaction: Transaction
    ) throws -> Project {
        var project = Project(
            identifier: identifier, name: remote.name.isEmpty ? remote.identifier : remote.name,
            description: remote.description, trackers: remote.trackers.map(\.name))
        if !isValid(project) { (project.description, project.trackers) = ("", []) }
        if !isValid(project) { project.name = remote.identifier }
        let made = try Projects.create(CreateProject(project: project), in: transaction)
        let whole = RemoteWhole(
            .project, id: remote.id,
            [.name: .text(made.name), .description: RemoteWhole.text(made.description)])
        var links = MirrorLinks()
        links.keep(
            MirrorLinks.Link(
                kind: .project, number: MirrorState.itself, remote: remote.id,
                base: RedmineBody.kept(whole)))
        try MirroredStore.save(links, of: made.id, transaction.db)
        return made
    }

    private static func isValid(_ project: Project) -> Bool {
        do {
            try project.details().validate()
            return true
        } catch { return false }
    }
}
