import Foundation
import Testing

/// The layout of the repository: which module may import which, and lists that must agree.
struct LayoutTests {
    /// A folder, and the modules that its files may import. The longest matching folder counts.
    static let imports: [(folder: String, modules: Set<String>)] = [
        (
            "Shared/Messages/",
            ["CArena", "CMessages", "CProtobufC", "Foundation", "Synchronization"]
        ),
        ("Shared/Bus/", ["CZeroMQ", "Disk", "Foundation", "Messages", "Synchronization"]),
        (
            "Shared/ServiceRuntime/",
            [
                "Bus", "CRuntime", "Checksum", "Disk", "Foundation", "GRDB", "GRDBSQLite",
                "Messages", "Synchronization",
            ]
        ),
        ("Shared/Bisection/", []),
        ("Shared/Calendars/", ["Dates", "Foundation", "Texts"]),
        ("Shared/Checksum/", ["CSodium", "Foundation"]),
        ("Shared/Dates/", []),
        ("Shared/Disk/", ["Foundation"]),
        ("Shared/JSONText/", ["Texts"]),
        ("Shared/LocalTime/", ["Dates", "Foundation"]),
        ("Shared/Texts/", ["Foundation"]),
        ("Shared/WebClient/", ["CCurl", "Foundation", "Synchronization", "Texts"]),
        ("Shared/XMLText/", ["CExpat", "Messages", "Texts"]),
        ("Shared/Papers/", ["CCairo", "CPango", "Foundation", "Phrases", "Pictures"]),
        ("Shared/Phrases/", ["Messages"]),
        ("Shared/Pictures/", ["CJPEGCodec", "CPNG", "CZlib", "Checksum"]),
        (
            "Shared/ServiceRuntime/Access/TokenVerifier.swift",
            ["Bus", "CSodium", "GRDB", "Messages"]
        ),
        (
            "Services/gateway/",
            [
                "ActionLibrary", "AidCatalogue", "ArgumentParser", "Bus", "Calendars", "Checksum",
                "Dates", "DayPapers", "Disk", "FloorPlan", "Foundation", "GanttChart", "JSONText",
                "LocalTime", "MeetingTimes", "Messages", "Papers", "Phrases", "Pictures",
                "PlanDrawing", "PlanFiles", "PlanSpeech", "PlanWriting", "ProjectFiles",
                "ProjectLanguage", "ProjectNetwork", "ProjectRecord", "RideFile", "RideSources",
                "RideTracking", "RoutineDay", "ShiftClient", "ShiftLog", "ShiftPapers", "Speech",
                "TemplateFile", "Terminal", "Texts", "WorkCalendar", "WorkingCopy",
            ]
        ),
        ("Services/gateway/Speech/", ["Foundation"]),
        ("Services/gateway/Terminal/", ["Foundation", "Speech", "Synchronization"]),
        ("Services/gateway/PlanSpeech/", ["FloorPlan", "Foundation", "Messages", "Speech"]),
        (
            "Services/gateway/ShiftClient/",
            [
                "Bus", "Foundation", "LocalTime", "Messages", "Phrases", "ShiftLog", "Speech",
                "WorkingCopy",
            ]
        ),
        ("Services/gateway/WorkingCopy/", ["Disk", "Foundation", "Messages"]),
        (
            "Services/gateway/ProjectFiles/",
            [
                "Dates", "Foundation", "Messages", "ProjectNetwork", "ProjectRecord", "Texts",
                "WorkCalendar", "XMLText",
            ]
        ),
        (
            "Services/gateway/RideFile/",
            ["CExpat", "Dates", "Foundation", "Messages", "RideTracking", "Texts"]
        ),
        (
            "Services/gateway/RideSources/",
            [
                "CMosquitto", "CZlib", "Foundation", "JSONText", "Messages", "RideTracking",
                "Synchronization", "Texts", "WebClient", "XMLText",
            ]
        ),
        (
            "Services/notifier/",
            [
                "Bus", "Checksum", "Credentials", "Foundation", "GRDB", "LocalTime", "MailFormat",
                "Messages", "Phrases", "ServiceRuntime", "Synchronization", "Texts", "Transfers",
            ]
        ),
        ("Services/notifier/MailFormat/", ["Foundation"]),
        (
            "Services/notifier/Transfers/",
            ["CCurl", "CMosquitto", "Foundation", "Texts", "WebClient"]
        ),
        (
            "Services/gateway/TemplateFile/",
            ["Foundation", "LocalTime", "Messages", "ShiftLog", "Texts", "Yams"]
        ),
        (
            "Services/transit-alert-service/",
            [
                "Bisection", "Bus", "Dates", "Disk", "Foundation", "GRDB", "Messages", "Phrases",
                "RideTracking", "ServiceRuntime", "Synchronization", "Texts", "TransitFeed",
            ]
        ),
        (
            "Services/account-service/",
            [
                "Bus", "Credentials", "Foundation", "GRDB", "LocalTime", "Messages",
                "ServiceRuntime",
            ]
        ),
        ("Services/account-service/Credentials/", ["CSodium", "Foundation"]),
        (
            "Services/checklist-service/",
            [
                "Bus", "Checksum", "Dates", "Foundation", "GRDB", "LocalTime", "Messages", "Papers",
                "Phrases", "Pictures", "ServiceRuntime", "ShiftLog", "ShiftPapers",
                "Synchronization", "Texts",
            ]
        ),
        (
            "Services/checklist-service/ShiftPapers/",
            [
                "Foundation", "LocalTime", "Messages", "Papers", "Phrases", "Pictures", "ShiftLog",
                "Texts",
            ]
        ),
        (
            "Services/checklist-service/ShiftLog/",
            ["CSodium", "Checksum", "Dates", "Foundation", "LocalTime", "Messages"]
        ),
        (
            "Services/plan-service/",
            [
                "AccessRules", "AidCatalogue", "Bisection", "Bus", "FloorPlan", "Foundation",
                "GRDB", "LocalTime", "Messages", "Phrases", "PlanDrawing", "PlanWriting",
                "ServiceRuntime", "Synchronization", "Texts",
            ]
        ),
        (
            "Services/plan-service/AccessRules/",
            ["FloorPlan", "Foundation", "Messages", "Phrases", "Yams"]
        ),
        (
            "Services/plan-service/AidCatalogue/",
            ["Dates", "Foundation", "JSONText", "Messages", "Texts"]
        ),
        (
            "Services/plan-service/FloorPlan/",
            ["Bisection", "Foundation", "Messages", "Synchronization"]
        ),
        (
            "Services/plan-service/PlanDrawing/",
            ["FloorPlan", "Foundation", "Messages", "Papers", "Phrases"]
        ),
        ("Services/plan-service/PlanWriting/", ["FloorPlan", "Messages", "XMLText"]),
        (
            "Services/gateway/PlanFiles/",
            [
                "CZip", "FloorPlan", "Foundation", "JSONText", "Messages", "PlanWriting", "Texts",
                "XMLText",
            ]
        ),
        (
            "Services/routine-service/",
            [
                "ActionLibrary", "Bus", "Dates", "DayPlan", "Foundation", "GRDB", "LocalTime",
                "Messages", "Phrases", "Pictures", "RoutineDay", "ServiceRuntime",
            ]
        ),
        ("Services/routine-service/ActionLibrary/", ["Phrases"]),
        ("Services/routine-service/DayPlan/", []),
        ("Services/routine-service/DayPapers/", ["Dates", "Papers", "Phrases", "Pictures"]),
        (
            "Services/routine-service/RoutineDay/",
            ["ActionLibrary", "Dates", "Foundation", "LocalTime", "Messages", "Phrases"]
        ),
        (
            "Services/web-service/",
            [
                "BrowserSeal", "Bus", "CQREncode", "Checksum", "FloorPlan", "Foundation", "GRDB",
                "HTTPExchange", "HTTPServer", "Markup", "Messages", "Papers", "Phrases",
                "Pictures", "PlanDrawing", "PlanWriting", "RideFile", "RideTracking",
                "ServiceRuntime", "ShiftClient", "ShiftLog", "Speech", "Synchronization",
            ]
        ),
        ("Services/web-service/BrowserSeal/", ["CSodium", "Checksum"]),
        ("Services/web-service/HTTPExchange/", ["CZlib", "Checksum", "Foundation", "Texts"]),
        (
            "Services/web-service/HTTPServer/",
            ["Glibc", "HTTPExchange", "NIOCore", "NIOHTTP1", "NIOPosix", "Synchronization"]
        ),
        ("Services/web-service/Markup/", ["JSONText"]),
        ("Services/transit-alert-service/TransitFeed/", ["CZip", "Dates", "Foundation", "Texts"]),
        ("Services/transit-alert-service/RideTracking/", ["Foundation"]),
        (
            "Services/project-service/",
            [
                "Bus", "CalendarFeeds", "Calendars", "Dates", "Foundation", "GRDB", "LocalTime",
                "Messages", "Phrases", "ProjectLanguage", "ProjectNetwork", "ProjectRecord",
                "RedmineClient", "RedmineMirror", "ServiceRuntime", "Synchronization", "Texts",
                "WorkCalendar",
            ]
        ),
        (
            "Services/project-service/ProjectLanguage/",
            ["Dates", "Messages", "ProjectNetwork", "ProjectRecord", "WorkCalendar"]
        ),
        (
            "Services/project-service/RedmineClient/",
            ["CSodium", "Disk", "Foundation", "RedmineMirror", "WebClient"]
        ),
        ("Services/project-service/CalendarFeeds/", ["Calendars", "Foundation", "WebClient"]),
        ("Services/project-service/RedmineMirror/", ["Dates", "JSONText", "Texts"]),
        ("Services/project-service/Scheduling/", ["Bisection"]),
        ("Services/project-service/MeetingTimes/", ["Calendars"]),
        ("Services/project-service/WorkCalendar/", ["Bisection", "Dates"]),
        ("Services/project-service/ProjectNetwork/", ["Dates", "Scheduling", "WorkCalendar"]),
        (
            "Services/project-service/ProjectRecord/",
            [
                "Dates", "Foundation", "LocalTime", "Messages", "ProjectNetwork", "Scheduling",
                "WorkCalendar",
            ]
        ),
        (
            "Services/project-service/GanttChart/",
            ["Dates", "Papers", "Phrases", "ProjectNetwork", "WorkCalendar"]
        ),
    ]

