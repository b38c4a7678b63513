import Foundation
import Speech
import Terminal

/// The question before something is deleted forever.
enum Deletion {
    /// Asks a person at a terminal. Otherwise an option must confirm it.
    ///
    /// - Parameters:
    ///   - kind: what to delete, such as `a plan`.
    ///   - session: the session.
    ///   - name: names it, with what is deleted together with it.
    static func ask(_ kind: String, _ session: Session, _ name: () throws -> String) throws {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                .usage, "deleting \(kind) can't be undone",
                advice: "confirm it with --yes")
        }
        let answer = try PasswordPrompt.askOpenly(
            "Delete \(try name()) forever (y/n)", session.printer)
        guard answer.lowercased().hasPrefix("y") else {
            throw Failure(.refused, "nothing was deleted")
        }
    }
}
