import Foundation
import TestSupport
import TestThreads
import Testing

extension RedmineMirrorTests {
    /// Random edits on both sides of a mirror, round by round, while the proxy, the server and the
    /// service fail. In the end both sides are the same, nothing is there twice, and no value was
    /// replaced by one whose author didn't know it.
    ///
    /// `ROUNDS` sets the number of rounds for each seed.
    @Suite(.serialized, .waitingEarly)
    struct RedmineRoundTests {
        static let rounds = getenv("ROUNDS").flatMap { Int(String(cString: $0)) } ?? 30

        @Test(arguments: Seed.some(1))
        func `P5, P15: after random edits and faults both sides are the same, and nothing is lost`(
            seed: Seed
        ) throws {
            let sides = try MirroredSides(seed)
            for round in 1...Self.rounds {
                try sides.edit()
                if round.isMultiple(of: 5) || round == Self.rounds {
                    try sides.agree()
                    let seen = try sides.look()
                    let differences = sides.differences(seen)
                    #expect(differences == [], "\(seed), round \(round)")
                    let twice = sides.twice(seen)
                    #expect(twice == [], "\(seed), round \(round)")
                    let overwritten = try sides.overwritten(seen)
                    #expect(overwritten == [], "\(seed), round \(round)")
                }
            }
        }
    }
}

/// A project and its mirror, which are edited at random.
final class MirroredSides {
    var seed: Seed
    let user: ProjectUser
    let redmine: RedmineRig
    /// The number of texts made so far, so that each is different.
    var made = 0
    /// The subjects that somebody has decided against, by the marks of their issues.
    var decided: [String: Set<String>] = [:]
    /// The subjects that each side had before the mirror replaced them, by the marks of the issues.
    /// An issue that is removed on one side and made there again has a new journal.
    var hadHere: [String: Set<String>] = [:]
    var hadThere: [String: Set<String>] = [:]
    /// How often each conflict was settled.
    private var settled: [String: Int] = [:]

    private static let faults = [
        "lose POST 1", "lose PUT 1", "lose DELETE 1", "lose * 2", "truncate GET 1",
        "truncate * 2", "html * 1", "garbage GET 1", "garbage POST 1", "status-429 * 1",
        "status-500 * 2", "status-503 * 1", "down * 2", "trickle * 2",
    ]

    init(_ seed: Seed) throws {
        self.seed = seed
        user = try ProjectUser(hasProject: false, withMachineClock: true)
        redmine = try RedmineRig(in: user.system)
        let said = try user.feed("redmine login \(redmine.address)", redmine.key("ann") + "\n")
        guard said.end == .exited(0) else { throw Complaint(said.err) }
        for _ in 1...3 { try makeThere() }
        try user.run("redmine link \(redmine.house)")
    }

    /// Makes a few edits on both sides, during which something may fail.
    func edit() throws {
        if seed.oneIn(2) { try redmine.fault(seed.pick(Self.faults)) }
        for _ in 0..<(2 + seed.below(4)) {
            if seed.oneIn(2) { try editHere() } else { try editThere() }
        }
        switch seed.below(8) {
        case 0: try user.restart()
        case 1:
            redmine.kill()
            try editHere()
            try redmine.restart()
        case 2, 3: _ = try user.say("redmine sync")
        default: break
        }
    }

    /// Ends all faults, and settles conflicts until both sides agree.
    func agree() throws {
        try redmine.fault("")
        try eventually("both sides are the same", within: .seconds(600)) {
            guard try user.say("redmine sync --everything").end == .exited(0) else {
                return false
            }
            let link = try user.answer("redmine status")
            let conflicts = link["conflicts"] as? [[String: Any]] ?? []
            for conflict in conflicts { try settle(conflict) }
            return conflicts.isEmpty && link["waiting"] as? Int ?? 0 == 0
        }
    }

    private func settle(_ conflict: [String: Any]) throws {
        guard let issue = conflict["issue"] as? Int, let field = conflict["field"] as? String
        else { throw Complaint("no conflict: \(conflict)") }
        let times = settled["\(issue) \(field)", default: 0]
        settled["\(issue) \(field)"] = times + 1
        // Give up what the server refuses again and again.
        let isOurs = seed.oneIn(2) && times < 2
        if field == "subject", let mark = try marks()[issue] {
            for side in ["ours", "theirs"] {
                decided[mark, default: []].insert(conflict[side] as? String ?? "")
            }
        }
        _ = try user.say("redmine settle \(issue) '\(field)' \(isOurs ? "--ours" : "--theirs")")
    }

    /// The mark of each issue here, by its number.
    private func marks() throws -> [Int: String] {
        var marks: [Int: String] = [:]
        for row in try user.rows("issue list --state all --limit 1000") {
            guard let number = (row["issue"] as? [String: Any])?["number"] as? Int else {
                continue
            }
            marks[number] = try user.issue(number)["description"] as? String ?? ""
        }
        return marks
    }
}
