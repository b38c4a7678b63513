import Foundation
import Messages
import Testing

@testable import Phrases

/// The files of words, and the texts made from them.
struct PhraseTests {
    /// A subject, with what the tests have to know about it.
    struct Subject: Sendable, CustomStringConvertible {
        let name: String
        let keys: Set<String>
        /// The texts of each language, by key.
        let texts: [Language: [String: (one: String?, other: String)]]
        var description: String { name }

        init<Key: PhraseKey>(_: Key.Type) {
            name = Key.subject
            keys = Set(Key.allCases.map(\.rawValue))
            texts = Dictionary(
                uniqueKeysWithValues: Key.all.map { words in
                    let texts = words.texts.map { ($0.rawValue, ($1.one, $1.other)) }
                    return (words.language, Dictionary(uniqueKeysWithValues: texts))
                })
        }
    }

    static let subjects = [
        Subject(PaperPhrase.self), Subject(DrawingPhrase.self), Subject(ReportPhrase.self),
        Subject(FindingPhrase.self), Subject(AlertPhrase.self), Subject(MailPhrase.self),
        Subject(UnitPhrase.self), Subject(ScreenPhrase.self), Subject(ChartPhrase.self),
        Subject(ActionPhrase.self), Subject(DayPhrase.self), Subject(DayPaperPhrase.self),
        Subject(WebPhrase.self), Subject(AuditPhrase.self),
    ]

    @Test func `a language without texts is refused, and the refusal names the languages`() throws {
        #expect(try Language.required("nb") == .norwegian)
        #expect(try Language.required("") == nil)
        for code in ["de", "nb-NO", "EN", String(repeating: "x", count: 100_000)] {
            let refusal = #expect(throws: Refusal.self) { _ = try Language.required(code) }
            #expect(refusal?.isBecause(.languageUnknown) == true)
            #expect(refusal?.arguments["known"] == "en, nb, sv")
            #expect((refusal?.message.utf8.count ?? 0) < 200)
        }
    }