    @Test func `a module imports only what its folder may know`() {
        #expect(Repository.swift.flatMap(Self.wrongImports) == [])
    }

    static func wrongImports(_ file: TextFile) -> [String] {
        let rule = imports.filter { file.path.hasPrefix($0.folder) }
            .max { $0.folder.count < $1.folder.count }
        guard let rule else { return [] }
        return file.imports.subtracting(rule.modules).sorted().map { "\(file.path): \($0)" }
    }

    @Test func `only tests import the test library, which a release build lacks`() {
        #expect(Repository.swift.filter(Self.importsTestsWrongly).map(\.path) == [])
    }

    static func importsTestsWrongly(_ file: TextFile) -> Bool {
        file.imports.contains("Testing")
            && !file.path.contains(/^Tests\/(?:(?:\w+Tests|TestThreads)\/|XCTMain\.swift$)/)
    }

    @Test func `in a service only files that store something import GRDB`() {
        #expect(Repository.swift.filter(Self.importsStoresWrongly).map(\.path) == [])
    }

    static func importsStoresWrongly(_ file: TextFile) -> Bool {
        file.path.hasPrefix("Services/") && file.imports.contains("GRDB")
            && !file.path.contains(/(?:Store|File|Schema|Writer)\.swift$/)
    }

    @Test func `the runtime names no service`() throws {
        let names = try Repository.file("Shared/Bus/ServiceName.swift").text
            .matches(of: /case (\w+) = "([a-z-]+)"/).map { (String($0.1), String($0.2)) }
        #expect(names.count >= 5)
        let runtime = Repository.swift.filter { $0.path.hasPrefix("Shared/ServiceRuntime/") }
        let named = names.flatMap { constant, name in
            runtime.flatMap { Self.places(naming: constant, name, in: $0) }
        }
        #expect(named == [])
    }

