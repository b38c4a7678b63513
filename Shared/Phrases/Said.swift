/// A phrase and its arguments, before it is put into a language.
package struct Said<Key: PhraseKey>: Hashable, Sendable {
    /// The value of an argument.
    package enum Value: Hashable, Sendable {
        /// A text that is the same in every language, such as a name.
        case text(String)
        /// A phrase of the same subject that has no places itself.
        case word(Key)
        /// An action that comes with Steward.
        case action(ActionPhrase)
        /// A whole number.
        case number(Int)
        /// A duration in seconds.
        case seconds(Int)
        /// A distance in metres.
        case metres(Int)
    }

    /// The name of a place and its value.
    struct Argument: Hashable, Sendable {
        let name: String
        let value: Value
    }

    /// The key of the phrase.
    package let key: Key
    let arguments: [Argument]

    /// Makes a phrase with its arguments by name.
    package init(_ key: Key, _ arguments: KeyValuePairs<String, Value> = [:]) {
        self.key = key
        self.arguments = arguments.map { Argument(name: $0.key, value: $0.value) }
    }
}

extension Words {
    /// The text of a phrase in the language of these words.
    package func say(_ said: Said<Key>) -> String {
        text(said.key) { name in
            switch said.arguments.first(where: { $0.name == name })?.value {
            case .text(let text): text
            case .word(let key): text(key) { _ in nil }
            case .action(let key): Words<ActionPhrase>(language).say(key)
            case .number(let number): "\(number)"
            case .seconds(let seconds): language.duration(seconds: seconds)
            case .metres(let metres): language.distance(metres: metres)
            case nil: nil
            }
        }
    }
}
