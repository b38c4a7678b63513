import Foundation

/// A site as commands keep and send it.
struct ChosenSite: Codable, Hashable {
    /// Its id.
    let id: String
    /// Its name, when it was chosen.
    let name: String
    /// The id of its organisation.
    let organisation: String

    /// True if the typed text names this site.
    func isCalled(_ typed: String) -> Bool {
        let options: String.CompareOptions = [.caseInsensitive]
        return typed == id || name.compare(typed, options: options) == .orderedSame
    }
}
