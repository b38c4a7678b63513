import FloorPlan
import Foundation
import FoundationXML
import Messages
import Papers
import Testing

@testable import PlanDrawing

/// What a picture of a plan shows, and at which size.
struct PictureTests {
    static let details = PlanDetails(
        name: "Home of Kari", address: "Storgata 1", client: "K-7", author: "Ola", tolerance: 5)

    @Test func `a blocked door is drawn as far open as it goes, with the remaining width`()
        throws
    {
        func drawn(_ things: [PlanItem]) throws -> (texts: [String], leaf: [Drawing.Point]) {
            let door = Opening(
                id: "door", wall: "wall", kind: .door, offset: 1_000, width: 900, height: 2_000,
                clearWidth: 800)
            let picture = try Self.picture(
                [
                    Homes.wall("wall", (0, -50), (3_000, -50)),
                    Homes.room(
                        "room", "Room", .bedroom, [(0, 0), (3_000, 0), (3_000, 3_000), (0, 3_000)]),
                    PlanItem(item: .opening(door)),
                ] + things)
            let texts = Self.texts(picture, ["dimensions"]).map(\.words)
            return (texts, try Read(picture.svg()).places(of: "door"))
        }
        let free = try drawn([])
        let desk = Homes.element("desk", .table, "Desk", at: (1_300, 800), 400, 400)
        let stopped = try drawn([desk])

        #expect(free.texts.contains("80") && !free.texts.contains { $0.contains("°") })
        #expect(stopped.texts.contains("50°: 22.4"), "\(stopped.texts)")
        #expect(!stopped.texts.contains("80"))
        // The open leaf reaches less far into the room.
        func height(_ points: [Drawing.Point]) -> Double {
            (points.map(\.y).max() ?? 0) - (points.map(\.y).min() ?? 0)
        }
        #expect(height(stopped.leaf) < 0.9 * height(free.leaf))
    }

    static func picture(
        _ items: [PlanItem], _ options: PictureOptions = PictureOptions(),
        findings: [PlanFinding] = [], reach: PlanReach? = nil
    ) throws -> PlanPicture {
        try PlanPicture(
            FloorPlan(items), details, options: options, findings: findings, reach: reach)
    }

    /// The texts of some layers, or of all.
    static func texts(_ picture: PlanPicture, _ layers: [String]? = nil) -> [Drawing.Text] {
        picture.drawing.parts.filter { layers?.contains($0.name) ?? true }.flatMap { part in
            part.marks.compactMap { mark in
                if case .text(let text) = mark.shape { text } else { nil }
            }
        }
    }

    /// The whole SVG as an XML parser reads it: its root's attributes, the ids of items with their
    /// paths and texts, and all text.
    final class Read: NSObject, XMLParserDelegate {
        var root: [String: String] = [:]
        var items: Set<String> = []
        var paths: [String: [String]] = [:]
        /// The visible paths.
        private var inked: [String: [String]] = [:]
        var text = ""
        private var open: [String] = []

        init(_ svg: [UInt8]) throws {
            super.init()
            let parser = XMLParser(data: Data(svg))
            parser.delegate = self
            guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            if name == "svg" { root = attributes }
            open.append(attributes["data-item"] ?? open.last ?? "")
            if let item = attributes["data-item"] { items.insert(item) }
            guard let path = attributes["d"] else { return }
            paths[open.last ?? "", default: []].append(path)
            // White shapes are only backgrounds for texts.
            let isWhite = attributes["stroke"] == nil && attributes["fill"] == "#ffffff"
            if !isWhite { inked[open.last ?? "", default: []].append(path) }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) {
            open.removeLast()
            text += " "
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        /// The corners of the visible parts of an item, in millimetres of the page.
        func places(of item: String) -> [Drawing.Point] {
            (inked[item] ?? []).flatMap { path in
                path.matches(of: /([MLC])([-0-9. ]+)/).flatMap { step in
                    let numbers = step.2.split(separator: " ").compactMap { Double($0) }
                    // A curve has two control points, and ends at its last point.
                    return stride(from: step.1 == "C" ? 4 : 0, to: numbers.count - 1, by: 2).map {
                        Drawing.Point(numbers[$0], numbers[$0 + 1])
                    }
                }
            }
        }
    }

