import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectFiles

@Suite struct IssueTableTests {
    private func read(_ text: String) throws -> ImportedIssues {
        try ProjectFile.read(Array(text.utf8), named: "plan.csv")
    }

    private func refusal(_ bytes: [UInt8]) -> String {
        do {
            let read = try ProjectFile.read(bytes, named: "plan.csv")
            return "read: \(read)"
        } catch { return error.message }
    }

    @Test func `a table's columns may be in any order, and rows may refer to each other`() throws {
        let found = try read(
            """
            Due,number,subject,start,assignee,estimate,done,parent,after,version,milestone,skills
            2027-03-05,7,"Roof, upper",2027-03-01,Kari,7:30,40 %,,,One,,
            2027-03-03,9,Tiles,2027-03-02,Ola,450m,0,7,,One,no,slate; ladder
            2027-03-08,3,Paint,,Kari,2.5,,,#9+2;7,,yes,
            """)
        #expect(found.members.map(\.name) == ["Kari", "Ola"])
        #expect(found.versions.map(\.name) == ["One"])
        // The number of an issue is that of its line.
        #expect(found.issues.map(\.number) == [2, 3, 4])
        #expect(found.issues.map(\.subject) == ["Roof, upper", "Tiles", "Paint"])
        #expect(found.issues.map(\.parent) == [0, 2, 0])
        #expect(found.issues.map(\.assignee) == [1, 2, 1])
        #expect(found.issues.map(\.estimate) == [450, 450, 150])
        #expect(found.issues.map(\.done) == [40, 0, 0])
        #expect(found.issues.map(\.milestone) == [false, false, true])
        #expect(found.issues[1].skills == ["ladder", "slate"])
        #expect(found.relations.map(\.from) == [3, 2] && found.relations.map(\.to) == [4, 4])
        #expect(found.relations.map(\.delay) == [2, 0])
        #expect(found.leftOut.isEmpty)
    }

    @Test func `hours have a decimal point or a decimal comma`() {
        for text in ["7:30", "7.5", "7,5", "7,5h", "450m"] {
            #expect(Effort.minutes(of: text) == 450, "\(text)")
        }
        for text in ["", ",5", "7,", "1,000", "1,000.5", "7,5:30"] {
            #expect(Effort.minutes(of: text) == nil, "\(text)")
        }
    }

    @Test func `tables from spreadsheets and from Redmine are read`() throws {
        let found = try read(
            "\u{FEFF}#;Project;Subject;% Done;Start date;Estimated time;Description\r\n"
                + "12;House;Roof;100;2027-03-01;7,5;\"one\r\ntwo \"\"three\"\"\"\r\n;;;;;;\r\n")
        #expect(found.issues.map(\.subject) == ["Roof"])
        #expect(found.issues[0].estimate == 450 && found.issues[0].done == 100)
        #expect(found.issues[0].description == "one\ntwo \"three\"")
        #expect(found.leftOut == ["line 1: the column “Project” isn't known"])
        #expect(try read("subject\tdue\nRoof\t2027-03-01").issues[0].due == "2027-03-01")
    }

    @Test(
        arguments: [
            ("subject,due\nRoof,31.3.2027", "line 2, column due: “31.3.2027” isn't a day"),
            ("subject,due\nA,\nB,2027-02-30", "line 3, column due: “2027-02-30” isn't a day"),
            ("subject,start,due\nA,2027-03-02,2027-03-01", "line 2, column due: 2027-03-01 is"),
            ("Subject,% Done\nA,101", "line 2, column % Done: “101” isn't a percentage"),
            ("subject,estimate\nA,two", "line 2, column estimate: “two” isn't a working time"),
            ("subject,priority\nA,hot", "line 2, column priority: “hot” isn't a priority"),
            ("subject,milestone\nA,maybe", "line 2, column milestone: “maybe” is neither"),
            ("number,subject\n1,A\n1,B", "line 3, column number: line 2 has the number 1 too"),
            ("number,subject\nx,A", "line 2, column number: “x” isn't the number"),
            ("number,subject,parent\n1,A,9", "line 2, column parent: no row has the number 9"),
            ("number,subject,after\n1,A,1", "line 2, column after: the issue is related to itself"),
            (
                "number,subject,blocks\n1,A,2+3\n2,B,",
                "line 2, column blocks: “2+3” isn't the number"
            ),
            ("number,subject,after\n1,A,2+9999999", "line 2, column after: “2+9999999” isn't"),
            ("number,subject\n1,", "line 2, column subject: the issue has no subject"),
            ("subject,title\nA,B", "line 1, column “title”: there are two columns for the subject"),
            ("start,due\n2027-03-01,", "line 1: no column is called subject"),
            ("subject\n\"Roof", "line 2: a quoted cell has no end"),
            ("subject\n\"Roof\" x", "line 2: text follows a quoted cell"),
            ("subject\nA,B", "line 2: there are 2 cells for 1 columns"),
            ("subject", "the file has no issues"), ("", "the file has no rows"),
            ("\n\n \n", "the file has no rows"),
        ])
    func `an error names the line and the column`(_ text: String, _ words: String) {
        let said = refusal(Array(text.utf8))
        #expect(said.hasPrefix("plan.csv: \(words)"), "\(said)")
        #expect(said.contains("; "), "it says what to do: \(said)")
    }