    @Test(arguments: [
        (Language.english, "two years"), (.norwegian, "to år"), (.swedish, "två år"),
    ])
    func `the privacy policy says how long comments are kept`(
        language: Language, time: String
    ) {
        let policy = Words<ScreenPhrase>(language).privacyPolicy(version: 9, date: "2027-03-01")

        #expect(policy.first?.contains("2027-03-01") == true)
        #expect(policy.contains { $0.contains("omment") && $0.contains(time) })
    }

    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { $0.1.prefix(1).lowercased() + $0.1.dropFirst() })
    }

    /// The files of `Words`, by name.
    private static func files() throws -> [String: PhraseFile] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Shared/Phrases/Words").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                let text = try Foundation.Data(contentsOf: folder.appending(path: name))
                return (name, PhraseFile([UInt8](text)))
            })
    }

    @Test func `each subject has a file in each language, and each file has a subject`() throws {
        let wanted = Self.subjects.flatMap { subject in
            Language.allCases.map { "\(subject.name).\($0.rawValue).txt" }
        }
        #expect(try Self.files().keys.sorted() == wanted.sorted())
    }

    @Test func `a file has only known phrases, each once`() throws {
        for (name, file) in try Self.files() {
            #expect(file.faults == [], "\(name) has lines that are no phrase, or one again")
            let subject = try #require(Self.subjects.first { name.hasPrefix($0.name + ".") })
            let known = subject.keys.union(subject.keys.map { $0 + ".one" })
            #expect(Set(file.texts.keys).subtracting(known) == [], "nobody asks \(name) for these")
        }
    }

    @Test(arguments: subjects)
    func `each phrase exists in each language`(subject: Subject) {
        #expect(Set(subject.texts.keys) == Set(Language.allCases))
        for (language, texts) in subject.texts {
            #expect(subject.keys.subtracting(texts.keys) == [], "\(language) lacks these")
        }
    }

    @Test(arguments: subjects)
    func `a thing has the same name in all subjects`(subject: Subject) {
        // The beginnings of words that aren't used, in favour of server, kjøretøy, tiltak and ok.
        let others: [Language: [String]] = [
            .norwegian: ["tjener", "vognen", "utbedring", "orden"],
            .swedish: ["vagnen", "ordning"],
        ]
        for (language, beginnings) in others {
            for (key, text) in subject.texts[language] ?? [:] {
                let words = "\(text.one ?? "") \(text.other)".lowercased().split { !$0.isLetter }
                let found = words.filter { word in beginnings.contains { word.hasPrefix($0) } }
                #expect(found == [], "\(key)")
            }
        }
    }

    @Test(arguments: subjects)
    func `a phrase has the same forms and placeholders in each language`(subject: Subject) {
        let english = subject.texts[.english] ?? [:]
        for (language, texts) in subject.texts {
            for (key, text) in texts {
                let own = english[key]
                #expect((text.one == nil) == (own?.one == nil), "\(language) \(key)")
                let places = Self.places(text.other)
                #expect(places == own.map { Self.places($0.other) }, "\(language) \(key)")
                if let one = text.one {
                    #expect(places.contains("count"), "\(language) \(key)")
                    #expect(Self.places(one).isSubset(of: places), "\(language) \(key)")
                }
            }
        }
    }

    @Test(arguments: subjects)
    func `no text has outer or double spaces, or half a placeholder`(subject: Subject) {
        for (language, texts) in subject.texts {
            for (key, text) in texts {
                for text in [text.one, text.other].compactMap(\.self) {
                    let isClean =
                        text == text.trimmingCharacters(in: .whitespaces)
                        && (key.hasPrefix("keys") || !text.contains("  "))
                        && !text.replacing(/\{\w+\}/, with: "").contains(/[{}]/)
                    #expect(isClean, "\(language) \(key): \(text)")
                }
            }
        }
    }

    @Test func `a phrase is filled in with named arguments, in the form for their number`() {
        let english = Words<PaperPhrase>(.english)
        #expect(english.say(.tasks, ["count": "1"]) == "1 task")
        #expect(english.say(.tasks, ["count": "0"]) == "0 tasks")
        #expect(english.say(.tasks, ["count": "21"]) == "21 tasks")
        let norwegian = Words<PaperPhrase>(.norwegian)
        #expect(norwegian.say(.page, ["pages": "3", "page": "2"]) == "Side 2 av 3")
        #expect(norwegian.say(.todoListOf, ["area": "{page}"]) == "Gjøremål: {page}")
    }

    #if DEBUG
        @Test(arguments: subjects)
        func `the language for tests has all placeholders, no plain letter, and 40 % more text`(
            subject: Subject
        ) {
            func outside(_ text: String) -> String { text.replacing(/\{\w+\}/, with: "") }
            for (key, text) in subject.texts[.english] ?? [:] {
                let said = PseudoEnglish.of(text.other)
                #expect(Self.places(said) == Self.places(text.other), "\(key)")
                let isPlain = outside(said).contains { $0.isASCII && $0.isLetter }
                #expect(!isPlain, "\(key): \(said)")
                let (given, made) = (outside(text.other).count, outside(said).count)
                #expect(made * 5 >= given * 7, "\(key): \(said)")
            }
        }
    #endif

    @Test func `each action of the audit has a phrase, and each reason why a log-in failed`() {
        let words = Words<AuditPhrase>(.norwegian)
        for action in AuditAction.allCases {
            #expect(words.say(family: "action", "\(action)") != nil, "\(action)")
        }
        for failure in LogInFailure.allCases {
            #expect(words.say(family: "failure", "\(failure)") != nil, "\(failure)")
        }
    }

    @Test func `each phrase for a refusal has a reason`() {
        let beginning = "refusal."
        let keys = WebPhrase.allCases.map(\.rawValue).filter { $0.hasPrefix(beginning) }
        #expect(!keys.isEmpty)
        for key in keys {
            let reason = String(key.dropFirst(beginning.count))
            #expect(RefusalReason(rawValue: reason) != nil, "\(key)")
        }
    }

    @Test func `each reason for which a page may be refused something has a phrase`() {
        // Pages order no mails, and read no projects.
        let elsewhere: Set<RefusalReason> = [.mailLimit, .projectMissing]
        for reason in RefusalReason.allCases where !elsewhere.contains(reason) {
            #expect(WebPhrase(rawValue: "refusal.\(reason.rawValue)") != nil, "\(reason)")
        }
    }

    @Test func `a phrase in a family is found by its last part, and needs all its arguments`() {
        let swedish = Words<PaperPhrase>(.swedish)
        #expect(swedish.say(family: "area", "kitchen") == "Kök")
        #expect(swedish.say(family: "area", "bar") == nil)
        let english = Words<WebPhrase>(.english)
        let taken = english.say(family: "refusal", "site.taken", ["subject": "Harbour"])
        #expect(taken == "There is a site “Harbour” already.")
        #expect(english.say(family: "refusal", "site.taken") == nil)
    }

    @Test(arguments: [
        ("nb", "nb_NO.UTF-8", "sv_SE.UTF-8", Language.norwegian), ("", "sv", "nb_NO", .swedish),
        ("", "", "nn_NO.UTF-8", .norwegian), ("", "", "C.UTF-8", .english),
        ("", "de", "nb_NO", .english), ("no", "", "", .norwegian), ("", "", "", .english),
        ("SV-fi", "en", "en", .swedish), ("", "", "nbo", .english),
    ])
    func `the preference decides, then STEWARD_LANG, then LANG`(
        preference: String, own: String, system: String, language: Language
    ) {
        #expect(
            Language.chosen(
                preference: preference, environment: ["STEWARD_LANG": own, "LANG": system])
                == language)
    }

    @Test func `numbers have the comma or the point of their language`() {
        #expect(Language.english.decimal(12, decimals: 1) == "1.2")
        #expect(Language.norwegian.decimal(12, decimals: 1) == "1,2")
        #expect(Language.swedish.decimal(-5, decimals: 2) == "−0,05")
        #expect(Language.swedish.decimal(.min, decimals: 0) == "−9223372036854775808")
    }

    @Test func `lines that aren't phrases are reported with their number`() {
        let text = "# words\na = b\n\nc=d\na = e\nf =\ng = h = {i}\n"
        let file = PhraseFile(Array(text.utf8))
        #expect(file.faults == [4, 5, 6])
        #expect(file.texts["g"] == "h = {i}")
    }
}
