import Messages
import TestSupport
import Testing

@testable import TemplateFile

/// Reading and writing a checklist as a YAML file.
struct TemplateFileTests {
    static let small = """
        # A comment.
        checklist: Closing
        titles:
          nb: Stenging
        kind: after
        day-parts: [evening]
        area: kitchen
        sections:
          - section: Grill & fryers
            titles: {nb: Grill og frityr}
            priority: immediate
            tasks:
              - The grill is off
              - task: Fryers
                area: service
                tasks:
                  - task: Oil is covered
                    id: oil
                    at: 22:45
                    time-critical: yes
                  - task: Oil is covered
                    general: true
                    security-round: true
                    note: "With the lid\\nthat fits"
                    opens: Pre-shift
        """

    @Test func `a task inherits what its section and checklist say`() throws {
        let template = try ChecklistTemplate(yaml: Self.small.utf8)
        let expected = ChecklistTemplate(
            name: "Closing", names: ["nb": "Stenging"], kind: .after, dayParts: [.evening],
            sections: [
                ChecklistSection(
                    id: "grill-fryers", name: "Grill & fryers", names: ["nb": "Grill og frityr"],
                    tasks: [
                        ChecklistTask(
                            id: "the-grill-is-off", title: "The grill is off", area: "kitchen",
                            priority: "immediate"),
                        ChecklistTask(
                            id: "fryers", title: "Fryers", area: "service", priority: "immediate"),
                        ChecklistTask(
                            id: "oil", parent: "fryers", title: "Oil is covered", area: "service",
                            priority: "immediate", carryOut: 22 * 60 + 45, timeCritical: true),
                        ChecklistTask(
                            id: "oil-is-covered", parent: "fryers", title: "Oil is covered",
                            note: "With the lid\nthat fits", general: true, area: "service",
                            priority: "immediate", securityRound: true, link: "Pre-shift"),
                    ])
            ])
        #expect(template == expected)
        #expect(try ChecklistTemplate(yaml: template.yaml.utf8) == expected)
    }

    @Test func `without an area and a priority a task is the manager's, during the shift`() throws {
        let template = try ChecklistTemplate(
            yaml: "checklist: A\nkind: before\nsections: [{section: B, tasks: [C]}]".utf8)
        let task = template.sections.first?.tasks.first
        #expect(task?.area == "manager")
        #expect(task?.priority == "during-shift")
    }

    @Test(arguments: [
        ("Fryer oil is golden", "fryer-oil-is-golden"), ("Kjølerom på 4 °C", "kjolerom-pa-4-c"),
        ("Ærlig æøå ÄÖ ß", "aerlig-aeoa-ao-ss"), ("日本", "task"), ("—", "task"),
        (
            "Every one of these words is part of a title that goes on for longer than an id may",
            "every-one-of-these-words-is-part-of-a-title-that-goes"
        ),
        (String(repeating: "x", count: 200), String(repeating: "x", count: 55)),
    ])
    func `an id is made from the words of the title`(title: String, id: String) {
        #expect(TaskID.made(from: title, taken: []) == id)
        #expect(TaskID.isValid(id))
        #expect(TaskID.made(from: title, taken: [id, "\(id)-2"]) == "\(id)-3")
    }

    @Test(arguments: Seed.some(300))
    func `what is written is read back exactly`(seed: Seed) throws {
        var seed = seed
        let template = Arbitrary.template(&seed)
        #expect(try ChecklistTemplate(yaml: template.yaml.utf8) == template, "\(template.yaml)")
    }

    @Test func `an exported file stays as it is when it is imported and exported again`() throws {
        for shipped in ShippedTemplate.restaurant {
            let text = try ChecklistTemplate(yaml: shipped.yaml).yaml
            #expect(try ChecklistTemplate(yaml: text.utf8).yaml == text)
        }
    }
}