    @Test(arguments: [20, 50, 100])
    func `a wall of four metres is drawn true to scale in SVG`(scale: UInt32) throws {
        let picture = try Self.picture(
            [Homes.wall("a", (0, 0), (4_000, 0))], PictureOptions(scale: .oneTo(scale)))
        let svg = try Read(picture.svg())
        let view = try #require(svg.root["viewBox"]).split(separator: " ").compactMap {
            Double($0)
        }
        let width = try #require(svg.root["width"])
        #expect(width.hasSuffix("mm") && Double(width.dropLast(2)) == view[2])
        let path = try #require(svg.paths["a"]?.first)
        let numbers = path.split { "MLZ ".contains($0) }.compactMap { Double($0) }
        let xs = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
        let length = try #require(xs.max()) - #require(xs.min())
        #expect(abs(length - 4_000 / Double(scale)) < 0.01)
    }

    @Test func `a wall of four metres is 80 mm long on the page of a PDF at 1 to 50`() throws {
        let picture = try Self.picture(
            [Homes.wall("a", (0, 0), (4_000, 0))],
            PictureOptions(dimensions: false, corners: false))
        #expect(picture.scale == 50)
        // Ten pixels per millimetre. Nothing else on the page is as grey as the wall.
        let page = try Reader.pixels(picture.pdf(), perInch: 254)
        var longest = 0
        for row in page.rows {
            var run = 0
            for pixel in row {
                run = (44...60).contains(pixel) ? run + 1 : 0
                longest = max(longest, run)
            }
        }
        #expect(abs(longest - 800) <= 1)
        #expect((2_970...2_971).contains(page.width))
    }

    @Test func `everything in a plan is in every format`() throws {
        let picture = try Self.picture(Homes.flat)
        let svg = try Read(picture.svg())
        #expect(Set(Homes.flat.map(\.id)).subtracting(svg.items) == [])
        let page = try Reader.text(picture.pdf())
        let screen = picture.text(columns: 100, rows: 60, coloured: false)
        for label in Homes.flat.compactMap(Self.label) {
            #expect(svg.text.contains(label), "\(label)")
            #expect(page.contains(label), "\(label)")
            #expect(screen.replacing("\n", with: " ").contains(label.prefix(3)), "\(label)")
        }
        let pages = [
            "PDF": Raster(try Reader.pixels(picture.pdf(), perInch: 127).rows, perMillimetre: 5),
            "PNG": try Reader.picture(picture.png(), perMillimetre: 6),
        ]
        let ids = Homes.flat.map(\.id)
        for (format, page) in pages {
            #expect(abs(page.width - picture.drawing.width) < 0.5, "\(format)")
            #expect(abs(page.height - picture.drawing.height) < 0.5, "\(format)")
            for id in ids {
                let places = svg.places(of: id)
                #expect(!places.isEmpty, "\(id)")
                // Texts cover it in some places.
                let drawn = places.count(where: page.isDrawn)
                #expect(drawn * 10 >= places.count * 9, "\(id) in \(format)")
            }
            for text in Self.texts(picture, ["labels"]) {
                #expect(page.isWritten(in: text.box), "\(text.words) in \(format)")
            }
        }
    }

