import Messages
import Phrases
import Speech

extension Words<ScreenPhrase> {
    /// The text of a screen about an operation that the service refused.
    func notTakenIn(_ refusal: Refusal) -> String {
        say(.notTakenIn, ["reason": text(of: refusal)])
    }

    /// The text of a screen about an operation that was set aside because the service couldn't read
    /// it.
    func setAside(_ title: String, _ refusal: Refusal) -> String {
        say(
            .setAside,
            [
                "title": title.printable, "reason": text(of: refusal),
                "command": "steward shift refused",
            ])
    }

    /// The text of a refusal: in English the sentence of the service, which names what it is about;
    /// else the phrase for its reason, the same as on pages unless that phrase mentions the page.
    package func text(of refusal: Refusal) -> String {
        guard language != .english else { return refusal.message.printable }
        let own = say(family: "refusal", refusal.reason)
        return (own ?? Words<WebPhrase>(language).text(of: refusal)).printable
    }
}
