import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct IssueTests {
        /// Three issues, one after the other, in the first week of March 2027.
        private func chain() throws -> Team {
            let team = try Team()
            try team.make()
            try team.add("Dig", "2027-03-01", "2027-03-02")
            try team.add("Build", "2027-03-03", "2027-03-04", after: 1)
            try team.add("Paint", "2027-03-05", "2027-03-05", after: 2)
            return team
        }

        private func later(_ team: Team) throws -> TrackedIssue {
            var issue = try #require(try team.issues()[1])
            issue.due = "2027-03-03"
            return issue
        }

        @Test func `a preview says what would move and why, and changes nothing`() throws {
            let team = try chain()
            let before = try team.read()
            let preview = try team.edit(
                "house", .keep(.issue(try later(team))), preview: true)
            #expect(preview.moves.map(\.issue) == [2, 3] && preview.moved == 2)
            #expect(preview.moves.map(\.predecessor) == [1, 2])
            #expect(preview.moves[0].after?.start == "2027-03-04")
            // From Friday over the weekend.
            #expect(preview.moves[1].after?.start == "2027-03-08")
            #expect(try team.read() == before)
            #expect(try team.journal(2).count == 1)

            let made = try team.edit("house", .keep(.issue(try later(team))))
            #expect(made.moves == preview.moves && made.changes == preview.changes)
            #expect(try team.issues()[3]?.start == "2027-03-08")
        }

        @Test func `everything a change moves is undone and redone in one step`() throws {
            let team = try chain()
            let before = try team.issues()
            try team.edit("house", .keep(.issue(try later(team))))
            let after = try team.issues()
            #expect(after[3]?.due == "2027-03-08")
            try team.restart()
            try team.undo()
            #expect(try team.issues() == before)
            try team.restart()
            try team.redo()
            #expect(try team.issues() == after)
            #expect(try team.refusal(of: RedoProject(project: "house"))?.code == .conflict)
            try team.undo("house", 4)
            #expect(try team.issues().isEmpty)
            #expect(try team.refusal(of: UndoProject(project: "house"))?.code == .conflict)
        }

        @Test func `an undo by somebody who hasn't seen the last edit undoes nothing`() throws {
            let team = try chain()
            let seen = try team.read().project.revision
            try team.undo()
            try team.add("Lamp")
            let present = try team.issues()
            for refusal in [
                try team.refusal(of: UndoProject(project: "house", expectedRevision: seen)),
                try team.refusal(of: RedoProject(project: "house", expectedRevision: seen)),
            ] {
                #expect(refusal?.code == .conflict)
                #expect(refusal?.message.contains("steward project history") == true)
            }
            #expect(try team.issues() == present)
            let now = try team.read().project.revision
            _ = try team.ask(
                UndoProject(project: "house", expectedRevision: now), for: ProjectEdited.self)
            #expect(try team.issues().count == present.count - 1)
        }

        @Test func `a number is never given again, even after a restart`() throws {
            let team = try Team()
            try team.make()
            try team.add("One")
            try team.add("Two")
            try team.undo()
            #expect(try team.add("Three") == 3)
            try team.edit("house", .remove(.issue(TrackedIssue(number: 3))))
            try team.restart()
            #expect(try team.add("Four") == 4)
        }

        @Test func `the journal has every change, who made it, and what caused a move`()
            throws
        {
            let team = try chain()
            try team.edit("house", .keep(.issue(try later(team))))
            _ = try team.ask(
                NoteIssue(project: "house", issue: 3, note: "Two coats\nat least"),
                for: IssueEntry.self)
            try team.undo()
            let journal = try team.journal(3)
            #expect(journal.count == 4)
            #expect(journal.map(\.event) == ["", "", "", "added"])
            #expect(journal[1].note == "Two coats\nat least" && journal[1].fields.isEmpty)
            #expect(journal[2].because == 2 && journal[0].because == 0)
            #expect(
                journal[2].fields.contains(
                    JournalField(field: "start", before: "2027-03-05", after: "2027-03-08")))
            #expect(
                journal[0].fields.contains(
                    JournalField(field: "start", before: "2027-03-08", after: "2027-03-05")))
            #expect(journal.allSatisfy { !$0.by.isEmpty && $0.time > 0 })
            let older = try team.ask(
                ReadIssue(project: "house", issue: 3, before: journal[1].number),
                for: IssueContents.self)
            #expect(older.journal == Array(journal[2...]))
            let empty = NoteIssue(project: "house", issue: 3, note: "")
            #expect(try team.refusal(of: empty)?.code == .invalid)
        }

        @Test func `issues that would wait for each other are refused, and nothing changes`()
            throws
        {
            let team = try chain()
            let before = try team.read()
            let refusal = try team.refusal(
                of: EditProject(
                    project: "house",
                    actions: [.keep(.relation(IssueLink(kind: .precedes, from: 3, to: 1)))]))
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("wait for each other") == true)
            #expect(try team.read() == before)
        }

        @Test(arguments: [
            (TrackedIssue(subject: ""), "the issue needs a subject"),
            (TrackedIssue(subject: "x", start: "2027-02-30"), "the start is “2027-02-30”"),
            (
                TrackedIssue(subject: "x", start: "2027-03-02", due: "2027-03-01"),
                "before it begins"
            ),
            (TrackedIssue(subject: "x", tracker: "Wish"), "choose one of Task, Bug, Feature"),
            (TrackedIssue(subject: "x", assignee: 7), "there is no person 7"),
            (TrackedIssue(number: 7, subject: "x"), "the project has no #7"),
        ])
        func `impossible values are refused with the reason`(
            issue: TrackedIssue, message: String
        ) throws {
            let team = try Team()
            try team.make()
            let refusal = try team.refusal(
                of: EditProject(project: "house", actions: [.keep(.issue(issue))]))
            #expect(refusal?.message.contains(message) == true, "\(refusal?.message ?? "")")
            #expect(try team.read().things.isEmpty)
        }

        @Test func `issues are listed by the requested filters, sorted, and in pages`() throws {
            let team = try Team()
            try team.make()
            try team.edit(
                "house", .keep(.member(TeamMember(name: "Kari", timeZone: "UTC", share: 100))),
                .keep(.version(ProjectVersion(name: "One"))),
                .keep(.issue(TrackedIssue(subject: "Roof", assignee: 1, due: "2027-03-05"))),
                .keep(.issue(TrackedIssue(subject: "Door", priority: .urgent, version: 1))),
                .keep(
                    .issue(TrackedIssue(subject: "Window", status: "Closed", due: "2027-03-01"))),
                .keep(.issue(TrackedIssue(subject: "Roof tiles", due: "2027-03-02", parent: 1))))
            func list(_ query: ListIssues) throws -> [UInt32] {
                var query = query
                query.project = "house"
                return try team.ask(query, for: IssuesListed.self).issues
                    .compactMap(\.issue?.number)
            }
            #expect(try list(ListIssues()) == [1, 2, 4])
            #expect(try list(ListIssues(state: .all)) == [1, 2, 3, 4])
            #expect(try list(ListIssues(state: .closed)) == [3])
            #expect(try list(ListIssues(words: "ROOF")) == [1, 4])
            #expect(try list(ListIssues(assignee: "kari")) == [1])
            #expect(try list(ListIssues(assignee: "none")) == [2, 4])
            #expect(try list(ListIssues(version: "One")) == [2])
            #expect(try list(ListIssues(priority: .high)) == [2])
            #expect(try list(ListIssues(parent: 1)) == [4])
            #expect(try list(ListIssues(dueBefore: "2027-03-03")) == [1, 4])
            #expect(try list(ListIssues(state: .all, order: .due)) == [3, 1, 4, 2])
            #expect(try list(ListIssues(order: .priority)) == [2, 1, 4])
            #expect(try list(ListIssues(order: .subject)) == [2, 1, 4])
            #expect(try list(ListIssues(limit: 1, skip: 1)) == [2])
            let page = try team.ask(
                ListIssues(project: "house", limit: 1), for: IssuesListed.self)
            #expect(page.count == 3 && page.issues[0].assignee == "Kari")
            let unknown = ListIssues(project: "house", status: "Sleeping")
            #expect(try team.refusal(of: unknown)?.code == .notFound)
        }

        @Test func `the lists of what somebody has to do fit into one answer together`() throws {
            let team = try Team()
            let kari = try team.token("kari", Grant(role: .shiftManager))
            try team.make("house", as: kari)
            func edit(_ actions: [ProjectAction]) throws {
                _ = try team.ask(
                    EditProject(project: "house", actions: actions), for: ProjectEdited.self,
                    as: kari)
            }
            let member = TeamMember(name: "Kari", account: "me", timeZone: "UTC", share: 100)
            try edit([.keep(.member(member)), .keep(.issue(TrackedIssue(subject: "Fell")))])
            // Each issue has 12 KB, is due, and waits for the first.
            let skills = (10..<60).map { "\($0)" + String(repeating: "🪵", count: 58) }
            let log = TrackedIssue(subject: "Log", assignee: 1, due: "2083-03-05", skills: skills)
            let blocked = IssueLink(kind: .blocks, from: 1)
            let actions = (1...30).flatMap { _ -> [ProjectAction] in
                [.keep(.issue(log)), .keep(.relation(blocked))]
            }
            for _ in 1...3 { try edit(actions) }

            let look = LookAtMyIssues(today: "2083-03-05")
            let first = try team.ask(look, for: MyIssues.self, as: kari)
            #expect(first.counts == [90, 90, 0] && first.open == 90)
            #expect((1..<30).contains(first.due.count))
            #expect(first.blocked.count == first.due.count)
            let second = try team.ask(look, for: MyIssues.self, as: kari)
            #expect(first.looked == 0 && second.looked > 0)
        }

        @Test func `time worked is logged, corrected, summed up and listed`() throws {
            let team = try Team()
            try team.make()
            try team.edit(
                "house", .keep(.member(TeamMember(name: "Kari", timeZone: "UTC", share: 100))),
                .keep(.issue(TrackedIssue(subject: "Roof", estimate: 600))),
                .keep(.time(WorkedTime(issue: 1, member: 1, date: "2027-03-01", minutes: 90))),
                .keep(.time(WorkedTime(issue: 1, member: 1, date: "2027-03-02", minutes: 60))))
            try team.edit(
                "house",
                .keep(
                    .time(
                        WorkedTime(
                            number: 1, issue: 1, member: 1, date: "2027-03-01", minutes: 120))))
            let listed = try team.ask(ListTime(project: "house"), for: TimeListed.self)
            #expect(listed.minutes == 180 && listed.count == 2)
            #expect(listed.times.map { $0.time?.date } == ["2027-03-02", "2027-03-01"])
            #expect(listed.times[0].member == "Kari" && listed.times[0].subject == "Roof")
            let first = try team.ask(
                ListTime(project: "house", last: "2027-03-01"), for: TimeListed.self)
            #expect(first.minutes == 120)
            let read = try team.ask(ReadIssue(project: "house", issue: 1), for: IssueContents.self)
            #expect(read.issue?.spent == 180 && read.issue?.issue?.estimate == 600)
            let tooMuch = WorkedTime(issue: 1, member: 1, date: "2027-03-01", minutes: 1_400)
            let refusal = try team.refusal(
                of: EditProject(project: "house", actions: [.keep(.time(tooMuch))]))
            #expect(refusal?.code == .conflict)
        }
    }
}
