import Foundation
import TestSupport
import Testing

/// Random edits. Each issue has a mark as its description, and each time entry has one as its
/// comment. No edit changes marks, so the sides are compared by them.
extension MirroredSides {
    /// Runs a command that may be refused, for example because its subject was removed.
    private func say(_ line: String) throws {
        let said = try user.say(line)
        guard [.exited(0), .exited(1), .exited(64)].contains(said.end) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.err)")
        }
    }

    private func word(_ start: String) -> String {
        made += 1
        return "\(start)-\(made)"
    }

    private func day() -> String {
        let day = 1 + seed.below(28)
        return "2083-03-\(day < 10 ? "0" : "")\(day)"
    }

    /// Two days in order.
    private func days() -> (String, String) {
        let pair = [day(), day()].sorted()
        return (pair[0], pair[1])
    }

    func editHere() throws {
        let all = try user.rows("issue list --state all --limit 1000").compactMap {
            ($0["issue"] as? [String: Any])?["number"] as? Int
        }
        guard all.count > 2, !seed.oneIn(6) else {
            let (start, due) = days()
            let parent = all.isEmpty || !seed.oneIn(4) ? "" : " --parent \(seed.pick(all))"
            return try say(
                "issue create '\(word("Ours"))' --description '\(word("mark"))' --start \(start) "
                    + "--due \(due)\(parent)")
        }
        let issue = seed.pick(all)
        let (start, due) = days()
        switch seed.below(13) {
        case 0, 1, 2: try renameHere(issue)
        case 3: try say("issue change \(issue) --done \(10 * seed.below(10))")
        case 4: try say("issue change \(issue) --start \(start) --due \(due)")
        case 5: try say("issue change \(issue) --estimate \(1 + seed.below(40))")
        case 6: try say("issue change \(issue) --priority \(seed.pick(["low", "high", "urgent"]))")
        case 7:
            try say("issue relate \(issue) \(seed.pick(["precedes", "blocks"])) \(seed.pick(all))")
        case 8: try say("issue unrelate \(issue) \(seed.pick(all))")
        case 9: try say("issue remove \(issue)")
        case 10:
            try say(
                "issue change \(issue) --parent \(seed.oneIn(2) ? "none" : "\(seed.pick(all))")")
        default: try workHere(issue)
        }
    }

    private func renameHere(_ issue: Int) throws {
        let before: [String: Any]
        // The mirror may have removed it since it was listed, because it was removed at the server.
        do { before = try user.issue(issue) } catch is Complaint { return }
        let subject = word("Ours")
        hadHere[before["description"] as? String ?? "", default: []]
            .formUnion([before["subject"] as? String ?? "", subject])
        try say("issue change \(issue) --subject '\(subject)'")
    }

    private func workHere(_ issue: Int) throws {
        let times = try user.rows("time list").compactMap {
            ($0["time"] as? [String: Any])?["number"] as? Int
        }
        switch times.isEmpty ? 0 : seed.below(3) {
        case 0:
            try say(
                "time log \(issue) \(1 + seed.below(4)) --person 'Ann Ahl' --day \(day()) "
                    + "--comment '\(word("time"))'")
        case 1: try say("time change \(seed.pick(times)) --hours \(1 + seed.below(4))")
        default: try say("time remove \(seed.pick(times))")
        }
    }

    func makeThere() throws {
        let (start, due) = days()
        let (subject, mark) = (word("Theirs"), word("mark"))
        hadThere[mark] = [subject]
        _ = try redmine.make(
            #""project_id":"\#(redmine.house)","subject":"\#(subject)","#
                + #""description":"\#(mark)","start_date":"\#(start)","#
                + #""due_date":"\#(due)""#)
    }

    func editThere() throws {
        let issues = try issuesThere()
        let all = issues.compactMap { $0["id"] as? Int }
        guard all.count > 2, !seed.oneIn(6) else { return try makeThere() }
        let issue = seed.pick(all)
        let (start, due) = days()
        switch seed.below(12) {
        case 0, 1, 2: try rename(try #require(issues.first { $0["id"] as? Int == issue }))
        case 3: try changeThere(issue, #""done_ratio":\#(10 * seed.below(10))"#)
        case 4: try changeThere(issue, #""start_date":"\#(start)","due_date":"\#(due)""#)
        case 5: try changeThere(issue, #""estimated_hours":\#(1 + seed.below(40))"#)
        case 6: try changeThere(issue, #""fixed_version_id":\#(redmine.version)"#)
        case 7:
            let kind = seed.pick(["precedes", "blocks"])
            try redmine.ask(
                "POST", "/issues/\(issue)/relations.json",
                #"{"relation":{"issue_to_id":\#(seed.pick(all)),"relation_type":"\#(kind)"}}"#)
        case 8:
            let relations = issues.flatMap { $0["relations"] as? [[String: Any]] ?? [] }
                .compactMap { $0["id"] as? Int }
            guard !relations.isEmpty else { return }
            try redmine.ask("DELETE", "/relations/\(seed.pick(relations)).json")
        case 9: try redmine.ask("DELETE", "/issues/\(issue).json")
        default: try workThere(issue)
        }
    }

    private func rename(_ issue: [String: Any]) throws {
        let subject = word("Theirs")
        hadThere[issue["description"] as? String ?? "", default: []]
            .formUnion([issue["subject"] as? String ?? "", subject])
        try changeThere(issue["id"] as? Int ?? 0, #""subject":"\#(subject)""#)
    }

    private func changeThere(_ issue: Int, _ fields: String) throws {
        try redmine.ask("PUT", "/issues/\(issue).json", "{\"issue\":{\(fields)}}", as: "bob")
    }

    private func workThere(_ issue: Int) throws {
        let times = try redmine.times().compactMap { $0["id"] as? Int }
        switch times.isEmpty ? 0 : seed.below(3) {
        case 0:
            _ = try redmine.log(
                #""issue_id":\#(issue),"spent_on":"\#(day())","hours":\#(1 + seed.below(4)),"#
                    + #""comments":"\#(word("time"))""#)
        case 1:
            try redmine.ask(
                "PUT", "/time_entries/\(seed.pick(times)).json",
                #"{"time_entry":{"hours":\#(1 + seed.below(4))}}"#)
        default: try redmine.ask("DELETE", "/time_entries/\(seed.pick(times)).json")
        }
    }

    /// All issues as the server has them.
    func issuesThere() throws -> [[String: Any]] {
        try redmine.list(
            "/issues.json?project_id=\(redmine.house)&status_id=*&include=relations&limit=100",
            "issues")
    }
}
