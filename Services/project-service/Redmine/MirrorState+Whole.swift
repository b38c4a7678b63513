import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineMirror
import WorkCalendar

extension MirrorState {
    /// Takes over the server's trackers and statuses. Others that issues here use are kept.
    mutating func apply(_ found: MirrorNames, _ statuses: [RemoteStatus]) {
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
