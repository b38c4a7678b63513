/// A phrase with what stands in its places, before it is said in a language.
package struct Said<Key: PhraseKey>: Hashable, Sendable {
    /// What stands in a place.
    package enum Value: Hashable, Sendable {
        /// The same in every language, such as a name.
        case text(String)
        /// A phrase of the same subject that has no places itself.
        case word(Key)
        /// An action that comes with Steward.
        case action(ActionPhrase)
        /// A whole number.
        case number(Int)
        /// A time, in seconds.
        case seconds(Int)
        /// A distance.
        case metres(Int)
    }

    /// A place with what stands there.
    struct Argument: Hashable, Sendable {
        let name: String
        let value: Value
    }

    /// Which phrase.
    package let key: Key
    let arguments: [Argument]

    /// A phrase with what stands in its places, by their names.
    package init(_ key: Key, _ arguments: KeyValuePairs<String, Value> = [:]) {
        self.key = key
        self.arguments = arguments.map { Argument(name: $0.key, value: $0.value) }
    }
}

extension Words {
    /// What is said, in the language of these words.
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
