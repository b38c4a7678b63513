extension RedmineBody {
    /// Time worked with the given fields.
    ///
    /// - Parameters:
    ///   - values: the fields, in the server's terms.
    ///   - activity: the number of the activity; nil to leave it unchanged.
    package static func time(
        _ values: [RemoteTimeField: RemoteValue], activity: Int? = nil
    ) -> [UInt8] {
        var members = activity.map { ["\"activity_id\":\($0)"] } ?? []
        for field in RemoteTimeField.allCases {
            switch (field, values[field]) {
            case (.issue, .number(let issue)): members.append("\"issue_id\":\(issue)")
            case (.member, .number(let user)): members.append("\"user_id\":\(user)")
            case (.day, .day(let day)): members.append("\"spent_on\":\(quoted(day.iso))")
            case (.minutes, .number(let minutes)): members.append("\"hours\":\(hours(minutes))")
            case (.comment, .text(let text)): members.append("\"comments\":\(quoted(text))")
            case (.comment, .some): members.append("\"comments\":\"\"")
            default: break
            }
        }
        return Array("{\"time_entry\":{\(members.joined(separator: ","))}}".utf8)
    }

    /// Time worked as in an answer of the server, to be stored and read again.
    package static func kept(_ time: RemoteTime) -> [UInt8] {
        let issue = time.issue.map { "\"issue\":{\"id\":\($0)}," } ?? ""
        let created =
            time.created > 0 ? "\"created_on\":\(quoted(RedmineMoment.text(time.created)))," : ""
        return Array(
            ("{\"time_entry\":{\"id\":\(time.id),\"project\":{\"id\":\(time.project)},\(issue)"
                + "\(created)\"user\":{\"id\":\(time.user.id),\"name\":\(quoted(time.user.name))},"
                + "\"spent_on\":\(quoted(time.day.iso)),\"hours\":\(hours(time.minutes)),"
                + "\"comments\":\(quoted(time.comment))}}").utf8)
    }

    /// A note for the journal of an issue.
    package static func note(_ text: String) -> [UInt8] {
        Array("{\"issue\":{\"notes\":\(quoted(text))}}".utf8)
    }
}
