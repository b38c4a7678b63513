import Foundation
import HTTPExchange

/// Texts that would do harm in a page that took them for more than text. Each stands between two
/// words by which it is found in a page.
enum HostileText {
    static let all: [String] = [
        "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>",
        "\"><svg onload=window.pwned=1>", "' onfocus='window.pwned=1' autofocus='",
        "\" autofocus onfocus=\"window.pwned=1", "'-window.pwned=1-'", "`${window.pwned=1}`",
        "{{window.pwned=1}}", "</title><b>bold</b>", "</textarea></select></form>",
        "</style><style>*{display:none}</style>", "<base href=//evil.example>", "]]><!--", "-->",
        "&lt;b&gt;", "&#60;b&#62;", "&amp", "javascript:window.pwned=1", "//evil.example/x",
        "\\u003cscript\\u003e", "\\\"];window.pwned=1//", "%3Cscript%3E", "%", "+&=;#?",
        "q\u{323}\u{307}\u{304}\u{30B}", "\u{5D0}\u{5D1} \u{627}\u{628} left", "A\u{FE0F}\u{20E3}",
        "\u{1F468}\u{1F3FD}", "line\u{2028}line", "\u{202E}reversed\u{202C}",
        "\u{2066}apart\u{2069}", "\u{200F}mark", String(repeating: "wide", count: 20),
    ].map { "q7z" + $0 + "z7q" }

    /// All of them, in texts of which each has at most this many bytes in a form.
    static func joined(upTo bytes: Int) -> [String] {
        var texts: [String] = []
        for text in all {
            if let last = texts.last, Target.encoded(last + " " + text).utf8.count <= bytes {
                texts[texts.count - 1] = last + " " + text
            } else {
                texts.append(text)
            }
        }
        return texts
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
        var right: Set<[UInt8]> = []
        for text in all {
            let once = Target.encoded(text)
            for form in [shown(text), once, Target.encoded(once)] { right.insert(Array(form.utf8)) }
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
