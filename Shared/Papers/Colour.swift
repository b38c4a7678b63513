import CCairo

/// A colour, each component from 0 to 1.
package struct Colour: Hashable, Sendable {
    package let red: Double
    package let green: Double
    package let blue: Double

    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    package static let black = Colour(red: 0.07, green: 0.07, blue: 0.07)
    package static let grey = Colour(red: 0.3, green: 0.3, blue: 0.3)
    package static let pale = Colour(red: 0.9, green: 0.9, blue: 0.9)
    package static let white = Colour(red: 1, green: 1, blue: 1)
    package static let green = Colour(red: 0.07, green: 0.41, blue: 0.17)
    package static let red = Colour(red: 0.7, green: 0.08, blue: 0.11)
    package static let orange = Colour(red: 0.88, green: 0.44, blue: 0)
    package static let darkOrange = Colour(red: 0.66, green: 0.31, blue: 0)

    func use(on context: OpaquePointer) {
        cairo_set_source_rgb(context, red, green, blue)
    }
}
