#if DEBUG
    import Synchronization

    /// English with accents, in brackets, and at least 40 % longer, for tests of pages: text
    /// without accents is not from the files of phrases, and other languages may need the room. A
    /// release build doesn't have it.
    package enum PseudoEnglish {
        /// Its locale.
        package static let locale = "en_XA"

        private static let spoken = Atomic<Bool>(false)

        /// Whether it takes the place of English.
        static var isSpoken: Bool { spoken.load(ordering: .relaxed) }

        /// Lets it take the place of English in each subject whose words haven't been read yet.
        package static func speak() { spoken.store(true, ordering: .relaxed) }

        private static let vowels: Set<Character> = ["a", "e", "i", "o", "u", "y"]
        private static let accented: [Character: Character] = Dictionary(
            uniqueKeysWithValues: zip(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                "áƀçđéƒğĥíĵķļɱñóþɋřšŧúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶĻṀÑÓÞɊŘŠŦÚṼŴẊÝŽ"))

        /// A text in pseudo-English. Its places stay as they are.
        static func of(_ text: String) -> String {
            var said = "["
            // The characters outside of places: those of the text, and those said so far.
            var (given, made) = (0, 1)
            var isPlace = false
            for character in text {
                if character == "{" { isPlace = true }
                guard !isPlace, let sign = accented[character] else {
                    said.append(character)
                    if !isPlace { (given, made) = (given + 1, made + 1) }
                    if character == "}" { isPlace = false }
                    continue
                }
                let isVowel = vowels.contains(character)
                said += isVowel ? "\(sign)\(sign)" : "\(sign)"
                (given, made) = (given + 1, made + (isVowel ? 2 : 1))
            }
            let lacking = (given * 7 + 4) / 5 - made - 1
            if lacking > 0 { said += String(repeating: " éééé", count: (lacking + 4) / 5) }
            return said + "]"
        }
    }
#endif
