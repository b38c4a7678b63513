import Bus
import Messages
import Phrases
import Speech
import WorkingCopy

/// Why a screen or a command goes on without a service.
package struct Obstacle {
    private enum Cause {
        case notRunning(ServiceName)
        case noContact(ServiceName)
        case refused(Refusal)
        case sessionOver
        /// A photo on this device can't be read now.
        case photo
        case other
    }

    /// The cause as an English sentence, in the service's own words if it refused.
    package let sentence: String
    private let cause: Cause

    /// The obstacle of an error and the failure that it is for people.
    init(_ error: any Error, _ failure: Failure) {
        sentence = failure.sentence
        switch error {
        case ClientError.notRunning(let service): cause = .notRunning(service)
        case ClientError.noAnswer(let service, _), ClientError.noHandshake(let service):
            cause = .noContact(service)
        case ClientError.refused(let refusal): cause = .refused(refusal)
        case is ClientError: cause = .other
        default: cause = failure.status == .refused ? .sessionOver : .other
        }
    }

    /// The obstacle that a photo can't be read now.
    init(_ error: WorkingCopyError) { (sentence, cause) = (error.description, .photo) }

    /// The cause in a language of the screens.
    package func text(in language: Language) -> String {
        guard language != .english else { return sentence }
        let words = Words<ScreenPhrase>(language)
        return switch cause {
        case .notRunning(let service):
            words.say(.serviceNotRunning, ["service": service.rawValue])
        case .noContact(let service):
            Words<WebPhrase>(language).say(.noContact, ["service": service.rawValue])
        case .refused(let refusal): words.text(of: refusal)
        case .sessionOver: words.say(.sessionOver)
        case .photo: words.say(.photoWaits)
        case .other: words.say(.noService)
        }
    }
}
