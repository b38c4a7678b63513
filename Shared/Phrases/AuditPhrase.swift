/// The texts of what was done to accounts.
package enum AuditPhrase: String, PhraseKey {
    // The actions, by the names of `AuditAction`.
    case loggedIn = "action.loggedIn"
    case logInFailed = "action.logInFailed"
    case loggedOut = "action.loggedOut"
    case loggedOutEverywhere = "action.loggedOutEverywhere"
    case loggedOutForAnother = "action.loggedOutForAnother"
    case codeMade = "action.codeMade"
    case passwordChanged = "action.passwordChanged"
    case passwordReset = "action.passwordReset"
    case tokenReused = "action.tokenReused"
    case refreshedTooOften = "action.refreshedTooOften"
    case invited = "action.invited"
    case signedUp = "action.signedUp"
    case accountDisabled = "action.accountDisabled"
    case accountEnabled = "action.accountEnabled"
    case roleGranted = "action.roleGranted"
    case roleRevoked = "action.roleRevoked"
    case carerAdded = "action.carerAdded"
    case carerProposed = "action.carerProposed"
    case carerAssigned = "action.carerAssigned"
    case carerRemoved = "action.carerRemoved"
    case organisationCreated = "action.organisationCreated"
    case signUpOpened = "action.signUpOpened"
    case signUpClosed = "action.signUpClosed"
    case siteCreated = "action.siteCreated"
    case siteChanged = "action.siteChanged"
    case backupRestored = "action.backupRestored"
    case attemptsDeleted = "action.attemptsDeleted"
    case denied = "action.denied"

    // Why a log-in failed, by the names of `LogInFailure`.
    case noSuchName = "failure.noSuchName"
    case wrongPassword = "failure.wrongPassword"
    case disabled = "failure.disabled"

    // What was denied.
    case severalMessages, toService, fromKey

    package static let subject = "audits"
    package static let all = Words<AuditPhrase>.read(
        en: PackageResources.audits_en_txt, nb: PackageResources.audits_nb_txt,
        sv: PackageResources.audits_sv_txt)
}