    @Test func `nothing that isn't in a plan is in any format`() throws {
        let places = try Read(Self.picture(Homes.flat).svg()).places(of: "thing")
        let without = try Self.picture(Homes.flat.filter { $0.id != "thing" })
        let pages = [
            Raster(try Reader.pixels(without.pdf(), perInch: 127).rows, perMillimetre: 5),
            try Reader.picture(without.png(), perMillimetre: 6),
        ]
        #expect(places.count >= 4)
        for page in pages { #expect(!places.contains(where: page.isDrawn)) }
        #expect(try !Read(without.svg()).items.contains("thing"))
    }

    private static func label(_ item: PlanItem) -> String? {
        switch item.item {
        case .room(let room): room.name
        case .element(let element): element.label.isEmpty ? nil : element.label
        default: nil
        }
    }

    @Test(arguments: ["en", "nb", "sv"])
    func `no text overlaps another, and none is cut off`(language: String) throws {
        for items in [Homes.bathroom, Homes.flat, Homes.fourMetres] {
            for scale in [PictureOptions.Scale.automatic, .oneTo(100)] {
                let picture = try Self.picture(
                    items, PictureOptions(scale: scale, language: language))
                let texts = Self.texts(picture, ["labels", "dimensions", "openings", "circles"])
                #expect(texts.count > 4)
                let sheet = try Sheet(picture.measures, picture.options, notes: 0)
                for (index, text) in texts.enumerated() {
                    let box = text.box
                    #expect(box.x >= sheet.window.x && box.y >= sheet.window.y, "\(text.words)")
                    #expect(box.x + box.width <= picture.drawing.width - Sheet.margin)
                    for other in texts[(index + 1)...] where Self.overlap(box, other.box) {
                        Issue.record("\(text.words) lies on \(other.words)")
                    }
                }
            }
        }
    }

    private static func overlap(_ a: Drawing.Box, _ b: Drawing.Box) -> Bool {
        // Boxes have some space around their texts.
        let slack = 0.35
        return a.x + slack < b.x + b.width && b.x + slack < a.x + a.width
            && a.y + slack < b.y + b.height && b.y + slack < a.y + a.height
    }

    @Test func `hidden things aren't drawn`() throws {
        func layers(_ options: PictureOptions) throws -> Set<String> {
            Set(try Self.picture(Homes.flat, options).drawing.parts.map(\.name))
        }
        #expect(try layers(PictureOptions()).isSuperset(of: ["dimensions", "labels", "corners"]))
        #expect(try !layers(PictureOptions(dimensions: false)).contains("dimensions"))
        #expect(try !layers(PictureOptions(labels: false)).contains("labels"))
        #expect(try !layers(PictureOptions(corners: false)).contains("corners"))
    }

    @Test func `areas and lengths are written as usual in each language`() throws {
        func words(_ options: PictureOptions) throws -> [String] {
            Self.texts(try Self.picture(Homes.bathroom, options)).map(\.words)
        }
        let english = try words(PictureOptions())
        #expect(english.contains("5.3 m²") && english.contains("Scale 1:50"))
        // From wall surface to wall surface, and overall.
        #expect(english.contains("220") && english.contains("240") && english.contains("260"))
        let norwegian = try words(PictureOptions(unit: .millimetres, language: "nb"))
        #expect(norwegian.contains("5,3 m²") && norwegian.contains("Inngang"))
        #expect(norwegian.contains("2200") && norwegian.contains("Målestokk 1:50"))
        let swedish = try words(PictureOptions(language: "sv"))
        #expect(swedish.contains("Entré") && swedish.contains { $0.hasPrefix("Tvättställ") })
    }

    @Test func `a plan that is too large for 1 to 50 on A4 is drawn on A3, and then smaller`()
        throws
    {
        func drawn(_ side: Int32) throws -> PlanPicture {
            try Self.picture([
                Homes.wall("a", (0, 0), (side, 0)), Homes.wall("b", (0, 0), (0, side)),
            ])
        }
        let small = try drawn(5_000)
        #expect(small.scale == 50 && small.drawing.width == 297)
        let larger = try drawn(10_000)
        #expect(larger.scale == 50 && larger.drawing.width == 420)
        #expect(larger.remarks.first?.contains("A3") == true)
        let house = try drawn(40_000)
        #expect(house.scale == 200 && house.remarks.first?.contains("1:200") == true)
        #expect(try drawn(2_000_000).scale == 10_000)
    }

    @Test func `a plan that doesn't fit on the paper is refused, and larger paper is named`() {
        let options = PictureOptions(scale: .oneTo(50), paper: .a4)
        let refusal = #expect(throws: Refusal.self) {
            try Self.picture([Homes.wall("a", (0, 0), (30_000, 0))], options)
        }
        #expect(refusal?.message.contains("A4") == true)
        #expect(refusal?.message.contains("30.0") == true)
    }

