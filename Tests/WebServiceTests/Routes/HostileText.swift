import Foundation
import HTTPExchange

/// Texts that would do harm in a page that took them for more than text. Each stands between two
/// words by which it is found in a page.
enum HostileText {
    /// Elements, some after what would end the place where they stand.
    private static let elements: [String] = pairs(
        [
            "@", "\">@", "'>@", "</title>@", "</textarea>@", "</script>@", "</style>@",
            "</select>@", "-->@", "]]><!--@",
        ],
        [
            "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>",
            "<svg onload=window.pwned=1>", "<iframe src=//evil.example>",
            "<base href=//evil.example>", "<style>*{display:none}</style>", "<b>bold</b>",
        ])

    /// Attributes after the end of a value.
    private static let handlers: [String] = pairs(
        ["\" @", "' @", "` @", "\"@"],
        [
            "onfocus=window.pwned=1 autofocus='", "onload=\"window.pwned=1",
            "onclick=window.pwned=1", "style=display:none", "srcdoc=x",
        ])

    /// Statements after the end of a text in a script or a template.
    private static let statements: [String] = pairs(
        [
            "'-@-'", "\"-@-\"", "`${@}`", "{{@}}", "\\\"];@//", "*/@/*", "<%=@%>", "#{@}",
            "\\u003c@\\u003e", "\\x3c@",
        ],
        ["window.pwned=1", "fetch('//evil.example')"])

    /// What a page would read as other characters.
    private static let entities: [String] = pairs(
        ["&lt;@&gt;", "&#60;@&#62;", "&#x3c;@&#x3e;", "&amp;lt;@", "&lt@", "&quot;@"],
        ["b", "script", "img src=x"])

    private static let addresses: [String] = pairs(
        [
            "javascript:@", "JaVaScRiPt:@", "data:text/html,@", "vbscript:@", "//evil.example/@",
            "https://evil.example/@", "\\\\evil.example\\@",
        ],
        ["window.pwned=1", "x"])

    /// What is decoded once or twice, or ends a field, a header or a folder.
    private static let encoded: [String] = pairs(
        ["%3C@%3E", "%253C@", "%u003C@", "%@", "+&=;#?@", "%0d%0a@:x", "../../@", "%2e%2e/@"],
        ["b", "Set-Cookie"])

    /// Marks above, below and around, none of which turns the letter before into another one.
    private static let marks: [String] = pairs(
        ["q@", "\u{E01}@"],
        [
            "\u{323}", "\u{323}\u{307}", "\u{323}\u{307}\u{304}\u{30B}", "\u{334}", "\u{20DD}",
            "\u{FE0F}\u{20E3}",
        ])

    /// Characters of several scalars, or outside the first plane.
    private static let pictures: [String] = [
        "\u{1F468}\u{1F3FD}", "\u{1F1F3}\u{1F1F4}", "\u{20BB7}", "\u{1D4E6}\u{1D4F2}",
    ]

    /// Words with no place for a line break.
    private static let long: [String] = [
        "wide", "W", "m", "\u{6F22}", "_", "-", ".", "\u{5D0}",
    ].map { String(repeating: $0, count: 60 / $0.utf8.count) }

    /// Letters from right to left, after which the text goes on from left to right.
    private static let letters: [String] = [
        "\u{5D0}\u{5D1} \u{627}\u{628} left", "left \u{5D0}\u{5D1}!",
    ]

    /// What turns the text around it, or ends a line.
    private static let directions: [String] = pairs(
        ["@reversed", "left@right"],
        [
            "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
            "\u{200E}", "\u{200F}", "\u{61C}", "\u{2028}", "\u{2029}",
        ])

    /// The texts of each kind.
    static let kinds: [[String]] = [
        elements, handlers, statements, entities, addresses, encoded, marks, pictures, long,
        letters, directions,
    ].map { (texts: [String]) -> [String] in texts.map { "q7z" + $0 + "z7q" } }

    /// All texts.
    static let all: [String] = kinds.flatMap(\.self)
    /// One text of each kind.
    static let samples: [String] = kinds.compactMap(\.first)

    /// Each of these contexts with each of these deeds in it.
    private static func pairs(_ contexts: [String], _ deeds: [String]) -> [String] {
        contexts.flatMap { context in
            deeds.map { context.replacingOccurrences(of: "@", with: $0) }
        }
    }

