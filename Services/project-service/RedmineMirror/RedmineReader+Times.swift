import Dates

extension RedmineReader {
    /// The entries of time worked in a list.
    package static func times(_ bytes: [UInt8]) throws(RedmineFault) -> Page<RemoteTime> {
        try page(bytes, "time_entries") { try $0.time() }
    }

    /// The time worked in an answer.
    package static func time(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteTime {
        try one(bytes, "time_entry") { try $0.time() }
    }

    /// The notes of the issue in an answer. Private ones are left out: here everyone could read
    /// them.
    package static func notes(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteNotes {
        try one(bytes, "issue") { reader in
            var updated: Int64?
            var isPrivate = false
            var notes: [RemoteNote] = []
            var skipped: [RedmineFault] = []
            try reader.object { reader, key in
                switch key {
                case "updated_on": updated = try reader.moment("the time of the change")
                case "is_private": isPrivate = try reader.flag("is_private")
                case "journals":
                    try reader.array { reader in
                        // The scanner is a value: a note that can't be stored is skipped from this
                        // copy.
                        let before = reader
                        do {
                            if let note = try reader.note() { notes.append(note) }
                        } catch let fault as RedmineFault {
                            skipped.append(fault)
                            reader = before
                            try reader.scanner.skip()
                        }
                    }
                default: return false
                }
                return true
            }
            guard let updated else { throw RedmineFault("an issue lacks its time of change") }
            return RemoteNotes(
                updated: updated, isPrivate: isPrivate, notes: notes, skipped: skipped)
        }
    }

    /// The activities at the server, the default one first.
    package static func activities(_ bytes: [UInt8]) throws(RedmineFault) -> [RemoteName] {
        let all = try page(bytes, "time_entry_activities") { try $0.activity() }.items
        return (all.filter(\.isUsual) + all.filter { !$0.isUsual }).map(\.name)
    }

    /// Those who work for a project; nil for a group.
    package static func memberships(_ bytes: [UInt8]) throws(RedmineFault) -> Page<RemoteName?> {
        try page(bytes, "memberships") { reader in
            var user: RemoteName?
            try reader.object { reader, key in
                guard key == "user" else { return false }
                user = try reader.nameOrNull("a member")
                return true
            }
            return user
        }
    }

    private mutating func activity() throws -> (name: RemoteName, isUsual: Bool) {
        var id: Int?
        var name = ""
        var isUsual = false
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of an activity", in: RedmineLimit.ids)
            case "name":
                name = try reader.text("the name of an activity", most: RedmineLimit.name)
            case "is_default": isUsual = try reader.flag("is_default")
            default: return false
            }
            return true
        }
        guard let id else { throw RedmineFault("an activity has no number") }
        return (RemoteName(id: id, name: name), isUsual)
    }

    private mutating func time() throws -> RemoteTime {
        var (id, minutes): (Int?, Int?) = (nil, nil)
        var (project, issue, user): (RemoteName?, RemoteName?, RemoteName?) = (nil, nil, nil)
        var day: CivilDate?
        var comment = ""
        var created: Int64?
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of time worked", in: RedmineLimit.ids)
            case "project": project = try reader.nameOrNull("the project of time worked")
            case "issue": issue = try reader.nameOrNull("the issue of time worked")
            case "user": user = try reader.nameOrNull("who has worked")
            case "spent_on": day = try reader.day("the day of time worked")
            case "comments":
                comment = Self.lines(try reader.text("the comment", most: RedmineLimit.text))
            case "hours":
                guard let hours = try reader.decimal("the hours") else { break }
                guard RedmineLimit.hours.contains(hours) else {
                    throw RedmineFault("\(hours) hours were worked")
                }
                minutes = Int((hours * 60).rounded())
            case "created_on":
                created = try reader.moment("the time at which time worked was logged")
            default: return false
            }
            return true
        }
        guard let id else { throw RedmineFault("time worked has no number") }
        guard let project, let user, let day, let minutes else {
            throw RedmineFault(
                "the time worked \(id) lacks its project, its day, its hours or who has worked")
        }
        var time = RemoteTime(
            id: id, project: project.id, issue: issue?.id, user: user, day: day,
            minutes: minutes, comment: comment)
        time.created = created ?? 0
        return time
    }

    /// A note; nil for an entry without one, and for a private one.
    private mutating func note() throws -> RemoteNote? {
        var id: Int?
        var user: RemoteName?
        var text = ""
        var created: Int64?
        var isPrivate = false
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of a note", in: RedmineLimit.ids)
            case "user": user = try reader.nameOrNull("who wrote a note")
            case "notes": text = Self.lines(try reader.text("a note", most: RedmineLimit.text))
            case "created_on": created = try reader.moment("the time of a note")
            case "private_notes": isPrivate = try reader.flag("private_notes")
            default: return false
            }
            return true
        }
        guard !isPrivate, !RemoteNote.plain(text).isEmpty else { return nil }
        guard let id, let created else { throw RedmineFault("a note lacks its number or its time") }
        return RemoteNote(
            id: id, user: user ?? RemoteName(id: 0, name: ""), text: text, created: created)
    }
}
