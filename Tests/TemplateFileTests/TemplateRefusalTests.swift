import Messages
import Testing

@testable import TemplateFile

/// Mistakes in a template file are reported with the line, the key and the fix.
struct TemplateRefusalTests {
    private static let head = "checklist: A\nkind: before\nsections:\n  - section: B\n    tasks:\n"

    @Test(arguments: [
        ("", 0, nil), ("- a\n- b", 1, nil), ("kind: before\nsections: []", 1, "checklist"),
        ("checklist: A\nkind: noon\nsections: []", 2, "kind"),
        ("checklist: A\nkind: before\nsections: []", 3, "sections"),
        ("checklist: A\nkind: before\nsections: 1e308", 3, "sections"),
        ("checklist: A\nkind: before\nday-parts: [day, night]\nsections: []", 3, "day-parts"),
        ("checklist: A\nkind: before\nday-parts: [day, day]\nsections: []", 3, "day-parts"),
        ("checklist: A\nkind: before\nweekdays: [mon, mon]\nsections: []", 3, "weekdays"),
        ("checklist: A\nkind: before\nweekdays: [someday]\nsections: []", 3, "weekdays"),
        ("checklist: A\nchecklist: B\nkind: before\nsections: []", 1, "checklist"),
        ("checklist: A\nversion: 1e308\nkind: before\nsections: []", 2, "version"),
        ("checklist: A\n---\nchecklist: B", 2, nil), ("checklist: A\n\tkind: before", 2, nil),
        ("checklist: 'A", 1, nil), ("? [a]\n: b", 1, nil),
        (head + "      - task: C\n        at: 1e308", 7, "at"),
        (head + "      - task: C\n        at: 24:00", 7, "at"),
        (head + "      - task: C\n        at: -1:00", 7, "at"),
        (head + "      - task: C\n        at: 37500000000000000:10", 7, "at"),
        (head + "      - task: C\n        at: [10, 15]", 7, "at"),
        (head + "      - task: C\n        general: maybe", 7, "general"),
        (head + "      - task: C\n        answer: mood", 7, "answer"),
        (head + "      - task: C\n        least: 4", 7, "least"),
        (head + "      - task: C\n        answer: text\n        unit: kg", 8, "unit"),
        (head + "      - task: C\n        answer: number\n        most: 1e308", 8, "most"),
        (head + "      - task: C\n        answer: number\n        choices: [a]", 8, "choices"),
        ("checklist: A\nkind: before\ncrew: all\nsections: []", 3, "crew"),
        (head + "      - task: C\n        id: Über", 7, "id"),
        (head + "      - task: C\n        id: c\n      - task: D\n        id: c", 8, "id"),
        (head + "      - task: C\n        colour: red", 7, "colour"),
        (head + "      - task: C\n        titles: {norsk: D}", 7, "norsk"),
        (head + "      - task: C\n        titles: D", 7, "titles"),
        (head + "      - task: C\n        tasks: D", 7, "tasks"),
        (head + "      - area: kitchen", 6, "task"), (head + "      - ''", 6, "task"),
        (head + "      - []", 6, nil), (head + "      - \"a\\nb\"", 6, "task"),
        (head + "      - \"a\\e[31m\"", 6, "task"),
        (head + "      - \"a\\0\"", 6, "task"),
        (head + "      - " + String(repeating: "x", count: 201), 6, "task"),
        (head + "      - e" + String(repeating: "\u{301}", count: 5_000), 6, "task"),
        (head + "      - task: &a C\n      - *a", 7, nil),
        (head + "      - *nothing", 6, nil), (head + "      - <<: {task: C}", 6, "<<"),
        ("- section: B", 1, nil),
    ])
    func `a mistake is reported with its line and key`(text: String, line: Int, key: String?) {
        let error = #expect(throws: TemplateFileError.self) {
            try ChecklistTemplate(yaml: text.utf8)
        }
        #expect(error?.line == line, "\(error?.description ?? "")")
        #expect(error?.key == key, "\(error?.description ?? "")")
        #expect(error?.cure.isEmpty == false)
    }

    @Test func `aliases that would expand without end are refused immediately`() {
        var text = "a0: &a0 [x, x]\n"
        for level in 1...60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        text += "? *a60\n: b\n? *a59\n: c\n"
        let error = #expect(throws: TemplateFileError.self) {
            try ChecklistTemplate(yaml: text.utf8)
        }
        #expect(error?.line == 2)
    }

    @Test func `a file that is too large, too deep or has too many items is refused`() {
        let many = String(repeating: "      - C\n", count: TemplateLimits.tasks + 1)
        let flow = "sections: " + String(repeating: "[", count: 5_000)
        let deep = (0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        var tasks = Self.head
        for level in 0...TemplateLimits.depth {
            let margin = String(repeating: " ", count: 6 + 4 * level)
            tasks += "\(margin)- task: C\n\(margin)  tasks:\n"
        }
        let keys = (0..<50_000).map { "k\($0): 1\n" }.joined()
        let large = String(repeating: "#\n", count: TemplateLimits.bytes)
        for text in [Self.head + many, flow, deep, tasks, keys, large] {
            #expect(throws: TemplateFileError.self) { try ChecklistTemplate(yaml: text.utf8) }
        }
        let error = #expect(throws: TemplateFileError.self) {
            try ChecklistTemplate(yaml: Array("checklist: ".utf8) + [0xFF, 0xFE])
        }
        #expect(error?.description == "file: is not UTF-8 text; save it as UTF-8")
    }

    @Test func `a mistake is reported in one sentence`() {
        let error = #expect(throws: TemplateFileError.self) {
            try ChecklistTemplate(yaml: (Self.head + "      - task: C\n        at: 25:00").utf8)
        }
        #expect(
            error?.description == "line 7: at: “25:00” isn't a time of day; "
                + "write hours and minutes, from 00:00 to 23:59, e.g. 10:15")
    }

    @Test func `files with other line ends and a byte order mark are read`() throws {
        let text = "\u{FEFF}" + Self.head + "      - C & D *bold*\n"
        let windows = text.replacing("\n", with: "\r\n")
        #expect(
            try ChecklistTemplate(yaml: windows.utf8) == ChecklistTemplate(yaml: text.utf8))
    }
}
