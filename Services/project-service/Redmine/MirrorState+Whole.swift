import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineMirror
import WorkCalendar

extension MirrorState {
    /// Takes over the server's trackers and statuses. Others that issues here use are kept.
    mutating func apply(_ found: MirrorNames, _ statuses: [RemoteStatus]) {
        adoptPriorities(of: found)
        names = found
        var details = self.details
        let used = record.issues.values
        details.trackers = Self.joined(
            found.trackers.map(\.name), Set(used.map(\.tracker)), of: details.trackers)
        let states = Self.joined(
            statuses.map(\.name.name), Set(used.map(\.status)), of: details.statuses.map(\.name))
        let closed = Set(statuses.filter(\.isClosed).map(\.name.name))
        let before = details.statuses
        details.statuses = states.map { name in
            let isKnown = statuses.contains { $0.name.name == name }
            let was = before.first { $0.name == name }?.isClosed ?? false
            return ProjectDetails.Status(name, isClosed: isKnown ? closed.contains(name) : was)
        }
        guard details != record.details else { return }
        do {
            try details.validate()
            put(.details(details))
        } catch {
            skipped.append("the trackers and statuses: \(error.message)")
        }
    }

    /// Gives issues the importance that their priorities have among those of the server by now. If
    /// priorities were added, removed or moved there, it would otherwise look as if somebody had
    /// changed all issues here, and that would be written to the server.
    private mutating func adoptPriorities(of found: MirrorNames) {
        guard found.priorities != names.priorities, !names.priorities.isEmpty else { return }
        for link in links.all(.issue) where link.remote > 0 {
            guard let base = link.issue, var issue = issue(link.number),
                issue.priority == names.importance(base.priority.id)
            else { continue }
            let importance = found.importance(base.priority.id)
            guard importance != issue.priority else { continue }
            issue.priority = importance
            put(.issue(issue))
        }
    }

    /// Adds the trackers and statuses of issues that the project doesn't have, as far as it can
    /// keep them: the server may have got them since everything was last read, or have turned a
    /// tracker off for the project. Such a status is open until everything is read.
    mutating func addNames(of issues: [RemoteIssue]) {
        let before = self.details
        var details = before
        var known = (Set(before.trackers), Set(before.statuses.map(\.name)))
        func add(_ change: (inout ProjectDetails) -> Void) {
            var next = details
            change(&next)
            do { try next.validate() } catch { return }
            details = next
        }
        for issue in issues {
            let (tracker, status) = (issue.tracker.name, issue.status.name)
            if known.0.insert(tracker).inserted { add { $0.trackers.append(tracker) } }
            if known.1.insert(status).inserted {
                add { $0.statuses.append(ProjectDetails.Status(status)) }
            }
        }
        if details != before { put(.details(details)) }
    }

    /// Refuses an issue whose tracker or status the project can't keep.
    func requireNames(of issue: ProjectIssue) throws(Refusal) {
        let details = self.details
        guard details.trackers.contains(issue.tracker) else {
            throw .invalid("its tracker, “\(issue.tracker)”, can't be kept here")
        }
        guard details.statuses.contains(where: { $0.name == issue.status }) else {
            throw .invalid("its status, “\(issue.status)”, can't be kept here")
        }
    }

    private static func joined(
        _ found: [String], _ used: Set<String>, of before: [String]
    ) -> [String] {
        var seen: Set<String> = []
        return (found + before.filter { used.contains($0) && !found.contains($0) })
            .filter { seen.insert($0).inserted }
    }

    /// The project's own data, including what was put into it here.
    var details: ProjectDetails {
        if case .details(let details)? = items[ProjectItem.Key(kind: .details, id: 0)] {
            return details
        }
        return record.details
    }

    /// A version, including what was put into it here; nil if it doesn't exist here.
    func ownVersion(_ number: Int) -> Version? {
        let key = ProjectItem.Key(kind: .version, id: number)
        guard !isRemoved(key) else { return nil }
        if case .version(let version)? = items[key] { return version }
        return record.versions[number]
    }

    /// The number here of one of the server's versions, which is added if it isn't known.
    mutating func version(_ name: RemoteName) -> Int {
        links.number(.version, remote: name.id) ?? addVersion(name)
    }

    /// Adds one of the server's versions.
    mutating func addVersion(_ name: RemoteName) -> Int {
        let free = Self.free(name, in: versionNames)
        let number = fresh(.version)
        put(.version(Version(id: number, name: free)))
        links.keep(
            MirrorLinks.Link(kind: .version, number: number, remote: name.id, base: []))
        return number
    }

    /// Adds somebody whom the server knows and we don't.
    mutating func member(_ name: RemoteName) {
        guard links.number(.member, remote: name.id) == nil else { return }
        let free = Self.free(name, in: memberNames)
        let number = fresh(.member)
        put(.member(Member(id: number, name: free, calendar: record.details.calendar)))
        links.keep(MirrorLinks.Link(kind: .member, number: number, remote: name.id, base: []))
    }

    mutating func apply(members: [RemoteName]) { for name in members { member(name) } }

    /// A name that nobody has. It includes the number at the server if the name is taken.
    private static func free(_ name: RemoteName, in taken: Set<String>) -> String {
        var plain = String(name.name.prefix(60))
        do { try validateText(plain, "the name", 1...60) } catch { plain = "\(name.id)" }
        return taken.contains(plain) ? "\(plain.prefix(45)) (\(name.id))" : plain
    }
}
