import Testing

/// The size of the parts that a person has to understand as a whole.
struct StructureTests {
    /// The maximum number of files in a dependency cycle.
    static let longestCycle = 3
    /// The maximum number of Swift files in one folder.
    static let mostFiles = 25

    @Test func `at most three files of a module depend on one another`() throws {
        let modules = try ModuleGraph.all()
        #expect(modules.count > 30)
        let cycles = modules.flatMap(\.cycles).filter { $0.count > Self.longestCycle }
        #expect(cycles == [])
    }

    @Test func `the code map names every library and every service`() throws {
        let map = try Repository.file("ARCHITECTURE.md").text
        let manifest = try Repository.file("Package.swift").text
        let folders = Repository.paths.filter {
            $0.hasPrefix("Shared/") || $0.hasPrefix("Services/")
        }.map { $0.split(separator: "/").dropLast() }
        let ofProducts = Set(folders.joined())
        let libraries = Set(manifest.matches(of: /library\(\s*"(\w+)"/).map { $0.1 })
            .intersection(ofProducts)
        #expect(libraries.count > 40)
        let services = Set(
            folders.filter { $0.first == "Services" }.compactMap { $0.dropFirst().first })
        let absent = libraries.filter {
            !map.contains("`\($0)`") && !map.contains("`Shared/\($0)`")
        }
        #expect(absent.sorted() == [])
        #expect(services.filter { !map.contains("**`Services/\($0)`**") }.sorted() == [])
    }

    @Test func `a folder has at most 25 Swift files`() {
        let folders = Dictionary(grouping: Repository.swift) { file in
            file.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        let full = folders.filter { $0.value.count > Self.mostFiles }
            .map { "\($0.key): \($0.value.count)" }
        #expect(full.sorted() == [])
    }

    @Test func `a cycle is found by the types that files declare and mention`() throws {
        func file(_ name: String, _ text: String) -> TextFile {
            TextFile("Shared/Toy/\(name).swift", text: text)
        }
        let files = [
            file("Hen", "struct Hen { let egg: Egg }"),
            file("Egg", "/// Of a Fox.\npublic enum Egg { case whole(\n  Nest) }"),
            file("Nest", "final class Nest {\n    struct Fox {}\n    let hens = [Hen]()\n}"),
            file("Fox", "struct Fox { let prey: Hen }"),
            file("Hen+Song", "extension Hen { func sing(to fox: Fox) {} }"),
        ]
        #expect(
            ModuleGraph("Shared/Toy", files).cycles == [
                ["Shared/Toy/Egg.swift", "Shared/Toy/Hen.swift", "Shared/Toy/Nest.swift"]
            ])
    }
}
