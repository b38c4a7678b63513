import Foundation
import TestSupport

/// The contents of both sides at the time of a comparison.
struct SidesSeen {
    /// What `issue show` prints for each issue here.
    let sheets: [[String: Any]]
    /// The time entries here.
    let times: [[String: Any]]
    let issuesThere: [[String: Any]]
    let timesThere: [[String: Any]]

    /// The issue on a sheet.
    static func issue(_ sheet: [String: Any]) -> [String: Any] {
        (sheet["issue"] as? [String: Any])?["issue"] as? [String: Any] ?? [:]
    }
}

/// The contents of both sides as lines that can be compared.
extension MirroredSides {
    func look() throws -> SidesSeen {
        let numbers = try user.rows("issue list --state all --limit 1000").compactMap {
            ($0["issue"] as? [String: Any])?["number"] as? Int
        }
        return SidesSeen(
            sheets: try numbers.map { try user.answer("issue show \($0) --limit 500") },
            times: try user.rows("time list --limit 500"), issuesThere: try issuesThere(),
            timesThere: try redmine.times())
    }

    /// The lines that only one side has.
    func differences(_ seen: SidesSeen) -> [String] {
        let (here, there) = (Set(linesHere(seen)), Set(linesThere(seen)))
        return here.subtracting(there).map { "here: \($0)" }.sorted()
            + there.subtracting(here).map { "there: \($0)" }.sorted()
    }

    /// The marks that several issues, or several time entries, of one side have.
    func twice(_ seen: SidesSeen) -> [String] {
        let here = seen.sheets.map { "here \(SidesSeen.issue($0)["description"] ?? "")" }
        let there = seen.issuesThere.map { "there \($0["description"] ?? "")" }
        let times = seen.timesThere.map { "time there \($0["comments"] ?? "")" }
        let own = seen.times.map {
            "time here \(($0["time"] as? [String: Any])?["comment"] ?? "")"
        }
        return Dictionary(grouping: here + there + times + own) { $0 }
            .filter { $0.value.count > 1 }.keys.sorted()
    }

    private func linesHere(_ seen: SidesSeen) -> [String] {
        var lines: [String] = []
        for contents in seen.sheets {
            let listed = contents["issue"] as? [String: Any] ?? [:]
            let issue = SidesSeen.issue(contents)
            let others = (contents["others"] as? [[String: Any]] ?? []).compactMap {
                $0["issue"] as? [String: Any]
            }
            func subject(_ number: Int?) -> String {
                let all = others + [issue]
                return all.first { $0["number"] as? Int == number }?["subject"] as? String ?? ""
            }
            lines.append(
                Self.line(
                    issue["description"], issue["subject"], issue["start"], issue["due"],
                    issue["done"] ?? 0, (issue["estimate"] as? Int).map { $0 / 60 },
                    issue["tracker"], issue["status"], issue["priority"] ?? "normal",
                    listed["version"], subject(issue["parent"] as? Int)))
            for relation in contents["relations"] as? [[String: Any]] ?? [] {
                let (from, to) = (relation["from"] as? Int, relation["to"] as? Int)
                lines.append(
                    Self.line(
                        relation["kind"], subject(from), subject(to), relation["delay"] ?? 0))
            }
        }
        for row in seen.times {
            let time = row["time"] as? [String: Any] ?? [:]
            lines.append(
                Self.line(
                    time["comment"], time["date"], (time["minutes"] as? Int).map { $0 / 60 },
                    row["member"]))
        }
        return lines
    }

    private func linesThere(_ seen: SidesSeen) -> [String] {
        let issues = seen.issuesThere
        func name(_ value: Any?) -> String {
            (value as? [String: Any])?["name"] as? String ?? ""
        }
        func subject(_ id: Any?) -> String {
            issues.first { $0["id"] as? Int == id as? Int }?["subject"] as? String ?? ""
        }
        var lines: [String] = []
        for issue in issues {
            lines.append(
                Self.line(
                    issue["description"], issue["subject"], issue["start_date"],
                    issue["due_date"], issue["done_ratio"],
                    (issue["estimated_hours"] as? NSNumber)?.intValue, name(issue["tracker"]),
                    name(issue["status"]), name(issue["priority"]).lowercased(),
                    name(issue["fixed_version"]),
                    subject((issue["parent"] as? [String: Any])?["id"])))
            for relation in issue["relations"] as? [[String: Any]] ?? [] {
                lines.append(
                    Self.line(
                        relation["relation_type"], subject(relation["issue_id"]),
                        subject(relation["issue_to_id"]), relation["delay"] as? Int ?? 0))
            }
        }
        for time in seen.timesThere {
            lines.append(
                Self.line(
                    time["comments"], time["spent_on"], (time["hours"] as? NSNumber)?.intValue,
                    name(time["user"])))
        }
        return lines
    }

    private static func line(_ values: Any?...) -> String {
        values.map { value in
            guard let value, !(value is NSNull) else { return "" }
            return "\(value)"
        }.joined(separator: " | ")
    }

    // MARK: Overwritten values

    /// The subjects that the mirror has overwritten on one side although the other side never knew
    /// them and nobody decided against them.
    func overwritten(_ seen: SidesSeen) throws -> [String] {
        var found: [String] = []
        for contents in seen.sheets {
            let own = SidesSeen.issue(contents)
            let mark = own["description"] as? String ?? ""
            let there = seen.issuesThere.first { $0["description"] as? String == mark }
            guard let id = there?["id"] as? Int else { continue }
            let here = Self.changes(in: contents)
            let server = try changesThere(id)
            let current = own["subject"] as? String ?? ""
            let known = Set(here.flatMap { [$0.before, $0.after] }).union([current])
                .union(hadHere[mark] ?? [])
            let knownThere = Set(server.flatMap { [$0.before, $0.after] }).union([current])
                .union(hadThere[mark] ?? [])
            let allowed = decided[mark] ?? []
            found += server.filter { $0.isMirror && !known.union(allowed).contains($0.before) }
                .map { "\(mark): “\($0.before)” there by “\($0.after)”" }
            found += here.filter { $0.isMirror && !knownThere.union(allowed).contains($0.before) }
                .map { "\(mark): “\($0.before)” here by “\($0.after)”" }
        }
        return found
    }

    /// A change of a subject, and whether the mirror made it.
    private typealias SubjectChange = (before: String, after: String, isMirror: Bool)

    private static func changes(in contents: [String: Any]) -> [SubjectChange] {
        (contents["journal"] as? [[String: Any]] ?? []).flatMap { entry -> [SubjectChange] in
            (entry["fields"] as? [[String: Any]] ?? []).filter {
                $0["field"] as? String == "subject"
            }.map {
                (
                    $0["before"] as? String ?? "", $0["after"] as? String ?? "",
                    entry["by"] as? String == "Redmine"
                )
            }
        }
    }

    /// There, the mirror is ann, and all other edits are bob's.
    private func changesThere(_ issue: Int) throws -> [SubjectChange] {
        let answer = try redmine.ask("GET", "/issues/\(issue).json?include=journals")
        let object =
            try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        let journals = (object?["issue"] as? [String: Any])?["journals"] as? [[String: Any]] ?? []
        return journals.flatMap { entry -> [SubjectChange] in
            (entry["details"] as? [[String: Any]] ?? []).filter {
                $0["name"] as? String == "subject"
            }.map {
                (
                    $0["old_value"] as? String ?? "", $0["new_value"] as? String ?? "",
                    (entry["user"] as? [String: Any])?["name"] as? String == "Ann Ahl"
                )
            }
        }
    }
}