    /// True for a text that may be a name: it has no character that only affects the text around
    /// it.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    /// Texts in groups, each of as many as fit when they are written after each other.
    private static func grouped(
        _ texts: [String], fits: (String) -> Bool
    ) -> [[String]] {
        var groups: [[String]] = []
        for text in texts {
            if let last = groups.last, fits(joined(last + [text])) {
                groups[groups.count - 1].append(text)
            } else {
                groups.append([text])
            }
        }
        return groups
    }

    /// A group as it is typed.
    static func joined(_ group: [String]) -> String { group.joined(separator: " ") }

    /// Texts in groups, each of at most this many bytes in a form, and a thousand elsewhere.
    static func groups(of texts: [String], upTo bytes: Int) -> [[String]] {
        grouped(texts) { Target.encoded($0).utf8.count <= bytes && $0.utf8.count <= 1000 }
    }

    /// Texts in groups that are short enough for a name. What no name may have is in other groups.
    static func names(of texts: [String]) -> [[String]] {
        [texts.filter(isPlain), texts.filter { !isPlain($0) }].flatMap { texts in
            grouped(texts) { $0.count <= 100 && $0.utf8.count <= 200 }
        }
    }

    /// All texts, dealt to fields: each text goes to one of them, and each field gets some of each
    /// kind, in groups of at most this many bytes in a form.
    static func dealt(to fields: Int, upTo bytes: Int) -> [[[String]]] {
        (0..<fields).map { field in
            let own = kinds.flatMap { kind -> [String] in
                let share = kind.indices.filter { $0 % fields == field }
                return share.isEmpty ? [kind[field % kind.count]] : share.map { kind[$0] }
            }
            return groups(of: own, upTo: bytes)
        }
    }

    /// The text as pages show it: without what would reverse the text around it.
    static func shown(_ text: String) -> String {
        let hidden: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars
        where !hidden.contains(where: { $0.contains(scalar.value) }) {
            shown.append(scalar)
        }
        return String(shown)
    }

    /// The hostile texts that a page shows, as their bytes.
    static func found(in html: String) -> Set<[UInt8]> {
        let found = html.matches(of: /(?s)q7z(?:(?!q7z).)*?z7q/)
        return Set(found.map { Array(read(String($0.output)).utf8) })
    }

    /// The bytes of all texts as they may stand in a page, in an address, or in an address within
    /// one.
    private static let right: Set<[UInt8]> = Set(
        all.flatMap { text -> [[UInt8]] in
            let once = Target.encoded(text)
            return [shown(text), once, Target.encoded(once)].map { Array($0.utf8) }
        })

    /// What is wrong with a page: elements and attributes that no page has, and texts that aren't
    /// shown as they were typed.
    static func faults(in html: String, of address: String) -> [String] {
        var faults: [String] = []
        for found in html.dropFirst("<!DOCTYPE html>".count).matches(of: /(?s)<([^>]*)>/) {
            let piece = String(found.1)
            let element = /\/[a-z0-9]+|[a-z0-9]+(?: [A-Za-z0-9-]+(?:="[^"]*")?)*/
            guard piece.wholeMatch(of: element) != nil else {
                faults.append("no element: \(piece)")
                continue
            }
            let attributes = Self.attributes(piece)
            for (name, value) in attributes {
                if name.hasPrefix("on") || name == "style" || name == "srcdoc" {
                    faults.append("\(piece): \(name)")
                }
                let leads = ["href", "src", "action"].contains(name)
                let isOwn = value.hasPrefix(address + "/") || value.hasPrefix("#")
                if leads, !isOwn, !value.hasPrefix("/") || value.hasPrefix("//") {
                    faults.append("\(piece): leads to \(value)")
                }
            }
            if piece.hasPrefix("script"), attributes["src"]?.hasPrefix("/files/") != true {
                faults.append("a script in the page: \(piece)")
            }
            for name in ["style", "iframe", "object", "embed", "base"]
            where piece == name || piece.hasPrefix(name + " ") {
                faults.append("an element that no page has: \(piece)")
            }
        }
        for text in found(in: html) where !right.contains(text) {
            faults.append("not as it was typed: \(String(decoding: text, as: UTF8.self))")
        }
        return faults
    }

    /// The attributes of a tag, with their values as browsers read them.
    static func attributes(_ tag: String) -> [String: String] {
        var attributes: [String: String] = [:]
        for found in tag.matches(of: #/ ([A-Za-z0-9-]+)(?:="([^"]*)")?/#) {
            attributes[String(found.1)] = found.2.map { read(String($0)) } ?? ""
        }
        return attributes
    }

    /// A piece of HTML without elements, as browsers read it.
    private static func read(_ html: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(html) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