    @Test func `a region fills the picture, and things outside it aren't named`() throws {
        let region = PictureOptions.Region(centre: Vector(7_700, 5_500), width: 4_000)
        let picture = try Self.picture(Homes.flat, PictureOptions(region: region))
        #expect(abs(picture.scale - 4_000 / 281) < 1e-9)
        let words = Self.texts(picture, ["labels"]).map(\.words)
        #expect(words.contains("Bathroom") && !words.contains("Living room"))
    }

    @Test func `findings that don't pass are numbered as in the report`() throws {
        let findings = ReportTests.findings
        let picture = try Self.picture(Homes.flat, findings: findings, reach: ReportTests.reach)
        let numbers = Self.texts(picture, ["findings"]).map(\.words)
        #expect(numbers == ["1", "2", "3"])
        let legend = Self.texts(picture, ["legend"]).map(\.words)
        #expect(legend.contains("not met") && legend.contains("uncertain or not measured"))
        #expect(legend.contains("only the chair doesn’t fit"))
        #expect(legend.contains("the chair doesn’t get there"))
        let screen = picture.text(columns: 100, rows: 40, coloured: false)
        #expect(screen.contains("✗1") && screen.contains("!2") && screen.contains("?3"))
    }

    @Test func `malicious labels break nothing`() throws {
        let hostile = [
            "<script>alert(1)</script>", "]]>&amp;\"'", "\u{202E}olleh", "שלום עולם", "👩🏽‍🦽🛏",
            String(repeating: "W", count: 10_000), "e" + String(repeating: "\u{301}", count: 5_000),
            "\u{1B}[31mred\u{0}\u{7}\n\r\t", "\u{FFFE}\u{FFFF}", "' onload='x",
        ]
        var items = [
            Homes.room("r", hostile[0], .living, [(0, 0), (9_000, 0), (9_000, 6_000), (0, 6_000)])
        ]
        for (index, label) in hostile.enumerated() {
            items.append(
                Homes.element(
                    "e\(index)<\"&\(label.prefix(20))", .table, label,
                    at: (Int32(index % 5) * 1_800 + 800, Int32(index / 5) * 2_500 + 1_000), 1_500,
                    800))
        }
        var details = PlanDetails(name: hostile[0], address: hostile[5], client: hostile[2])
        details.author = hostile[7]
        let plan = FloorPlan(items)
        let picture = try PlanPicture(plan, details)
        let svg = try Read(picture.svg())
        #expect(svg.text.contains("<script>alert(1)</script>"))
        #expect(!svg.items.contains { $0.hasPrefix("script") })
        #expect(picture.svg().count < 200_000)
        #expect(try picture.pdf().starts(with: Array("%PDF".utf8)))
        #expect(try !picture.png().isEmpty)
        let screen = picture.text(columns: 80, rows: 24, coloured: false)
        #expect(!screen.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(!screen.unicodeScalars.contains("\u{202E}"))
        let report = try PlanReport(plan, details, check: PlanCheck())
        #expect(!String(decoding: report.html(), as: UTF8.self).contains("<script"))
        #expect(try report.pdf().starts(with: Array("%PDF".utf8)))
    }

    @Test func `an empty plan gives a picture too`() throws {
        let picture = try Self.picture([])
        #expect(!picture.svg().isEmpty)
        #expect(try picture.pdf().starts(with: Array("%PDF".utf8)))
        #expect(!picture.text(columns: 0, rows: 0, coloured: true).isEmpty)
    }

    @Test func `a wall has gaps at its openings`() throws {
        let wall = Wall(
            id: "w", start: PlanPoint(x: 0, y: 0), end: PlanPoint(x: 4_000, y: 0), thickness: 100)
        let outline = try #require(WallOutlines([wall]).outlines["w"])
        let openings = [
            Opening(id: "a", wall: "w", kind: .door, offset: 500, width: 900),
            Opening(id: "b", wall: "w", kind: .window, offset: 2_000, width: 1_000),
        ]
        let pieces = wall.pieces(outline, openings).map { Bounds($0) }
        #expect(pieces.map(\.low.x) == [0, 1_400, 3_000])
        #expect(pieces.map(\.high.x) == [500, 2_000, 4_000])
    }
}
