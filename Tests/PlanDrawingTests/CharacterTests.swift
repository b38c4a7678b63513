import FloorPlan
import Messages
import Testing

@testable import PlanDrawing

/// Plans in characters.
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

    @Test func `without colours there are no signs that a terminal obeys`() throws {
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
}