/// Random templates in the order of a tree, with texts that YAML could misunderstand.
private enum Arbitrary {
    static func template(_ seed: inout Seed) -> ChecklistTemplate {
        var ids = 0
        return ChecklistTemplate(
            name: text(&seed, atMost: 80), names: titles(&seed, atMost: 80),
            kind: seed.pick([.preShift, .before, .during, .after, .travelPath]),
            dayParts: seed.pick([[], [.day], [.evening], [.evening, .day]]),
            sections: (0...seed.below(3)).map { number in
                ChecklistSection(
                    id: "section-\(number)", name: text(&seed, atMost: 80),
                    names: titles(&seed, atMost: 80),
                    tasks: tasks(&seed, parent: "", depth: 1, &ids))
            }, crew: seed.pick([.unspecified, .tick, .inspect]),
            weekdays: seed.pick([[], [1], [2, 6, 7]]))
    }

    private static func answer(_ seed: inout Seed) -> AnswerRule {
        let limit = Int64(seed.below(40_000)) - 20_000
        switch seed.below(4) {
        case 0:
            return AnswerRule(
                kind: .number, unit: seed.pick(["", "°C", "no", "#", "- x"]),
                least: seed.oneIn(2) ? limit : nil, most: seed.oneIn(2) ? limit + 7 : nil)
        case 1:
            return AnswerRule(
                kind: .choice,
                choices: (0...seed.below(4)).map { number in
                    AnswerChoice(
                        text: seed.pick(["yes", "2", "*a", "[", "é: "]) + "\(number)",
                        notOk: seed.oneIn(3))
                })
        case 2: return AnswerRule(kind: .text)
        default: return AnswerRule(kind: .signature)
        }
    }

    private static func tasks(
        _ seed: inout Seed, parent: String, depth: Int, _ ids: inout Int
    ) -> [ChecklistTask] {
        var tasks: [ChecklistTask] = []
        for _ in 0..<seed.below(depth == 1 ? 5 : 3) {
            ids += 1
            let task = ChecklistTask(
                id: "t\(ids)", parent: parent, title: text(&seed, atMost: 200),
                titles: titles(&seed, atMost: 200),
                note: seed.oneIn(3) ? text(&seed, atMost: 400) + "\n\n  next: line\n" : "",
                general: seed.oneIn(2),
                area: seed.pick(["manager", "kitchen", "bar: 2", "no", ""]),
                priority: seed.pick(["immediate", "during-shift", "#1"]),
                carryOut: seed.oneIn(2) ? UInt32(seed.below(1_440)) : nil,
                timeCritical: seed.oneIn(2), securityRound: seed.oneIn(2),
                link: seed.oneIn(4) ? text(&seed, atMost: 80) : "",
                answer: seed.oneIn(2) ? answer(&seed) : nil)
            tasks.append(task)
            guard depth < TemplateLimits.depth, seed.oneIn(3) else { continue }
            tasks += self.tasks(&seed, parent: task.id, depth: depth + 1, &ids)
        }
        return tasks
    }

    private static func titles(_ seed: inout Seed, atMost limit: Int) -> [String: String] {
        var titles: [String: String] = [:]
        for language in ["nb", "sv", "no", "id"] where seed.oneIn(3) {
            titles[language] = text(&seed, atMost: limit)
        }
        return titles
    }

    private static func text(_ seed: inout Seed, atMost limit: Int) -> String {
        let texts = [
            "true", "NO", "~", "null", "1e308", "0x1F", "10:15", "- a", "a: b", "a #b", "#", "&a",
            "*a", "|", ">", "%", "@", "`", "'", "\"", "\\", "[a, b]", "{a: b}", "? a", "---", "...",
            " lead", "trail ", "å ø ä é –", "日本", "🍔", "👨‍🍳", "e\u{301}", "x\u{FEFF}y",
            "\u{E000}", "= <<", "!tag", "a:", "::", "<<",
        ]
        let count = 1 + seed.below(4)
        let text = (0..<count).map { _ in seed.pick(texts) }.joined(
            separator: seed.pick(["", " "]))
        return String(text.prefix(limit))
    }
}
