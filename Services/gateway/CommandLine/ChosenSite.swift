import Foundation

/// A site as commands keep it and send it.
struct ChosenSite: Codable, Hashable {
    /// Its id.
    let id: String
    /// Its name, when it was chosen.
    let name: String
    /// The id of its organisation.
    let organisation: String

    /// True when a person who types this means it.
    func isCalled(_ typed: String) -> Bool {
        let options: String.CompareOptions = [.caseInsensitive]
        return typed == id || name.compare(typed, options: options) == .orderedSame
    }
}
