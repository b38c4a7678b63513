/// What an entry of the audit is about: `Audit.Entry.action`. A word never changes its meaning.
public enum AuditAction: String, Sendable, CaseIterable {
    case loggedIn = "logged in"
    /// The detail is a ``LogInFailure``.
    case logInFailed = "log-in failed"
    case loggedOut = "logged out"
    case loggedOutEverywhere = "logged out everywhere"
    /// The account had the maximum number of log-ins, so the least recently used one was ended.
    case loggedOutForAnother = "logged out for a new log-in"
    case codeMade = "code to log in made"
    case passwordChanged = "password changed"
    case passwordReset = "password reset"
    /// Somebody may have a copy of the log-in.
    case tokenReused = "refresh token used twice"
    case refreshedTooOften = "refreshed too often"
    /// The detail has the roles.
    case invited
    case signedUp = "signed up"
    case accountDisabled = "account disabled"
    case accountEnabled = "account enabled"
    case roleGranted = "role granted"
    case roleRevoked = "role revoked"
    /// The person has named the carer, or agreed. The detail is the id of the carer's account, as
    /// in the next three.
    case carerAdded = "carer added"
    /// Somebody else has named the carer, who waits for the person's consent.
    case carerProposed = "carer proposed"
    /// Somebody else has named the carer, who cares without the person's consent, because nobody
    /// can log in to agree.
    case carerAssigned = "carer assigned"
    case carerRemoved = "carer removed"
    /// The detail is the id of the organisation, as in the next two.
    case organisationCreated = "organisation created"
    case signUpOpened = "sign-up opened"
    case signUpClosed = "sign-up closed"
    /// The detail is the id of the site.
    case siteCreated = "site created"
    case siteChanged = "site changed"
    case backupRestored = "backup restored"
    /// There were too many, so the lowest were deleted. The count says how many.
    case attemptsDeleted = "counts of failed attempts deleted"
    /// The detail is a ``Denial``.
    case denied
}

/// Why a log-in failed, as the audit records it.
public enum LogInFailure: String, Sendable, CaseIterable {
    case noSuchName = "no such name"
    case wrongPassword = "wrong password"
    case disabled = "the account is disabled"
}

/// What was denied, as the audit records it.
public struct Denial: Equatable, Sendable {
    private static let several = "messages of several kinds"
    private static let to = " to "
    private static let from = ", from the key "

    /// The name of the message; empty for messages of several kinds.
    public let type: String
    /// The service that denied it; empty for account-service.
    public let service: String
    /// The key that it came with; empty if the bus has none.
    public let key: String

    /// What was denied.
    public init(type: String, service: String = "", key: String = "") {
        (self.type, self.service, self.key) = (type, service, key)
    }

    /// The denial as the detail of an entry.
    public var detail: String {
        let what = type.isEmpty ? Self.several : type
        let place = service.isEmpty ? what : what + Self.to + service
        return key.isEmpty ? place : place + Self.from + key
    }

    /// Reads the detail of an entry.
    public init(detail: String) {
        let from = detail.firstRange(of: Self.from)
        let place = detail[..<(from?.lowerBound ?? detail.endIndex)]
        let to = place.firstRange(of: Self.to)
        let type = String(place[..<(to?.lowerBound ?? place.endIndex)])
        self.type = type == Self.several ? "" : type
        service = to.map { String(place[$0.upperBound...]) } ?? ""
        key = from.map { String(detail[$0.upperBound...]) } ?? ""
    }
}
