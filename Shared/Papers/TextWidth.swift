extension Drawing.Text {
    /// The approximate length of the line in millimetres, by the widths of DejaVu Sans; for
    /// non-Latin letters rather too long than too short.
    package var length: Double {
        Double(thousandths) / 1_000 * size * (isBold ? Self.boldness : 1)
    }

    /// How wide words are in thousandths of their size.
    static func thousandths(of words: String) -> Int {
        words.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// The approximate factor by which bold letters are wider.
    private static let boldness = 1.13

    /// The width of a character in thousandths of the font size.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: widths[Int(scalar.value) - 0x20]
        case 0xA0..<0x100: widths[Int(scalar.value) - 0xA0 + 95]
        case 0x300..<0x370, 0x200B...0x200F, 0xFE00...0xFE0F: 0
        case 0x100..<0x250, 0x370..<0x700: 750
        case 0x2010...0x2015, 0x2018...0x2022: 520
        default: 1_000
        }
    }

    /// The widths of the characters from U+0020 to U+007E, then from U+00A0 to U+00FF.
    private static let widths = [
        318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636,
        636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698,
        770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732,
        684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
        634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,
        525, 636, 337, 636, 838, 318, 401, 636, 636, 636, 636, 337, 500, 500, 1000, 471, 612, 838,
        0, 1000, 500, 500, 838, 401, 401, 500, 636, 636, 318, 500, 401, 471, 612, 969, 969, 969,
        531, 684, 684, 684, 684, 684, 684, 974, 698, 632, 632, 632, 632, 295, 295, 295, 295, 775,
        748, 787, 787, 787, 787, 787, 838, 787, 732, 732, 732, 732, 611, 605, 630, 613, 613, 613,
        613, 613, 613, 982, 550, 615, 615, 615, 615, 278, 278, 278, 278, 612, 634, 612, 612, 612,
        612, 612, 838, 612, 634, 634, 634, 634, 592, 635, 592,
    ]

    /// The longest beginning of a text that fits into a width in millimetres, with `…` where it was
    /// cut.
    package static func shortened(
        _ words: String, to length: Double, size: Double, isBold: Bool = false
    ) -> String {
        var room = Int(length / size / (isBold ? boldness : 1) * 1_000)
        guard thousandths(of: words) > room else { return words }
        var kept = ""
        /// The beginning to return when it has to be cut.
        var cut = ""
        for character in words {
            room -= character.unicodeScalars.reduce(0) { $0 + Self.width(of: $1) }
            if room < 0 { return cut + "…" }
            kept.append(character)
            if room >= 1_000 { cut = kept }
        }
        return kept
    }
}
