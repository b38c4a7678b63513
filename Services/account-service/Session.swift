import Credentials
import Messages

/// A person's log-in on a device. It lasts as long as its refresh token is exchanged in time.
struct LiveSession: Hashable {
    let id: String
    let account: String
    let device: String
    let began: Int64
    /// When its refresh token was last exchanged.
    var used: Int64
    /// When it ended; 0 while it is live.
    var ended: Int64
    /// The hash of the valid refresh token.
    var token: [UInt8]
    /// The hash of the single-use code with which it began, until a password is set; else empty.
    var code: [UInt8]

    /// How long an unused session stays live: 90 days in milliseconds.
    static let longestRest: Int64 = 90 * 24 * 3_600_000
    /// How long a used refresh token is kept: a year in milliseconds.
    static let tokenMemory: Int64 = 365 * 24 * 3_600_000
    /// The maximum number of used refresh tokens that are kept, about twice as many as a program
    /// that never stops needs. Beyond it the session ends. Old ones aren't deleted to make room,
    /// because whoever has a copy of one could then hide it by exchanging the next ones.
    static let mostFormerTokens = 100_000
    /// The maximum number of live sessions of an account.
    static let mostLive = 1000
    /// The maximum number of an account's ended sessions that are kept.
    static let mostEnded = 5000
    /// How long an access token is valid: ten minutes in milliseconds.
    static let tokenLife: Int64 = 600_000

    /// The verdict on a refresh token.
    enum Verdict: Hashable {
        /// It is valid, and now used up.
        case good
        /// It was used before by the sender who proposed the valid one: the answer was lost.
        case repeated
        /// It was used before by someone else, who has a copy.
        case reused
        /// The session is over.
        case over
    }

    /// Judges a refresh token of this session and the proposed next one, both as hashes. Someone
    /// who knows the valid token could also use it, so repeating a request gains a thief nothing.
    ///
    /// - Parameters:
    ///   - hash: the refresh token.
    ///   - next: the proposed next one.
    ///   - believed: the time by which it may be unused for too long. Web-service deletes the
    ///     log-in of a session that is over, so a leap of the clock must not end it.
    func judge(_ hash: [UInt8], proposing next: [UInt8], believed: Int64) -> Verdict {
        guard ended == 0, believed - used < Self.longestRest else { return .over }
        if hash == token { return .good }
        return next == token ? .repeated : .reused
    }

    /// True when nothing is allowed but setting a password.
    var mustChangePassword: Bool { !code.isEmpty }

    /// The session as its owner sees it.
    func shown(to asker: Asker) -> Messages.Session {
        Messages.Session(
            id: id, device: device, began: began, used: used, isThis: id == asker.session)
    }

    /// The name of a session's device, without invisible characters and cut short.
    static func deviceName(_ typed: String) -> String {
        let visible = typed.unicodeScalars.filter {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        return String(String.UnicodeScalarView(visible).prefix(60))
    }
}

extension Refusal {
    /// The refresh token is not valid, for any reason: the refusal is the same.
    static let sessionOver = Refusal.forbidden("this session is over; log in again")
        .because(.sessionOver)
    /// The name or the password is wrong, or the account is disabled: the refusal is the same.
    static let wrongLogIn = Refusal.forbidden("the name or the password is wrong")
        .because(.loginWrong)
}
