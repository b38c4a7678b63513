import FloorPlan
import Foundation
import Messages
import PlanWriting
import ServiceRuntime
import TestSupport
import Testing

@testable import PlanFiles

/// Malicious files, and damaged files.
struct HostileFileTests {
    /// Files that are refused with these words, quickly and with little memory.
    static let bombs: [(name: String, text: @Sendable () -> String, words: String)] = [
        (
            "entities in one another",
            {
                "<!DOCTYPE plan [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
                    + "<plan><name>&b;</name></plan>"
            }, "line 1 declares a document type"
        ),
        (
            "an entity of another file",
            {
                "<!DOCTYPE plan [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"
                    + "<plan><name>&a;</name></plan>"
            }, "declares a document type"
        ),
        (
            "an outer document type",
            { "<!DOCTYPE plan SYSTEM \"http://example.org/plan.dtd\"><plan/>" },
            "declares a document type"
        ),
        (
            "elements without end",
            { "<plan>" + String(repeating: "<a>", count: 100_000) }, "is in 64 others"
        ),
        (
            "an attribute without end",
            { "<plan><wall a=\"" + String(repeating: "x", count: 2 << 20) + "\"/></plan>" },
            "is over 1 MiB without an element"
        ),
        (
            "text without end",
            { "<plan><name>" + String(repeating: "x", count: 1 << 17) + "</name></plan>" },
            "<name> has 131072 bytes of text"
        ),
        (
            "names without end",
            { "<plan>" + (0..<2_000).map { "<n\($0)/>" }.joined() + "</plan>" },
            "is one of over 1000 names"
        ),
        (
            "one element with very many",
            { "<plan><wall>" + String(repeating: "<x/>", count: 300_010) + "</wall></plan>" },
            "is one of over 300000 elements in one"
        ),
        (
            "elements one after another without end",
            { "<plan>" + String(repeating: "<a/>", count: 200_001) + "</plan>" },
            "is one of over 200000 elements"
        ),
        (
            "more things than a plan has",
            {
                "<plan>"
                    + String(
                        repeating: "<rectangular><originPoint><x>1</x><y>1</y></originPoint>"
                            + "<width>1</width><height>1</height></rectangular>", count: 10_001)
                    + "</plan>"
            }, "a plan has at most 10000"
        ),
        (
            "a group of furniture without end",
            {
                "<home><furnitureGroup>"
                    + String(
                        repeating: "<doorOrWindow x='1' y='1' width='9' depth='9'/>", count: 40_001)
                    + "</furnitureGroup></home>"
            }, "is one thing too many for a home"
        ),
        (
            "more things on a storey than a plan has",
            {
                "<home>"
                    + String(
                        repeating: "<light x='1' y='1' width='9' depth='9'/>", count: 10_001)
                    + "</home>"
            }, "the storey has 10001 things, and a plan has at most 10000"
        ),
        (
            "parts of a scan without end",
            {
                "{\"walls\": [], \"sections\": ["
                    + Array(repeating: "{\"label\": \"\", \"center\": [0, 0, 0]}", count: 1_001)
                    .joined(separator: ",") + "]}"
            }, "sections are over 1000"
        ),
        (
            "a file of 40 MiB", { "<plan>" + String(repeating: " ", count: 40 << 20) },
            "is larger than 32 MiB of text"
        ),
        (
            "nameless ends without end",
            { "<plan>" + String(repeating: "<a></>", count: 20_000) + "<b" },
            "line 1, column 12 in <a>"
        ),
        (
            "lists in one another",
            { "{\"walls\": " + String(repeating: "[", count: 100_000) },
            "values are over 64 deep"
        ),
        (
            "values without end",
            { "{\"walls\": [" + String(repeating: "0,", count: 1_000_001) + "0]}" },
            "or over 1000000 in number"
        ),
        (
            "a name that is slow to compare",
            { "<plan><e" + String(repeating: "\u{301}", count: 300_000) + "/></plan>" },
            "has more than 30 combining marks in a row"
        ),
        (
            "an attribute whose name is slow to compare",
            { "<plan><a e" + String(repeating: "\u{301}", count: 300_000) + "='1'/></plan>" },
            "<a> has more than 30 combining marks in a row"
        ),
        (
            "a text that is slow to compare",
            {
                "<plan><name>e" + String(repeating: "&#x301;", count: 12_000) + "</name></plan>"
            }, "<name> has more than 30 combining marks in a row"
        ),
        (
            "an id that is slow to compare once its escapes are read",
            {
                "<plan version=\"1\"><room><id escaped=\"yes\">e"
                    + String(repeating: "\\u{301}", count: 10_000) + "</id></room></plan>"
            }, "has more than 30 combining marks in a row"
        ),
        (
            "a key that is slow to compare",
            { "{\"e" + String(repeating: "\\u0301", count: 300_000) + "\": 1}" },
            "has a text with more than 30 combining marks in a row"
        ),
        (
            "a key in UTF-16 that is slow to compare",
            {
                "{\0\"\0e\0" + String(repeating: "\u{1}\u{3}", count: 100_000)
                    + "\"\0:\0[\0]\0}\0"
            }, "isn't UTF-8 throughout"
        ),
        (
            "a number without end",
            { "{\"walls\": [" + String(repeating: "9", count: 100_000) + "]}" }, "plan.nav: "
        ),
    ]

