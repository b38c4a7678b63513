import Credentials
import Messages

/// A person's log-in on a device: it lives as long as its refresh token is exchanged in time.
struct LiveSession: Hashable {
    let id: String
    let account: String
    let device: String
    let began: Int64
    /// When its refresh token was last exchanged.
    var used: Int64
    /// When it ended; 0 while it lives.
    var ended: Int64
    /// The hash of the refresh token that is good now.
    var token: [UInt8]
    /// The hash of the single-use code by which it began, until a password is set; else empty.
    var code: [UInt8]

    /// A session that is not used for so long is over: 90 days in milliseconds.
    static let longestRest: Int64 = 90 * 24 * 3_600_000
    /// How long an access token is good: ten minutes in milliseconds.
    static let tokenLife: Int64 = 600_000

    /// What comes of a refresh token that is presented.
    enum Verdict: Hashable {
        /// It is good, and used up now.
        case good
        /// It was used before by the one who proposed the token that is good now: the answer to
        /// that was lost.
        case repeated
        /// It was used before by another: someone has a copy of it.
        case reused
        /// The session is over.
        case over
    }

    /// Judges a refresh token of this session, and the next one that comes with it: hashes. Who
    /// knows the token that is good now could use it as well, so repeating gains a thief nothing.
    func judge(_ hash: [UInt8], proposing next: [UInt8], at now: Int64) -> Verdict {
        guard ended == 0, now - used < Self.longestRest else { return .over }
        if hash == token { return .good }
        return next == token ? .repeated : .reused
    }

    /// True when nothing may be done but to set a password.
    var mustChangePassword: Bool { !code.isEmpty }

    /// What one sees of it.
    func shown(to asker: Asker) -> Messages.Session {
        Messages.Session(
            id: id, device: device, began: began, used: used, isThis: id == asker.session)
    }

    /// What a session is called: printable, and short.
    static func deviceName(_ typed: String) -> String {
        let visible = typed.unicodeScalars.filter {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        return String(String.UnicodeScalarView(visible).prefix(60))
    }
}

extension Refusal {
    /// The refresh token is no good, whatever the reason: the same sentence.
    static let sessionOver = Refusal.forbidden("this session is over; log in again")
    /// The name or the password is wrong, or the account is disabled: the same sentence.
    static let wrongLogIn = Refusal.forbidden("the name or the password is wrong")
}
