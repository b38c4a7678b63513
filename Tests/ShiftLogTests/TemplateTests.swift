import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// Templates: what is valid, how they are edited, and how old shifts keep theirs.
struct TemplateTests {
    let rules = ChecklistRules(settings: Restaurant.settings)
    let template = Restaurant.preShift

    private func ids(_ template: ChecklistTemplate, _ section: Int = 0) -> [String] {
        template.sections[section].tasks.map(\.id)
    }

    private func place(_ id: String, parent: String = "", in section: String, after: String = "")
        -> PlaceTask
    {
        PlaceTask(
            task: Restaurant.task(id, "Task \(id)", parent: parent), section: section, after: after)
    }

    @Test(arguments: Restaurant.lists)
    func `the lists in the tests are valid`(template: ChecklistTemplate) {
        #expect(throws: Never.self) { try rules.validate(template) }
    }

    static let wrong: [(words: String, change: @Sendable (inout ChecklistTemplate) -> Void)] = [
        ("a task's id", { $0.sections[0].tasks[0].id = "Floor!" }),
        ("two tasks", { $0.sections[0].tasks[0].id = "bins" }),
        ("two sections", { $0.sections[1].id = "kitchen" }),
        ("must come after", { $0.sections[0].tasks[0].parent = "grill" }),
        ("must come after", { $0.sections[1].tasks[0].parent = "grill" }),
        ("must come after", { $0.sections[0].tasks.swapAt(3, 4) }),
        ("must come after", { $0.sections[0].tasks[4].parent = "floor" }),
        ("title", { $0.sections[0].tasks[0].title = String(repeating: "x", count: 201) }),
        ("title", { $0.sections[0].tasks[0].title = "a\u{7}" }),
        ("is missing", { $0.sections[0].tasks[0].title = "" }),
        ("area “garden”", { $0.sections[0].tasks[0].area = "garden" }),
        ("priority “later”", { $0.sections[0].tasks[0].priority = "later" }),
        ("list “Other”", { $0.sections[0].tasks[0].link = "Other" }),
        ("24:00", { $0.sections[0].tasks[0].carryOut = 1_440 }),
        ("ISO 639-1", { $0.sections[0].tasks[0].titles = ["norsk": "Gulv"] }),
        ("kind is missing", { $0.kind = .unspecified }),
        ("template's name", { $0.name = String(repeating: "x", count: 81) }),
        ("day or evening", { $0.dayParts = [.unspecified] }),
    ]

    @Test(arguments: wrong.indices)
    func `an invalid template is refused with the place`(number: Int) {
        var template = template
        Self.wrong[number].change(&template)
        let refusal = #expect(throws: Refusal.self) { try rules.validate(template) }
        #expect(refusal?.message.contains(Self.wrong[number].words) == true, "\(number)")
    }

    @Test func `a task can be added first, after another with its subtasks, or under a parent`()
        throws
    {
        let first = try template.edited(.addTask(place("new", in: "kitchen")))
        #expect(ids(first).first == "new")
        let behind = try template.edited(.addTask(place("new", in: "kitchen", after: "fryer")))
        #expect(ids(behind)[4] == "new")
        let child = try template.edited(
            .addTask(place("new", parent: "fryer", in: "kitchen", after: "fryer-oil")))
        #expect(ids(child)[3] == "new")
        let firstChild = try template.edited(
            .addTask(place("new", parent: "fryer", in: "kitchen")))
        #expect(ids(firstChild)[2] == "new")
        for changed in [first, behind, child, firstChild] { try rules.validate(changed) }
    }

