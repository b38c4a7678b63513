/// A style that makes text stand out on a terminal.
package enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
    case alarm = "1;31"
    /// Between red and yellow; from the 256 colours that every modern terminal has.
    case orange = "38;5;208"
    case boldOrange = "1;38;5;208"
    case inverse = "7"
    case alarmInverse = "1;37;41"

    /// The text in this style, or as it is when colours are off.
    package func callAsFunction(_ text: String, if isOn: Bool) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