    @Test(arguments: bombs.indices)
    func `a malicious file is refused`(number: Int) {
        let bomb = Self.bombs[number]
        expectRefusal(bomb.text(), bomb.words)
    }

    /// The program is killed if it takes too long, and fails if it needs too much memory.
    @Test(arguments: bombs.indices)
    func `a malicious file is refused quickly and in little memory`(
        number: Int
    ) throws {
        let bomb = Self.bombs[number]
        let system = try System()
        try Data(bomb.text().utf8).write(to: URL(filePath: system.path("plan.nav")))

        let program = try system.spawn(
            [
                "/usr/bin/prlimit", "--cpu=\(Self.mostSeconds)", "--data=\(Self.mostMemory)",
                "\(System.executables)/steward", "plan", "import", system.path("plan.nav"),
            ], environment: system.environment())

        #expect(try program.waitForEnd() == .exited(1), "\(bomb.name)")
        #expect(program.err.hasPrefix("steward: ") && program.err.contains("plan.nav"))
    }

    /// The most processor time that a file may take, in seconds, even without optimisation.
    private static let mostSeconds = 10
    /// The most memory that a program that reads a file may use, in bytes: a few copies of the
    /// largest file.
    private static let mostMemory = 384 << 20

    @Test(arguments: [
        [0xff, 0xff, 0xff], [0x50, 0x4b, 3, 4], [0x50, 0x4b], [0xff, 0xfe, 0x3c, 0],
        [0xef, 0xbb, 0xbf], [0x7b, 0xff, 0x7d], Array("<plan><name>\u{e5}".utf8.dropLast()),
        [0x1f, 0x8b, 8], Array("%PDF-1.7".utf8), [0],
    ])
    func `bytes that aren't text are refused`(bytes: [UInt8]) {
        #expect(throws: Refusal.self) { try PlanFile.read(bytes, named: "a") }
    }

    @Test func `very many openings in a wall are read quickly`() throws {
        let wall = Wall(id: "w", start: PlanPoint(), end: PlanPoint(x: 1_000_000, y: 0))
        let openings = (0..<9_999).map { number in
            Opening(
                id: "\(number)", wall: "w", kind: .window, offset: 5, width: 10, height: 1,
                sill: UInt32(number))
        }
        let items =
            [PlanItem(item: .wall(wall))] + openings.map { PlanItem(item: .opening($0)) }
        let bytes = WrittenPlan.native(PlanDetails(name: "Home"), items)
        let before = ProcessorTime.ofThisThread()
        #expect(try PlanFile.read(bytes, named: "a.nav").items == items)
        #expect(ProcessorTime.ofThisThread() - before < Double(Self.mostSeconds) / 2)
    }

