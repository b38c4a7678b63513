import Dates

/// A project as a Redmine server has it.
package struct RemoteProject: Hashable, Sendable {
    package let id: Int
    package let identifier: String
    package let name: String
    package let description: String
    /// Whether it is archived or closed, so that nothing in it can be changed.
    package let isClosed: Bool
    /// The kinds of its issues; empty if they were not requested.
    package let trackers: [RemoteName]
    /// The activities of work on them; empty if they were not requested.
    package let activities: [RemoteName]
}

/// A status that an issue at a Redmine server may have.
package struct RemoteStatus: Hashable, Sendable {
    package let name: RemoteName
    /// Whether nothing is left to do.
    package let isClosed: Bool
}

/// A version as a Redmine server has it.
package struct RemoteVersion: Hashable, Sendable {
    package let name: RemoteName
    package let description: String
    package let due: CivilDate?
    /// Whether it is closed to issues.
    package let isClosed: Bool
    /// When it was made, in seconds since 1970; 0 if the server doesn't say. Some servers reuse the
    /// number of a removed thing for the next one.
    package let created: Int64
}

/// The person who is logged in at a Redmine server.
package struct RemoteUser: Hashable, Sendable {
    package let id: Int
    package let login: String
    /// The key by which the server knows them without a password; empty if it doesn't reveal one.
    package let key: String

    package init(id: Int, login: String, key: String) {
        (self.id, self.login, self.key) = (id, login, key)
    }
}

extension RedmineReader {
    /// The projects of a list.
    package static func projects(_ bytes: [UInt8]) throws(RedmineFault) -> Page<RemoteProject> {
        try page(bytes, "projects") { try $0.project() }
    }

    /// The single project of an answer.
    package static func project(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteProject {
        try one(bytes, "project") { try $0.project() }
    }

    /// The statuses that issues may have.
    package static func statuses(_ bytes: [UInt8]) throws(RedmineFault) -> Page<RemoteStatus> {
        try page(bytes, "issue_statuses") { try $0.status() }
    }

    /// The versions of a project.
    package static func versions(_ bytes: [UInt8]) throws(RedmineFault) -> Page<RemoteVersion> {
        try page(bytes, "versions") { try $0.version() }
    }

    /// The person who is logged in.
    package static func user(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteUser {
        try one(bytes, "user") { try $0.user() }
    }

    private mutating func project() throws -> RemoteProject {
        var id: Int?
        var (identifier, name, description) = ("", "", "")
        var status = 1
        var (trackers, activities): ([RemoteName], [RemoteName]) = ([], [])
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of a project", in: RedmineLimit.ids)
            case "identifier": identifier = try reader.text("the identifier", most: 100)
            case "name": name = try reader.text("the name", most: RedmineLimit.name)
            case "description":
                description = Self.lines(
                    try reader.text("the description", most: RedmineLimit.text))
            case "status": status = try reader.number("the status", in: 0...1_000) ?? 1
            case "trackers":
                try reader.array { reader in
                    if let tracker = try reader.nameOrNull("a tracker") { trackers.append(tracker) }
                }
            case "time_entry_activities":
                try reader.array { reader in
                    if let one = try reader.nameOrNull("an activity") { activities.append(one) }
                }
            default: return false
            }
            return true
        }
        guard let id, !identifier.isEmpty else {
            throw RedmineFault("a project has no number or no identifier")
        }
        return RemoteProject(
            id: id, identifier: identifier, name: name, description: description,
            isClosed: status != 1, trackers: trackers, activities: activities)
    }

    private mutating func status() throws -> RemoteStatus {
        var id: Int?
        var name = ""
        var isClosed = false
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of a status", in: RedmineLimit.ids)
            case "name": name = try reader.text("the name of a status", most: RedmineLimit.name)
            case "is_closed": isClosed = try reader.flag("is_closed")
            default: return false
            }
            return true
        }
        guard let id else { throw RedmineFault("a status has no number") }
        return RemoteStatus(name: RemoteName(id: id, name: name), isClosed: isClosed)
    }

    mutating func version() throws -> RemoteVersion {
        var id: Int?
        var (name, description, status) = ("", "", "")
        var due: CivilDate?
        var created: Int64 = 0
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of a version", in: RedmineLimit.ids)
            case "name": name = try reader.text("the name of a version", most: RedmineLimit.name)
            case "description":
                description = Self.lines(
                    try reader.text("the description", most: RedmineLimit.text))
            case "status": status = try reader.text("the status", most: 100)
            case "due_date": due = try reader.day("the date of a version")
            case "created_on":
                // Versions made by an old server have none.
                let text = try reader.text("the time at which a version was made", most: 40)
                created = RedmineMoment.seconds(text) ?? 0
            default: return false
            }
            return true
        }
        guard let id else { throw RedmineFault("a version has no number") }
        return RemoteVersion(
            name: RemoteName(id: id, name: name), description: description, due: due,
            isClosed: !status.isEmpty && status != "open", created: created)
    }

    private mutating func user() throws -> RemoteUser {
        var id: Int?
        var (login, key) = ("", "")
        try object { reader, name in
            switch name {
            case "id": id = try reader.number("the number of the user", in: RedmineLimit.ids)
            case "login": login = try reader.text("the login", most: RedmineLimit.name)
            case "api_key": key = try reader.text("the key", most: 200)
            default: return false
            }
            return true
        }
        guard let id, !login.isEmpty else {
            throw RedmineFault("the answer doesn't say who is logged in")
        }
        return RemoteUser(id: id, login: login, key: key)
    }
}
