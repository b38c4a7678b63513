import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// The time worked. It is logged and corrected by editing the project.
enum WorkedTimes {
    static var handlers: [MessageHandler] { [.query(list, .member)] }

    static func list(_ query: ListTime, in transaction: Transaction) throws -> TimeListed {
        let row = try transaction.project(query.project)
        let record = try row.record(transaction)
        let first = try CivilDate.read(query.first, "the first day")
        let last = try CivilDate.read(query.last, "the last day")
        let issue = Int(query.issue)
        guard issue == 0 || record.issues[issue] != nil else {
            throw Refusal.noIssue(issue, in: row)
        }
        var member: Int?
        if !query.member.isEmpty {
            let wanted = query.member.lowercased()
            member = record.members.values.filter { $0.name.lowercased() == wanted }.map(\.id).min()
            guard member != nil else {
                throw Refusal.notFound(
                    "the project has no person “\(query.member.prefix(bytes: 200))”")
            }
        }
        let found = record.entries.values.filter { entry in
            (issue == 0 || entry.issue == issue) && (member.map { $0 == entry.member } ?? true)
                && (first.map { $0 <= entry.day } ?? true)
                && (last.map { entry.day <= $0 } ?? true)
        }.sorted { ($0.day, $0.id) > ($1.day, $1.id) }
        let limit = pageLimit(query.limit, usual: 50, most: 1_000)
        let wanted = found.dropFirst(Int(query.skip)).prefix(limit)
        let told = wanted.messages(within: 2 * Projects.partBytes) { entry in
            ListedTime(
                time: WorkedTime(entry), subject: record.issues[entry.issue]?.subject ?? "",
                member: record.members[entry.member]?.name ?? "")
        }
        return TimeListed(
            times: told, count: UInt32(clamping: found.count),
            minutes: found.reduce(0) { $0 + UInt64(clamping: $1.minutes) })
    }
}