    @Test func `a task is moved with its subtasks`() throws {
        let moved = try template.edited(
            .moveTask(
                PlaceTask(task: ChecklistTask(id: "fryer"), section: "lobby", after: "tables")))
        #expect(ids(moved) == ["floor", "grill"])
        #expect(ids(moved, 1) == ["tables", "fryer", "fryer-oil", "fryer-basket", "bins"])
        try rules.validate(moved)
        let back = try moved.edited(
            .moveTask(
                PlaceTask(task: ChecklistTask(id: "fryer"), section: "kitchen", after: "floor")))
        #expect(back == template)
        #expect(throws: Refusal.self) {
            try template.edited(
                .moveTask(
                    PlaceTask(
                        task: ChecklistTask(id: "fryer"), section: "kitchen", after: "fryer-oil")))
        }
    }

    @Test func `a changed task keeps its place, and removing a task removes its subtasks`()
        throws
    {
        var task = template.sections[0].tasks[2]
        (task.title, task.parent) = ("Oil is golden", "")
        let changed = try template.edited(.changeTask(task))
        #expect(changed.sections[0].tasks[2].title == "Oil is golden")
        #expect(changed.sections[0].tasks[2].parent == "fryer")
        #expect(ids(try template.edited(.removeTask("fryer"))) == ["floor", "grill"])
        #expect(throws: Refusal.self) { try template.edited(.removeTask("nothing")) }
    }

    @Test func `sections are added, moved, renamed and removed, and the template is renamed`()
        throws
    {
        let yard = ChecklistSection(id: "yard", name: "Yard")
        let added = try template.edited(
            .addSection(PlaceSection(section: yard, after: "kitchen")))
        #expect(added.sections.map(\.id) == ["kitchen", "yard", "lobby"])
        let moved = try added.edited(
            .changeSection(
                PlaceSection(section: ChecklistSection(id: "lobby", name: "Front"))))
        #expect(moved.sections.map(\.name) == ["Front", "Kitchen", "Yard"])
        #expect(moved.sections[0].tasks == template.sections[1].tasks)
        #expect(try moved.edited(.removeSection("kitchen")).sections.count == 2)
        #expect(try template.edited(.rename("Other")).name == "Other")
        #expect(try template.edited(.crew(.inspect)).crew == .inspect)
        #expect(throws: Refusal.self) {
            try template.edited(.addSection(PlaceSection(section: template.sections[0])))
        }
    }

    /// What a person sees of a shift, from the lists and the log alone.
    private func rendering(_ state: ShiftState) -> String {
        let tasks = state.lists.templates.flatMap { list in
            state.results(of: list.id).map { result in
                "\(list.name) v\(list.version) \(result.listed.task.title) \(result.state) "
                    + result.marks.map { "\($0.state) \($0.stamp.name) \($0.stamp.time)" }
                    .joined(separator: ", ")
            }
        }
        let todos = state.todos.map { "\($0.section) \($0.title) \($0.mark)" }
        return (tasks + todos).joined(separator: "\n")
    }

    @Test(arguments: Seed.some(5))
    func `an old shift is the same after 100 edits of its templates`(seed: Seed) throws {
        var seed = seed
        var service = try Service()
        // As on paper: every task with its first title and its last finding.
        var paper: [String: (title: String, finding: TaskState)] = [:]
        let parents = Set(template.sections.flatMap(\.tasks).map(\.parent))
        for task in template.sections.flatMap(\.tasks) where !parents.contains(task.id) {
            paper[task.id] = (task.title, .unchecked)
        }
        let leaves = paper.keys.sorted()
        for _ in 0..<30 {
            let (task, isOk) = (seed.pick(leaves), seed.oneIn(2))
            try service.take("a", .mark(task, isOk ? .ok : .notOk))
            paper[task]?.finding = isOk ? .ok : .notOk
        }
        service.end()
        let shown = rendering(service.state)

        var versions = Dictionary(grouping: Restaurant.lists, by: \.id)
        for number in 0..<100 {
            var newest = try #require(versions["pre"]?.last)
            newest = try edit(newest, number, &seed)
            newest.version += 1
            try rules.validate(newest)
            versions["pre", default: []].append(newest)
        }
        #expect(versions["pre"]?.last?.sections != template.sections)
        let pinned = try service.state.shift.lists.map { list in
            try #require(
                versions[list.template]?.first {
                    $0.version == list.version && ArchiveChain.digest(of: $0) == list.digest
                })
        }
        var again = try ShiftState(
            snapshot: ShiftSnapshot(
                shift: Restaurant.shift(), lists: pinned.map { $0.packed() }))
        for operation in service.state.log { again.apply(operation) }
        #expect(rendering(again) == shown)
        #expect(again == service.state && again.digest == service.state.digest)
        let results = again.results(of: "pre").filter(\.listed.isLeaf)
        #expect(results.map(\.listed.task.id).sorted() == leaves)
        for result in results {
            let wanted = paper[result.listed.task.id]
            #expect(result.listed.task.title == wanted?.title)
            #expect(result.state == wanted?.finding)
        }
        #expect(versions["pre"]?.count == 101)

        let snapshot = ShiftSnapshot(
            shift: service.state.shift, lists: versions.values.compactMap { $0.last?.packed() })
        #expect(throws: Refusal.self) { try ShiftState(snapshot: snapshot) }
    }

    private func edit(
        _ template: ChecklistTemplate, _ number: Int, _ seed: inout Seed
    ) throws -> ChecklistTemplate {
        let section = seed.below(template.sections.count)
        let name = template.sections[section].id
        guard let task = template.sections[section].tasks.randomElement(using: &seed) else {
            return try template.edited(.addTask(place("new-\(number)", in: name)))
        }
        switch seed.below(6) {
        case 0, 1:
            let under = seed.oneIn(2) ? task.id : ""
            return try template.edited(
                .addTask(place("new-\(number)", parent: under, in: name)))
        case 2: return try template.edited(.removeTask(task.id))
        case 3:
            var changed = task
            changed.title += "!"
            return try template.edited(.changeTask(changed))
        case 4:
            let target = template.sections[seed.below(template.sections.count)].id
            return try template.edited(
                .moveTask(PlaceTask(task: ChecklistTask(id: task.id), section: target)))
        default: return try template.edited(.rename("Pre-shift \(number)"))
        }
    }

    @Test func `a new site's settings are valid, and its archive is kept for a year`() throws {
        try Restaurant.settings.validate()
        #expect(Restaurant.settings.priorities.count == 4)
        var settings = Restaurant.settings
        settings.retentionDays = 364
        #expect(throws: Refusal.self) { try settings.validate() }
        settings = Restaurant.settings
        settings.travelPathInterval = 0
        #expect(throws: Refusal.self) { try settings.validate() }
        settings.travelPathInterval = 10
        #expect(throws: Refusal.self) { try settings.validate() }
    }

    @Test(arguments: [
        (["nb": String(repeating: "x", count: 81)], "1 to 80"), (["nb": ""], "is missing"),
        (["norsk": "Straks"], "“norsk” isn't a language"),
    ])
    func `a priority's title in another language is as short as the title itself`(
        titles: [String: String], fault: String
    ) throws {
        var settings = Restaurant.settings
        settings.priorities[1].titles = ["nb": String(repeating: "x", count: 80)]
        try settings.validate()
        settings.priorities[1].titles = titles
        #expect {
            try settings.validate()
        } throws: { ($0 as? Refusal)?.message.contains(fault) == true }
    }
}