    static func places(naming constant: String, _ name: String, in file: TextFile) -> [String] {
        file.search.lines(having: [
            name, "ServiceName.\(constant)", "name == .\(constant)", "key == .\(constant)",
            "[.\(constant):",
        ]).map { "\(file.path):\($0.number)" }
    }

    @Test func `every service has its entry, its store and its page`() throws {
        for (product, module) in try Repository.services() {
            let folder = "Services/\(product)"
            let entry = try Repository.file("\(folder)/\(module).swift")
            #expect(entry.text.contains("@main struct \(module): Service"))
            #expect(
                Repository.files.contains {
                    $0.path.hasPrefix(folder) && $0.name.hasSuffix("Store.swift")
                }, "\(folder) has no store")
            #expect(Repository.exists("\(folder)/\(module).docc/\(module).md"))
        }
    }

    @Test func `the lists of services agree`() throws {
        let names = try Repository.file("Shared/Bus/ServiceName.swift").text
            .matches(of: /case \w+ = "([a-z-]+)"/).map { String($0.1) }.sorted()
        #expect(try Repository.services().map(\.product).sorted() == names)

        let folders = Set(
            Repository.swift.map { $0.path.split(separator: "/").map(String.init) }
                .filter { $0[0] == "Services" }.map { $0[1] })
        #expect(folders.subtracting(["gateway"]).sorted() == names)

        let readme = try Repository.file("README.md").text
        let table = try #require(readme.firstMatch(of: /\| Service \|(?:.*\n\|)+.*\n/)).0
        #expect(table.matches(of: /\n\| `([a-z-]+)` \|/).map { String($0.1) }.sorted() == names)
    }

    @Test func `every message, field and value in the protocol has a comment`() {
        let files = Repository.files.filter { $0.path.hasPrefix("Shared/Proto/") }
        #expect(files.flatMap(Self.bareDeclarations) == [])
    }

    static func bareDeclarations(_ file: TextFile) -> [String] {
        let lines = file.lines
        return file.search.lines(having: ["message ", "enum ", " = "]).filter { number, line in
            number > 1 && line.contains(/^ *(?:message|enum) \w+ \{|^ *[\w. <>,]+ = \d+;/)
                && !lines[number - 2].contains(/^ *\/\//)
        }.map { "\(file.path):\($0.number)" }
    }

    @Test func `no enum is named like a message`() {
        let protocols = Repository.files.filter {
            $0.path.hasPrefix("Shared/Proto/") && $0.name.hasSuffix(".proto")
        }
        let messages = protocols.flatMap { file in
            file.search.lines(having: ["message "])
                .compactMap { $0.text.firstMatch(of: /^message (\w+)/) }.map { String($0.1) }
        }
        let enums = Repository.swift.filter { !$0.path.hasPrefix("Tests/") }.flatMap { file in
            file.code.lines(having: ["enum "])
                .compactMap { $0.text.firstMatch(of: /^(?:package |public )?enum (\w+)/) }
                .map { String($0.1) }
        }
        #expect(messages.count > 300 && enums.count > 200)
        #expect(Set(messages).intersection(enums) == [])
    }

    /// The .proto files of the bus itself, and of the formats of others.
    private static let unpublished: Set = ["bus.proto", "osm.proto", "realtime.proto"]

    @Test func `all messages of a .proto file are on the page of one service`() {
        let published = Repository.files.filter {
            $0.path.hasPrefix("Shared/Proto/") && $0.name.hasSuffix(".proto")
                && !Self.unpublished.contains($0.name)
        }
        #expect(published.count > 10)
        let pages = Repository.files.filter {
            $0.path.hasPrefix("Services/") && $0.path.hasSuffix(".md")
        }
        let ofServices = Dictionary(grouping: pages) { $0.path.split(separator: "/")[1] }
        for file in published {
            let messages = file.search.lines(having: ["message ", "enum "])
                .compactMap { $0.text.firstMatch(of: /^(?:message|enum) (\w+)/) }
                .map { String($0.1) }
            #expect(!messages.isEmpty, "\(file.path)")
            let missing = ofServices.values.map { pages in
                messages.filter { name in !pages.contains { $0.search.has("`\(name)`") } }
            }
            #expect(missing.min { $0.count < $1.count } == [], "\(file.path)")
        }
    }

    @Test func `every link in a document leads somewhere`() {
        let documents = Repository.files.filter { $0.path.hasSuffix(".md") }
        #expect(documents.flatMap(Self.brokenLinks) == [])
    }

    static func brokenLinks(_ file: TextFile) -> [String] {
        let folder = URL(filePath: "/" + file.path).deletingLastPathComponent()
        return file.search.pieces(after: "](", until: ")# \t\n").map { String($0) }
            .filter { !$0.isEmpty && !$0.contains(":") }
            .filter { !Repository.exists(folder.appending(path: $0).standardized.path) }
            .map { "\(file.path): \($0)" }
    }

    @Test func `every path that a document names exists`() {
        let documents = Repository.files.filter { $0.path.hasSuffix(".md") }
        #expect(documents.flatMap(Self.missingPaths) == [])
    }

    static func missingPaths(_ file: TextFile) -> [String] {
        let path = /`((?:Services|Shared|Tests|deploy|docs|\.ci)\/[\w.\/+-]+)`/
        let folders = ["`Services/", "`Shared/", "`Tests/", "`deploy/", "`docs/", "`.ci/"]
        return file.search.lines(having: folders).flatMap { $0.text.matches(of: path) }
            .map { String($0.1) }.filter { !Repository.exists($0) }.map { "\(file.path): \($0)" }
    }

    @Test func `generated files say so in their first line`() {
        let silent = Repository.files.filter(\.isGenerated)
            .filter { !$0.text.hasPrefix("// Generated by ") }
        #expect(silent.map(\.path) == [])
    }

    @Test func `decisions are numbered without gaps and have the same five parts`() {
        let pages = Repository.files.filter { $0.path.hasPrefix("docs/decisions/") }
        let parts = [
            "## Problem", "## Decision", "## Because", "## What it costs", "## What we did not do",
        ]
        for (index, page) in pages.enumerated() {
            let number = String(index + 1)
            #expect(page.name.hasPrefix(String(repeating: "0", count: 4 - number.count) + number))
            #expect(page.lines.filter { $0.hasPrefix("## ") }.map(String.init) == parts)
        }
    }
}
