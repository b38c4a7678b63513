import Messages
import Testing

@testable import AidCatalogue

/// Written sizes and their millimetres.
struct SizeTests {
    /// A value, its unit, the minimum, the maximum, and whether it is only an estimate.
    static let sizes: [(String, String, Int?, Int?, Bool)] = [
        ("66,5", "cm", nil, 665, false), ("66.5", "CM", nil, 665, false),
        ("66,51", "cm", nil, 666, false), ("66,500", "cm", nil, 665, true),
        ("640", "mm", nil, 640, false), ("640,2", "mm", nil, 641, false),
        ("1,2", "m", nil, 1_200, false), ("0,625", "m", nil, 625, false),
        ("24", "\"", nil, 610, false), ("24,5", "tommer ", nil, 623, false),
        ("1", "inch", nil, 26, false), ("10", "in", nil, 254, false),
        ("62-68", "cm", 620, 680, false), ("62 – 68,5", "cm", 620, 685, false),
        ("62 til 68", "cm", 620, 680, false), ("68-62", "cm", 620, 680, false),
        ("60/65/70", "cm", 600, 700, false), ("45, 50, 55", "cm", 450, 550, false),
        ("45 og 50", "cm", 450, 500, false), ("min 60 maks 70", "cm", 600, 700, false),
        ("maks 70", "cm", nil, 700, false), ("< 70", "cm", nil, 700, false),
        ("min. 60", "cm", 600, nil, false), ("≥60", "cm", 600, nil, false),
        ("ca. 65", "cm", nil, 650, true), ("~65", "cm", nil, 650, true),
        ("65 cm", "cm", nil, 650, false), ("65cm", "", nil, 650, false),
        ("650 mm", "cm", nil, 6_500, true), ("65", "", nil, 650, true),
        ("1165", "", nil, 1_165, true), ("1 165", "mm", nil, 1_165, false),
        ("1.165", "mm", nil, 1_165, true), ("1.165,5", "mm", nil, 1_166, false),
        ("65 m/armlener", "cm", nil, 650, true), ("65 (uten hjul)", "cm", nil, 650, true),
        (" 65 ", " cm. ", nil, 650, false), ("65,0", "cm", nil, 650, false),
    ]

    @Test(arguments: sizes.indices)
    func `a size is read and never rounded down`(index: Int) throws {
        let (value, unit, least, most, isGuess) = Self.sizes[index]
        let size = try SizeText(value, unit: unit)
        #expect(size.least == least && size.most == most, "\(value) \(unit)")
        #expect(!size.doubt.isEmpty == isGuess, "\(value) \(unit): \(size.doubt)")
    }

    @Test(arguments: [
        ("", "cm"), (" ", "cm"), ("Rød", ""), ("65", "kg"), ("-5", "cm"), ("0", "cm"),
        ("60x120", "cm"), ("65 ± 2", "cm"), ("50+15", "cm"), ("1/2", "\""), ("45½", "cm"),
        ("9999999999", "cm"), ("100", "m"), ("1.2.3", "cm"), ("45,50,55", "cm"),
        (String(repeating: "6 ", count: 60), "cm"),
    ])
    func `anything but a plain size is refused with a reason`(value: String, unit: String) {
        #expect(throws: SizeTextFault.self) { try SizeText(value, unit: unit) }
    }

    @Test func `clearances are rounded down`() throws {
        #expect(try SizeText("3,55", unit: "cm", isFree: true).most == 35)
        #expect(try SizeText("1", unit: "inch", isFree: true).most == 25)
    }

    /// A label, what it measures, its bound, and the intended label if it is misspelt.
    static let labels: [(String, SizeLabel.Quantity?, SizeLabel.Bound, String)] = [
        ("Totalbredde", .width, .only, ""), ("TOTALBREDDE  maks", .width, .most, ""),
        ("Maks. totalbredde", .width, .most, ""), ("Totalbredde minimum", .width, .least, ""),
        ("Totalbreddde", .width, .only, "Totalbredde"),
        ("Totlabredde", .width, .only, "Totalbredde"),
        ("Totallengd", .depth, .only, "Totallengde"),
        ("Loefterens bredde", .width, .only, "Løfterens bredde"),
        ("Loøfterens lengde", .depth, .only, "Løfterens lengde"),
        ("Totalhøgde", .height, .only, "Totalhøyde"),
        ("Terkselhøyde maks", .threshold, .most, "Terskelhøyde"),
        ("Bredde", .width, .only, ""), ("Breddde", nil, .only, ""),
        ("Snudiameter", .turningDiameter, .only, ""),
        ("Bredde sammenlagt", nil, .only, ""), ("Ryggbredde", nil, .only, ""), ("", nil, .only, ""),
        ("Lengde min, v/transport", nil, .least, ""), ("Kjørelengde maks", nil, .most, ""),
    ]

    @Test(arguments: labels.indices)
    func `a label is recognised by its meaning`(index: Int) {
        let (label, quantity, bound, meant) = Self.labels[index]
        let read = SizeLabel(label)
        #expect(read?.quantity == quantity, "\(label)")
        guard let read else { return }
        #expect(read.bound == bound && read.meant == meant, "\(label)")
    }

    @Test func `a unit is recognised without regard to case and spaces`() {
        let spellings = [
            "mm", "cm", "CM ", "cm.", "Meter", "m", "tommer ", "inch", "\"", "tum", "dm",
        ]
        #expect(spellings.allSatisfy { LengthUnit($0) != nil })
        #expect(["kg", "grader", "stk.", "", "cm/sek", "km"].allSatisfy { LengthUnit($0) == nil })
    }

    @Test(arguments: [
        ("2025-06-01T00:00:00", 1_748_736_000_000 as Int64?),
        ("2023-08-22T13:39:51.884163", 1_692_711_591_884), ("1970-01-01", 0),
        ("2024-02-29T23:59:60Z", 1_709_251_200_000),
        ("2024-02-29T12:00:00+02:00", 1_709_200_800_000),
        ("2024-02-29 12:00", 1_709_208_000_000), ("+999999999-12-31T23:59:59.999999999", nil),
        ("1969-01-01T00:00:00", nil), ("2024-13-01T00:00:00", nil),
        ("2023-02-29T00:00:00", nil), ("2024-01-01T25:00:00", nil),
        ("2024-01-01T10:00:00 Oslo", nil), ("yesterday", nil), ("", nil),
    ])
    func `a time is read as milliseconds since 1970`(text: String, milliseconds: Int64?) {
        #expect(CatalogueTime.milliseconds(text) == milliseconds)
    }
}
