import ArgumentParser
import Bus
import Foundation
import Messages
import Phrases
import Speech
import Terminal

/// The privacy policy, which a passenger accepts once before a position is recorded.
enum PrivacyConsent {
    /// Its paragraphs in a language, the title first.
    static func text(_ traveller: Traveller, _ language: Language) -> [String] {
        Words<ScreenPhrase>(language)
            .privacyPolicy(version: traveller.policy, date: traveller.policyDate.printable)
    }

    /// Requires that the person has accepted the present policy.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - asks: true to show it and ask at a terminal.
    /// - Throws: ``Failure`` if they have not.
    static func require(_ session: Session, asks: Bool) throws {
        let traveller = try session.ask(.transitAlert, ReadTraveller(), for: Traveller.self)
        guard traveller.acceptedPolicy != traveller.policy else { return }
        let advice = "read it with steward transit privacy, and accept it with --accept"
        guard asks, isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                .refused, "the privacy policy is not accepted yet; no position is recorded before",
                advice: advice)
        }
        for line in text(traveller, try session.language) { session.printer.remark(line) }
        let answer = try PasswordPrompt.askOpenly("Do you accept it (y/n)", session.printer)
        guard answer.lowercased().hasPrefix("y") else {
            throw Failure(.refused, "it is not accepted, and nothing was recorded", advice: advice)
        }
        _ = try accept(traveller, session)
    }

    /// Accepts the policy that was read.
    static func accept(
        _ traveller: Traveller, _ session: Session, _ repeating: RepeatOptions? = nil
    ) throws -> Traveller {
        try session.ask(
            .transitAlert, AcceptPolicy(version: traveller.policy), for: Traveller.self,
            repeating: repeating)
    }
}
