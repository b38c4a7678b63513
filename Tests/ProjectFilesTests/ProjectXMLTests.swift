import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectFiles

@Suite struct ProjectXMLTests {
    /// What MS Project writes, reduced to what matters here.
    private static let house = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <Project xmlns="http://schemas.microsoft.com/project"><MinutesPerDay>480</MinutesPerDay>
        <Tasks>
        <Task><UID>0</UID><ID>0</ID><Name>House</Name><OutlineLevel>0</OutlineLevel></Task>
        <Task><UID>7</UID><Name>Shell</Name><OutlineLevel>1</OutlineLevel><Summary>1</Summary>
        <Start>2027-03-01T08:00:00</Start><Finish>2027-03-09T17:00:00</Finish></Task>
        <Task><UID>3</UID><Name>Dig &amp; drain</Name><OutlineLevel>2</OutlineLevel>
        <Priority>800</Priority><Start>2027-03-01T08:00:00</Start>
        <Finish>2027-03-02T17:00:00</Finish><Work>PT16H0M0S</Work><Notes>one&#13;
        two</Notes><PercentComplete>40</PercentComplete></Task>
        <Task><UID>9</UID><Name>Build</Name><OutlineLevel>2</OutlineLevel>
        <Start>2027-03-04T08:00:00</Start><Finish>2027-03-09T17:00:00</Finish>
        <ConstraintType>2</ConstraintType><PredecessorLink><PredecessorUID>3</PredecessorUID>
        <Type>1</Type><LinkLag>4800</LinkLag><LagFormat>7</LagFormat></PredecessorLink></Task>
        <Task><UID>12</UID><Name>Moved in</Name><OutlineLevel>1</OutlineLevel>
        <Milestone>1</Milestone><Start>2027-03-09T17:00:00</Start>
        <Finish>2027-03-09T17:00:00</Finish><PredecessorLink><PredecessorUID>7</PredecessorUID>
        <Type>1</Type></PredecessorLink></Task>
        </Tasks><Resources>
        <Resource><UID>1</UID><Name>Kari</Name><Type>1</Type><MaxUnits>0.5</MaxUnits></Resource>
        </Resources><Assignments>
        <Assignment><TaskUID>3</TaskUID><ResourceUID>1</ResourceUID></Assignment>
        </Assignments></Project>
        """

    private func read(_ text: String) throws -> ImportedIssues {
        try ProjectFile.read(Array(text.utf8), named: "plan.xml")
    }

    @Test func `tasks, their outline, links, people and remaining work are read`() throws {
        let found = try read(Self.house)
        #expect(found.issues.map(\.subject) == ["Shell", "Dig & drain", "Build", "Moved in"])
        #expect(found.issues.map(\.parent) == [0, 1, 1, 0])
        #expect(found.issues.map(\.start) == ["", "2027-03-01", "2027-03-04", "2027-03-09"])
        #expect(found.issues.map(\.due) == ["", "2027-03-02", "2027-03-09", "2027-03-09"])
        #expect(found.issues.map(\.assignee) == [0, 1, 0, 0])
        #expect(found.issues.map(\.fixed) == [false, false, true, false])
        #expect(found.issues.map(\.milestone) == [false, false, false, true])
        #expect(found.issues[1].estimate == 960 && found.issues[1].done == 40)
        #expect(found.issues[1].priority == .urgent && found.issues[1].description == "one\ntwo")
        #expect(found.members.map(\.name) == ["Kari"] && found.members[0].share == 50)
        #expect(found.relations.map(\.from) == [2, 1] && found.relations.map(\.to) == [3, 4])
        #expect(found.relations.map(\.delay) == [1, 0])
        #expect(found.lines[2] == 7, "\(found.lines)")
        #expect(found.leftOut.isEmpty, "\(found.leftOut)")
    }

    @Test(
        arguments: [
            ("<Type>1</Type><LinkLag>", "<Type>3</Type><LinkLag>", "isn't from finish to start"),
            ("<LagFormat>7<", "<LagFormat>8<", "a lag of 480 minutes, which became 0 working days"),
            ("<LagFormat>7<", "<LagFormat>19<", "a lag in percent"),
            ("<LinkLag>4800<", "<LinkLag>5000<", "a lag of 500 minutes, which became 1 working"),
            ("<Type>1</Type><MaxUnits>", "<Type>0</Type><MaxUnits>", "“Kari” is material"),
            ("<PredecessorUID>3<", "<PredecessorUID>99<", "to the task “99”, not in the file"),
            ("<ConstraintType>2<", "<ConstraintType>6<", "“Build” may begin or end only on one"),
            ("<Milestone>1<", "<Deadline>2027-04-01T08:00:00</Deadline><Milestone>1<", "deadline"),
            ("<Milestone>1<", "<Active>0</Active><Milestone>1<", "isn't active there"),
            (
                "<Tasks>",
                "<CalendarUID>1</CalendarUID><Calendars><Calendar><UID>1</UID><Exceptions>"
                    + "<Exception><Type>3</Type><TimePeriod><FromDate>2027-05-17T00:00:00"
                    + "</FromDate><ToDate>2037-05-17T23:59:00</ToDate></TimePeriod></Exception>"
                    + "</Exceptions></Calendar></Calendars><Tasks>",
                "an exception of a calendar that is repeated"
            ),
        ])
    func `data that a project can't keep is named with its line`(
        _ old: String, _ new: String, _ words: String
    ) throws {
        let found = try read(Self.house.replacing(old, with: new))
        #expect(found.leftOut.count == 1)
        let told = found.leftOut.first ?? ""
        #expect(told.hasPrefix("line ") && told.contains(words), "\(told)")
        #expect(found.issues.count == 4)
    }

    @Test(
        arguments: [
            ("<UID>9<", "<UID>3<", "line 11, <UID>: another task has the number “3” too"),
            ("2027-03-04T", "4.3.2027 T", "<Start>: “4.3.2027 T08:00:00” isn't a date"),
            ("PT16H0M0S", "two days", "<Work>: “two days” isn't a duration"),
            ("PT16H0M0S", "PT9999999H0M0S", "isn't a duration of up to 100000 hours"),
            (">40</Percent", ">140</Percent", "<PercentComplete>: “140” isn't a whole number"),
            ("<LinkLag>4800", "<LinkLag>99999999999999999999", "<LinkLag>: “999999"),
            ("<Project xmlns", "<plan xmlns", "line"),
            ("</Tasks>", "", "another element is closed than the one that is open"),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
                "<!DOCTYPE Project [<!ENTITY a \"aaaa\">]>", "declares a document type"
            ),
        ])
    func `an error names the line and the element`(
        _ old: String, _ new: String, _ words: String
    ) {
        do {
            _ = try read(Self.house.replacing(old, with: new))
            Issue.record("it was read")
        } catch {
            let told = (error as? Refusal)?.message ?? ""
            #expect(told.hasPrefix("plan.xml: ") && told.contains(words), "\(told)")
        }
    }

    @Test func `a calendar with too many days off is refused where there are too many`() throws {
        let exceptions = (0..<3).map { number in
            let (first, last) = (2_000 + 3 * number, 2_002 + 3 * number)
            return "<Exception><TimePeriod><FromDate>\(first)-01-01T00:00:00</FromDate><ToDate>"
                + "\(last)-09-01T00:00:00</ToDate></TimePeriod></Exception>\n"
        }
        func read(_ count: Int) throws -> ImportedIssues {
            let text = exceptions.prefix(count).joined()
            return try self.read(
                Self.house.replacing(
                    "<Tasks>",
                    with: "<CalendarUID>1</CalendarUID><Calendars><Calendar><UID>1</UID>"
                        + "<Exceptions>\(text)</Exceptions></Calendar></Calendars><Tasks>"))
        }
        #expect(try read(2).calendar?.special.count == 1_950)
        let refusal = #expect(throws: Refusal.self) { try read(3) }
        #expect(refusal?.message.contains("<Exception>: up to here the calendar has more") == true)
    }

    @Test func `calendars of the project and of people are read, and baselines`() throws {
        func exception(_ first: String, _ last: String, _ rest: String) -> String {
            "<Exception><TimePeriod><FromDate>\(first)T00:00:00</FromDate><ToDate>\(last)T23:59:00"
                + "</ToDate></TimePeriod><Type>1</Type>\(rest)</Exception>"
        }
        let day =
            "<WeekDay><DayType>2</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime>"
            + "<FromTime>20:00:00</FromTime><ToTime>00:00:00</ToTime></WorkingTime></WorkingTimes>"
            + "</WeekDay><WeekDay><DayType>1</DayType><DayWorking>0</DayWorking></WeekDay>"
        let holiday = exception("2027-05-17", "2027-05-17", "<Name>National day</Name>")
        let away = exception("2027-07-01", "2027-07-20", "<Name>Away</Name>")
        let text = Self.house.replacing(
            "<Tasks>",
            with: "<CalendarUID>1</CalendarUID><Calendars><Calendar><UID>1</UID><Exceptions>"
                + "\(holiday)</Exceptions></Calendar><Calendar><UID>2</UID>"
                + "<BaseCalendarUID>1</BaseCalendarUID><WeekDays>\(day)</WeekDays><Exceptions>"
                + "\(holiday)\(away)</Exceptions></Calendar></Calendars><Tasks>"
        ).replacing("<Type>1</Type><MaxUnits>", with: "<CalendarUID>2</CalendarUID><MaxUnits>")
            .replacing(
                "<Milestone>1<",
                with: "<Baseline><Number>0</Number><Finish>2027-03-08T17:00:00</Finish></Baseline>"
                    + "<Baseline><Number>3</Number><Start>2027-03-07T08:00:00</Start></Baseline>"
                    + "<Milestone>1<")
        let found = try read(text)
        #expect(found.leftOut.isEmpty, "\(found.leftOut)")
        #expect(found.calendar?.special.map(\.date) == ["2027-05-17"])
        #expect(found.calendar?.special.first?.name == "National day")
        let weeks = try #require(found.members.first?.calendar)
        #expect(weeks.days[0].hours == [WorkHours(from: 1_200, to: 1_440)])
        #expect(weeks.days[1].hours.count == 2 && weeks.days[6].hours.isEmpty)
        #expect(weeks.special.count == 1 && weeks.absences.map(\.first) == ["2027-07-01"])
        #expect(weeks.absences.map(\.last) == ["2027-07-20"])
        #expect(found.baselines.map(\.name) == ["Baseline", "Baseline 3"])
        #expect(found.baselines.map { $0.dates.map(\.issue) } == [[4], [4]])
        #expect(found.baselines[0].dates[0].due == "2027-03-08")
        for (old, new) in [("20:00:00", "24:00:00"), ("2027-05-17T", "17.5.2027 T")] {
            #expect(throws: Refusal.self) { try read(text.replacing(old, with: new)) }
        }
    }

    @Test func `a file of another kind, or without tasks, is refused`() throws {
        for (text, words) in [
            ("<gpx/>", "this isn't a file of MS Project"), ("<Project/>", "has no tasks"),
            ("<Project><Tasks><Task><UID>0</UID></Task></Tasks></Project>", "has no tasks"),
        ] {
            do {
                _ = try read(text)
                Issue.record("it was read")
            } catch {
                let told = (error as? Refusal)?.message ?? ""
                #expect(told.contains(words), "\(told)")
            }
        }
    }

    @Test(arguments: Seed.some(100))
    func `a truncated or changed file is read or refused`(_ seed: Seed) throws {
        var seed = seed
        var bytes = Array(Self.house.utf8)
        for _ in 0..<1 + seed.below(4) {
            let place = seed.below(bytes.count)
            switch seed.below(3) {
            case 0: bytes[place] = UInt8(seed.below(256))
            case 1: bytes.removeSubrange(place..<min(place + seed.below(40), bytes.count))
            default: bytes.insert(contentsOf: "9999999999".utf8, at: place)
            }
        }
        do {
            let found = try ProjectFile.read(bytes, named: "plan.xml")
            #expect(found.issues.count <= 5)
        } catch { #expect(error.message.hasPrefix("plan.xml")) }
    }

    @Test(arguments: Seed.some(100))
    func `what is written is read back, in outline order`(_ seed: Seed) throws {
        var seed = seed
        let record = try IssueTableTests.project(&seed)
        let found = try ProjectFile.read(ProjectXMLWriter.document(of: record), named: "plan.xml")
        #expect(found.leftOut.isEmpty, "\(found.leftOut)")
        let parts = record.partsOfWholes
        var outline: [ProjectIssue] = []
        var open = record.issues.values.filter { $0.parent == nil }.sorted { $0.id > $1.id }
        while let next = open.popLast() {
            outline.append(next)
            open += (parts[next.id] ?? []).reversed().compactMap { record.issues[$0] }
        }
        try #require(found.issues.count == outline.count)
        let numbers = Dictionary(
            uniqueKeysWithValues: zip(found.issues.map(\.number), outline.map(\.id)))
        for (told, issue) in zip(found.issues, outline) {
            #expect(told.subject == issue.subject)
            #expect(numbers[told.parent] == issue.parent)
            #expect(told.milestone == issue.isMilestone && Int(told.done) == issue.done)
            #expect(told.fixed == issue.isFixed)
            #expect(told.priority == .normal)
            let name = issue.assignee.flatMap { record.members[$0]?.name }
            #expect(found.members.first { $0.number == told.assignee }?.name == name)
            guard parts[issue.id] == nil else { continue }
            #expect(told.start == issue.span.start?.iso ?? "")
            #expect(told.due == issue.span.due?.iso ?? "")
            #expect(told.estimate.map { Int($0) } == issue.estimate.flatMap { $0 == 0 ? nil : $0 })
        }
        let links = record.relations.values.filter { $0.kind == .precedes }
        #expect(found.relations.count == links.count)
        for link in found.relations {
            #expect(
                links.contains {
                    $0.from == numbers[link.from] && $0.to == numbers[link.to]
                        && $0.delay == Int(link.delay)
                })
        }
    }

    @Test func `what a written file has no place for is named, and nothing else`() throws {
        let details = ProjectDetails(
            name: "House", identifier: "house", calendar: try WorkCalendar())
        func leftOut(_ items: [ProjectItem]) -> [String] {
            ProjectXMLWriter.leftOut(of: ProjectRecord(kept: details, items))
        }
        let plain = (1...2).map { ProjectItem.issue(ProjectIssue(id: $0, subject: "A")) }
        #expect(leftOut(plain + [.relation(IssueRelation(id: 1, from: 1, to: 2))]) == [])
        for end in [1_440, 1_800] {
            let night = try WorkCalendar(week: .init([1_320..<end], on: [0, 1]))
            let member = Member(id: 1, name: "Kari", calendar: night)
            #expect(
                leftOut(plain + [.member(member)])
                    == (end == 1_440 ? [] : ["work after midnight"]))
        }
        var roof = ProjectIssue(id: 3, subject: "Roof", tracker: "Bug", status: "Closed")
        roof.skills = ["slate"]
        let blocks = IssueRelation(id: 1, kind: .blocks, from: 1, to: 2)
        #expect(
            leftOut(
                plain + [
                    .issue(roof), .relation(blocks), .version(Version(id: 1, name: "One")),
                ]) == [
                    "versions", "statuses", "trackers", "skills", "relations other than “follows”",
                ])
    }

    @Test func `a project of maximum depth is written and read`() throws {
        let calendar = try WorkCalendar()
        let details = ProjectDetails(name: "House", identifier: "house", calendar: calendar)
        let items = (1...10_000).map {
            ProjectItem.issue(ProjectIssue(id: $0, subject: "A", parent: $0 == 1 ? nil : $0 - 1))
        }
        let document = ProjectXMLWriter.document(of: ProjectRecord(kept: details, items))
        #expect(document.count < 20_000_000)
        let found = try ProjectFile.read(document, named: "plan.xml")
        #expect(found.issues.last?.parent == 9_999)
    }
}
