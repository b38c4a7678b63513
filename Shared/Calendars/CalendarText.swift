/// Writes the lines of a calendar: escaped, folded, and without characters that would start a line
/// of their own (RFC 5545, 3.1 and 3.3.11).
struct CalendarText {
    /// The text so far; each line ends with CR LF.
    private(set) var text = ""

    /// Adds a line whose value is a person's text, which is escaped.
    mutating func add(_ name: String, text value: String) {
        add(name, Self.escaped(value))
    }

    /// Adds a line whose value needs no escaping; a control character in it becomes a space.
    mutating func add(_ name: String, _ value: String) {
        var size = 0
        for character in (name + ":" + value).unicodeScalars {
            let scalar: Unicode.Scalar = isControl(character) ? " " : character
            let width = UTF8.width(scalar)
            if size + width > 75 {
                text += "\r\n "
                size = 1
            }
            text.unicodeScalars.append(scalar)
            size += width
        }
        text += "\r\n"
    }

    /// Escapes a text: line ends become `\n`, other control characters spaces.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in cut(value).replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\", ";", ",": text += "\\" + String(scalar)
            case "\n", "\r": text += "\\n"
            default: text.unicodeScalars.append(isControl(scalar) ? " " : scalar)
            }
        }
        return text
    }

    /// The value of a parameter in quotation marks, which it can't contain itself (RFC 6868).
    static func quoted(_ value: String) -> String {
        var text = ""
        for scalar in cut(value).replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "^": text += "^^"
            case "\"": text += "^'"
            case "\n", "\r": text += "^n"
            default: text.unicodeScalars.append(isControl(scalar) ? " " : scalar)
            }
        }
        return "\"\(text)\""
    }

    /// The beginning of a text, cut to the length that is read back.
    private static func cut(_ value: String) -> String {
        var size = 0
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            size += UTF8.width(scalar)
            if size > CalendarLimits.textBytes { break }
            text.append(scalar)
        }
        return String(text)
    }

    /// A day as `20260328`.
    static func day(_ day: Int64) -> String {
        digits(Int64(WallTime(day: day).date.yyyymmdd), 8)
    }

    /// An instant as `20260328T130000Z`.
    static func instant(_ second: Int64) -> String {
        let wall = WallTime(second: second)
        let time = wall.timeOfDay
        return day(wall.day) + "T" + digits(time / 3_600, 2) + digits(time % 3_600 / 60, 2)
            + digits(time % 60, 2) + "Z"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
