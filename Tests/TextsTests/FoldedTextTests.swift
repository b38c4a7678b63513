import Testing
import Texts

@Suite struct FoldedTextTests {
    @Test(arguments: [
        ("Main  Street, 5b", ["main", "street", "5b"]), ("Lange Straße", ["lange", "strasse"]),
        ("Łódź Øst", ["lodz", "ost"]), ("Zu\u{308}rich", ["zurich"]),
        ("Ħal Qormi", ["hal", "qormi"]),
        ("Işıklar", ["isiklar"]), ("Αθηνάς", ["αθηνασ"]), ("1\u{20DD}2", ["12"]),
        ("東京駅", ["東京駅"]), ("Queen's", ["queen", "s"]), (" - ", []), ("", []),
    ])
    func `words are compared ignoring case, accents and punctuation`(
        text: String, words: [String]
    ) {
        #expect(FoldedText.words(text) == words)
        #expect(FoldedText.line(text) == words.joined(separator: " "))
    }

    @Test(arguments: [
        ("Queen's Park", ["queens", "park"]), ("Queen’s", ["queens"]),
        ("L'Enfant Plaza", ["l", "enfant", "plaza"]), ("東京駅", ["東", "京", "駅"]),
        ("ひがし7", ["ひ", "か", "し", "7"]), ("Rue d’Été", ["rue", "d", "ete"]), ("'n", ["n"]),
    ])
    func `in a place name an apostrophe or a single character can make a word`(
        text: String, words: [String]
    ) {
        #expect(FoldedText.words(text, .placeNames) == words)
    }

    @Test func `Western European letters are folded as in Unicode's tables`() {
        for code in UInt8(0xA0)...0xFF {
            let text = "Å\(Unicode.Scalar(code))x \(Unicode.Scalar(code))"
            // A letter of another script makes it use the tables.
            let wanted = FoldedText.words("\(text) б").dropLast()
            #expect(FoldedText.words(text) == Array(wanted), "U+00\(String(code, radix: 16))")
        }
    }

    @Test func `folding folded text changes nothing`() {
        for text in ["Lange Straße", "Işıklar", "Αθηνάς", "Ærø Œuvre Þing", "東京駅 2"] {
            #expect(FoldedText.line(FoldedText.line(text)) == FoldedText.line(text))
        }
    }

    @Test func `names are equal in any case, and however accents are encoded`() {
        #expect(FoldedText.name(" Zu\u{308}rich ") == FoldedText.name("ZÜRICH"))
        #expect(FoldedText.name("Zurich") != FoldedText.name("Zürich"))
        #expect(FoldedText.name("A  B") != FoldedText.name("A B"))
    }
}