    @Test func `what isn't UTF-8 is refused with its line`() {
        let said = refusal(Array("subject\nA\n".utf8) + [0x42, 0xF8] + Array("\nC".utf8))
        #expect(said.hasPrefix("plan.csv: line 3: the text isn't UTF-8"), "\(said)")
        #expect(refusal([0xFF, 0xFE, 0x73, 0]).contains("line 1: the text isn't UTF-8"))
    }

    @Test func `a file beyond the limits is refused before anything is stored`() {
        let rows = Array(("subject\n" + String(repeating: "A\n", count: 20_001)).utf8)
        #expect(refusal(rows).contains("line 20002: there are more than 20000 rows"))
        let columns = Array(("subject" + String(repeating: ",x", count: 200)).utf8)
        #expect(refusal(columns).contains("more than 200 columns"))
        let cell = Array(("subject\n" + String(repeating: "A", count: 500_001)).utf8)
        #expect(refusal(cell).contains("more than 500000 bytes"))
        let marks = Array(("subject\ne" + String(repeating: "\u{301}", count: 31)).utf8)
        #expect(refusal(marks).contains("line 2: a cell has more than 30 combining marks"))
        #expect(refusal([UInt8](repeating: 10, count: 33 << 20)).contains("more than 32 MiB"))
    }

    @Test(arguments: Seed.some(200))
    func `what is written is read back`(_ seed: Seed) throws {
        var chance = seed
        let record = try Self.project(&chance)
        let found = try ProjectFile.read(
            IssueTableWriter.table(of: record), named: "plan.csv")
        #expect(found.leftOut.isEmpty)
        let lines = Dictionary(
            uniqueKeysWithValues: found.issues.enumerated().map {
                ($0.element.number, $0.offset + 1)
            })
        let issues = record.issues.values.sorted { $0.id < $1.id }
        try #require(found.issues.count == issues.count)
        for (told, issue) in zip(found.issues, issues) {
            #expect(told.subject == issue.subject && told.description == issue.description)
            #expect(told.status == issue.status && told.tracker == issue.tracker)
            #expect(told.start == issue.span.start?.iso ?? "")
            #expect(told.due == issue.span.due?.iso ?? "")
            #expect(told.estimate.map { Int($0) } == issue.estimate)
            #expect(Int(told.done) == issue.done && told.fixed == issue.isFixed)
            #expect(told.milestone == issue.isMilestone && Set(told.skills) == issue.skills)
            #expect(lines[told.parent] == issue.parent)
            let name = issue.assignee.flatMap { record.members[$0]?.name }
            #expect(found.members.first { $0.number == told.assignee }?.name == name)
        }
        func ends(_ from: Int, _ to: Int, _ delay: Int, _ kind: String) -> String {
            "\(from) \(kind) \(to) \(delay)"
        }
        let wanted = record.relations.values.map { relation in
            ends(relation.from, relation.to, relation.delay, relation.kind.rawValue)
        }
        let told = found.relations.map { link in
            ends(
                lines[link.from] ?? 0, lines[link.to] ?? 0, Int(link.delay),
                link.kind == .copied ? "copied_to" : "\(link.kind)")
        }
        #expect(told.sorted() == wanted.sorted())
    }

    /// A project of up to 20 issues with hostile texts. Issues are numbered in the order of the
    /// rows, from 1.
    static func project(_ chance: inout Seed) throws -> ProjectRecord {
        let texts = [
            "Roof", "a,b;c", "say \"no\"", "=SUM(A1)", "-5", "øæå 🏠", "tab\there", "'quoted'",
            "+1", "100%",
        ]
        let calendar = try WorkCalendar()
        let details = ProjectDetails(name: "House", identifier: "house", calendar: calendar)
        var items: [ProjectItem] = [
            .member(Member(id: 1, name: "Kari, Dr.", calendar: calendar)),
            .member(Member(id: 2, name: "=Ola", calendar: calendar)),
        ]
        let count = Int.random(in: 1...20, using: &chance)
        for id in 1...count {
            var issue = ProjectIssue(
                id: id, subject: texts.randomElement(using: &chance) ?? "")
            let start = CivilDate(daysSince1970: Int.random(in: 0...40_000, using: &chance))
            if Bool.random(using: &chance) { issue.span.start = start }
            if Bool.random(using: &chance) {
                issue.span.due = CivilDate(daysSince1970: start.daysSince1970 + 3)
            }
            issue.status = ["New", "Closed"].randomElement(using: &chance) ?? ""
            issue.assignee = [nil, 1, 2].randomElement(using: &chance) ?? nil
            issue.estimate = [nil, 0, 90, 6_000_000].randomElement(using: &chance) ?? nil
            issue.done = Int.random(in: 0...100, using: &chance)
            if id > 1, Bool.random(using: &chance) {
                issue.parent = Int.random(in: 1..<id, using: &chance)
            }
            issue.isFixed = Bool.random(using: &chance)
            issue.isMilestone = Bool.random(using: &chance)
            if Bool.random(using: &chance) { issue.skills = ["slate", "=ladder"] }
            issue.description = Bool.random(using: &chance) ? "one\n\ttwo, \"three\"" : ""
            items.append(.issue(issue))
        }
        for id in 0..<min(count - 1, 5) {
            let kind = IssueRelation.Kind.allCases[id]
            items.append(
                .relation(
                    IssueRelation(
                        id: id + 1, kind: kind, from: id + 1, to: count,
                        delay: Int.random(in: -3...3, using: &chance))))
        }
        return ProjectRecord(kept: details, items)
    }
}