    /// Files of every format, to be damaged.
    static let samples: [[UInt8]] = {
        var seed = Seed(7)
        var samples = [
            Array(BoligFileTests.sample.utf8), Array(RoomScanTests.room().utf8),
            Array(PanoramaFileTests.example.utf8),
            Array(HomeFileTests.home(HomeFileTests.furnished).utf8),
        ]
        do { samples.append(try Zip.bytes(["Home.xml": samples[3]])) } catch {}
        for _ in 0..<4 {
            let plan = ImportedPlan.any(&seed)
            samples.append(WrittenPlan.native(plan.details, plan.items))
            samples.append(WrittenPlan.boligXML(plan.details, plan.items))
        }
        guard let folder = Recordings.folder("plan") else { return samples }
        for name in [
            "seed/plan_A2_verbatim.xml", "roomplan/synthetic_room_4x3_rot30.json",
            "sh3d/Studio.Home.xml", "sh3d/Studio.sh3d",
        ] {
            do {
                samples.append([UInt8](try Data(contentsOf: folder.appending(path: name))))
            } catch {}
        }
        return samples
    }()

    /// The number of damaged files to read: `PLAN_MUTATIONS` in the environment, or this.
    static let mutations =
        ProcessInfo.processInfo.environment["PLAN_MUTATIONS"].flatMap { Int($0) } ?? 3_000

    /// Fragments that are difficult for readers.
    private static let pieces = [
        "1e308", "-1e308", "1e-320", "nan", "inf", "-1", "0", "99999999999", "4294967296",
        "2147483648", "</>", "<", ">", "&", "&#0;", "&#x10ffff;", "]]>", "<![CDATA[", "<!--", "\"",
        "'", "[", "]", "{", "}", ",", "null", "true", "\u{0}", "\\u0000", "\\ud800", "é", "👩‍🦽",
        "0x1p3", " ", "1000000", "-1000000", "<x>", "</x>", "<?xml", "PK", "\u{feff}", "1e3",
    ]

    static func damaged(_ seed: inout Seed) -> [UInt8] {
        var bytes = seed.pick(samples)
        for _ in 0...seed.below(4) where !bytes.isEmpty {
            let at = seed.below(bytes.count)
            switch seed.below(8) {
            case 0: bytes[at] = UInt8(truncatingIfNeeded: seed.next())
            case 1: bytes.removeSubrange(at..<min(at + seed.below(40), bytes.count))
            case 2: bytes.insert(contentsOf: Array(seed.pick(pieces).utf8), at: at)
            case 3: bytes.removeLast(bytes.count - at)
            case 4:
                let length = min(seed.below(400), bytes.count - at)
                bytes.insert(
                    contentsOf: Array(bytes[at..<at + length]), at: seed.below(bytes.count))
            default: replaceNumber(in: &bytes, from: at, seed.pick(pieces))
            }
        }
        return bytes
    }

    /// Replaces the next number.
    private static func replaceNumber(in bytes: inout [UInt8], from at: Int, _ text: String) {
        let digits = Set("0123456789.-".utf8)
        guard let start = bytes[at...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: Array(text.utf8))
    }

    @Test(arguments: Seed.some(20))
    func `a damaged file is read or refused, and the result can be stored`(seed: Seed) throws {
        var seed = seed
        for _ in 0..<max(Self.mutations / 20, 1) {
            let bytes = Self.damaged(&seed)
            var options = PlanFileOptions()
            options.unit = seed.pick(PlanFileOptions.Unit.allCases)
            options.origin = seed.pick(PlanFileOptions.Origin.allCases)
            options.wallThickness = seed.oneIn(3) ? UInt32(seed.below(3_000)) : nil
            let read: ImportedPlan
            let before = ProcessorTime.ofThisThread()
            defer { #expect(ProcessorTime.ofThisThread() - before < Double(Self.mostSeconds)) }
            do { read = try PlanFile.read(bytes, named: "a", options) } catch {
                #expect(!error.message.isEmpty)
                continue
            }
            let kept = WrittenPlan.native(read.details, read.items)
            #expect(kept.count <= 20 * bytes.count + (64 << 10))
            let again = try PlanFile.read(kept, named: "a")
            #expect(again.items == read.items && again.details == read.details)
        }
    }
}
