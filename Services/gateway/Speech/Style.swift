/// How a piece of text stands out on a terminal.
package struct Style: RawRepresentable, Hashable, Sendable {
    /// The parameters of the terminal's command SGR (ECMA-48), e.g. `1;31`.
    package let rawValue: String

    /// A style of these parameters.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let bold = Style(rawValue: "1")
    package static let dim = Style(rawValue: "2")
    package static let red = Style(rawValue: "31")
    package static let green = Style(rawValue: "32")
    package static let yellow = Style(rawValue: "33")
    package static let blue = Style(rawValue: "34")
    package static let magenta = Style(rawValue: "35")
    package static let cyan = Style(rawValue: "36")
    package static let alarm = Style(rawValue: "1;31")
    /// Between red and yellow; from the 256 colours that every modern terminal has.
    package static let orange = Style(rawValue: "38;5;208")
    package static let boldOrange = Style(rawValue: "1;38;5;208")
    package static let inverse = Style(rawValue: "7")
    package static let alarmInverse = Style(rawValue: "1;37;41")

    /// The text in this style, or as it is when colours are off.
    package func callAsFunction(_ text: String, if isOn: Bool) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
