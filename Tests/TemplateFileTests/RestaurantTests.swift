import Messages
import Testing

@testable import TemplateFile

/// The checklists that come with the program.
struct RestaurantTests {
    /// Tasks that can be marked: those without children.
    static let counts: [String: Int] = [
        "pre-shift-day": 164, "pre-shift-evening": 61, "before-day": 17, "before-evening": 11,
        "during-day": 15, "during-evening": 15, "after-day": 12, "after-evening": 19,
        "travel-path": 22,
    ]

    @Test(arguments: ShippedTemplate.restaurant)
    func `each list has the expected number of tasks`(shipped: ShippedTemplate) throws {
        let template = try ChecklistTemplate(yaml: shipped.yaml)
        let tasks = template.sections.flatMap(\.tasks)
        let parents = Set(tasks.map(\.parent))
        #expect(tasks.count { !parents.contains($0.id) } == Self.counts[shipped.id])
    }

    @Test(arguments: ShippedTemplate.restaurant)
    func `everything has a title in English, Norwegian and Swedish`(
        shipped: ShippedTemplate
    ) throws {
        let template = try ChecklistTemplate(yaml: shipped.yaml)
        let titles =
            [(template.name, template.names)] + template.sections.map { ($0.name, $0.names) }
            + template.sections.flatMap(\.tasks).map { ($0.title, $0.titles) }
        for (title, others) in titles {
            #expect(!title.isEmpty)
            #expect(others.keys.sorted() == ["nb", "sv"], "\(title)")
            #expect(others.values.allSatisfy { !$0.isEmpty }, "\(title)")
        }
    }

    @Test(arguments: ShippedTemplate.restaurant)
    func `ids are unique, and every site has the areas and priorities`(
        shipped: ShippedTemplate
    ) throws {
        let template = try ChecklistTemplate(yaml: shipped.yaml)
        let tasks = template.sections.flatMap(\.tasks)
        #expect(Set(tasks.map(\.id)).count == tasks.count)
        #expect(Set(template.sections.map(\.id)).count == template.sections.count)
        #expect(tasks.allSatisfy { ["manager", "kitchen", "service"].contains($0.area) })
        let priorities = ["immediate", "before-rush", "during-shift", "next-shift"]
        #expect(tasks.allSatisfy { priorities.contains($0.priority) })
        for language in ["nb", "sv"] {
            let titles = tasks.map { "\($0.parent) \($0.titles[language] ?? "")" }
            #expect(Set(titles).count == titles.count)
        }
    }

    @Test func `a link leads to a list in the same day part`() throws {
        let templates = try ShippedTemplate.restaurant.map { try ChecklistTemplate(yaml: $0.yaml) }
        var links = 0
        for template in templates {
            for task in template.sections.flatMap(\.tasks) where !task.link.isEmpty {
                let target = try #require(templates.first { $0.name == task.link })
                #expect(target.kind == .preShift)
                #expect(target.dayParts == template.dayParts)
                links += 1
            }
        }
        #expect(links == 2)
    }

    @Test func `time-critical tasks have a time`() throws {
        for shipped in ShippedTemplate.restaurant {
            let tasks = try ChecklistTemplate(yaml: shipped.yaml).sections.flatMap(\.tasks)
            #expect(tasks.filter { $0.timeCritical && $0.carryOut == nil }.map(\.id) == [])
        }
    }

    @Test func `both pre-shift lists have a security round and general tasks`() throws {
        for shipped in ShippedTemplate.restaurant.prefix(2) {
            let tasks = try ChecklistTemplate(yaml: shipped.yaml).sections.flatMap(\.tasks)
            #expect(tasks.count(where: \.securityRound) >= 10)
            #expect(tasks.count(where: \.general) >= 5)
        }
    }

    @Test func `every list is there`() {
        #expect(ShippedTemplate.restaurant.map(\.id).sorted() == Self.counts.keys.sorted())
    }
}
