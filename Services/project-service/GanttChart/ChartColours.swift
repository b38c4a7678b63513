import Papers

/// The colours of charts. Line styles convey the same, so that a print without colours is readable.
enum ChartColours {
    static let bar = Colour(red: 0.70, green: 0.82, blue: 0.94)
    static let barLine = Colour(red: 0.13, green: 0.34, blue: 0.58)
    static let critical = Colour(red: 0.98, green: 0.78, blue: 0.74)
    static let criticalLine = Colour.red
    static let closed = Colour(red: 0.84, green: 0.84, blue: 0.84)
    static let closedLine = Colour(red: 0.45, green: 0.45, blue: 0.45)
    static let before = Colour(red: 0.66, green: 0.66, blue: 0.66)
    static let free = Colour(red: 0.945, green: 0.945, blue: 0.955)
    static let rule = Colour(red: 0.80, green: 0.80, blue: 0.82)
    static let link = Colour(red: 0.38, green: 0.38, blue: 0.42)
    static let today = Colour.darkOrange
}
