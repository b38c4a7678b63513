import FloorPlan
import Messages
import Testing

@testable import PlanDrawing

/// Plans drawn with characters.
struct CharacterTests {
    @Test(arguments: [(80, 24), (40, 12), (200, 60), (20, 8)])
    func `a plan keeps within its columns and rows`(columns: Int, rows: Int) throws {
        for items in [Homes.flat, Homes.bathroom] {
            let picture = try PictureTests.picture(items)
            let text = picture.text(columns: columns, rows: rows, coloured: false)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(lines.count <= rows)
            for line in lines { #expect(CharacterCanvas.width(String(line)) <= columns, "\(line)") }
        }
    }

    @Test func `walls are joined, doors are gaps, and rooms have their names`() throws {
        let picture = try PictureTests.picture(Homes.flat)
        let text = picture.text(columns: 120, rows: 48, coloured: false)
        for sign in ["┏", "┓", "┗", "┛", "┣", "┻", "░", "═", "║", "▶", "┄"] {
            #expect(text.contains(sign), "\(sign)")
        }
        for name in ["Living room", "Bedroom", "Hall", "Bathroom", "Kitchen", "16.7 m²"] {
            #expect(text.contains(name), "\(name)")
        }
        #expect(text.contains("░ door") && text.contains("═ window"))
    }

    @Test func `the size of a home doesn't include the swing of its doors`() throws {
        let text = try PictureTests.picture(Homes.bathroom)
            .text(columns: 80, rows: 24, coloured: false)
        #expect(text.hasPrefix("Home of Kari, 2.40 × 2.60 m\n"))
    }

    @Test func `without colours there are no escape codes`() throws {
        let picture = try PictureTests.picture(Homes.flat)
        #expect(!picture.text(columns: 80, rows: 24, coloured: false).contains("\u{1B}"))
        #expect(picture.text(columns: 80, rows: 24, coloured: true).contains("\u{1B}[1m"))
    }

    @Test func `a region of a plan fills the screen`() throws {
        let region = PictureOptions.Region(centre: Vector(7_700, 5_500), width: 4_000)
        let picture = try PictureTests.picture(Homes.flat, PictureOptions(region: region))
        let text = picture.text(columns: 80, rows: 24, coloured: false)
        #expect(text.contains("Bathroom") && !text.contains("Living room"))
    }

    @Test(arguments: [(-20_000.0, 0.0), (20_000, 0), (0, -20_000), (0, 20_000)])
    func `a region on any side of the rooms shows none of them`(east: Double, north: Double)
        throws
    {
        let centre = Vector(7_700 + east, 5_500 + north)
        let region = PictureOptions.Region(centre: centre, width: 4_000)
        let picture = try PictureTests.picture(Homes.flat, PictureOptions(region: region))
        let text = picture.text(columns: 80, rows: 24, coloured: false)
        #expect(!text.contains("Bathroom") && !text.contains("Living room"))
    }

    @Test func `a name is broken only between words, and hanging things hide nothing`() throws {
        func cupboard(_ label: String, elevation: UInt32) -> PlanItem {
            PlanItem(
                item: .element(
                    Element(
                        id: label, kind: .cupboard, label: label,
                        centre: PlanPoint(x: 2_000, y: 1_500), width: 700, depth: 1_000,
                        elevation: elevation)))
        }
        func drawn(_ item: PlanItem) throws -> String {
            let wall = Homes.wall("w", (0, 0), (4_000, 0))
            let north = Homes.wall("n", (0, 3_000), (4_000, 3_000))
            return try PictureTests.picture([wall, north, item])
                .text(columns: 40, rows: 24, coloured: false)
        }
        let broken = try drawn(cupboard("Linen box", elevation: 0))
        #expect(broken.contains("Linen") && broken.contains("box") && !broken.contains("Linen box"))
        let cut = try drawn(cupboard("Wardrobe", elevation: 0))
        #expect(cut.contains("…") && !cut.contains("robe"))
        #expect(try !drawn(cupboard("Linen box", elevation: 1_400)).contains("Linen"))
    }

    @Test func `a name that is too long for the legend shows that it was cut`() throws {
        let name = "Lamp with a name that is much longer than the screen is wide"
        let lamp = PlanItem(
            item: .element(
                Element(
                    id: "lamp", label: name, centre: PlanPoint(x: 2_000, y: 1_500), width: 300,
                    depth: 400)))
        let walls = [
            Homes.wall("w", (0, 0), (4_000, 0)), Homes.wall("n", (0, 3_000), (4_000, 3_000)),
        ]
        let text = try PictureTests.picture(walls + [lamp])
            .text(columns: 40, rows: 24, coloured: false)

        let entry = try #require(text.split(separator: "\n").first { $0.hasPrefix("a Lamp") })
        #expect(entry.hasSuffix("…") && CharacterCanvas.width(String(entry)) <= 40)
    }
}
