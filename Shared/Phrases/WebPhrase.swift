/// The texts of the pages that web-service shows. What begins with `script.` is for the scripts of
/// pages, which get all of it as one file for each language.
package enum WebPhrase: String, PhraseKey {
    // Every page.
    case skip, home, alerts, logOut, menu, needsScript
    case scriptAsOf = "script.asOf"

    // The checklist on a phone.
    case needsScriptAlways, openShift
    case scriptAllSent = "script.allSent"
    case scriptWaiting = "script.waiting"
    case scriptRefused = "script.refused"
    case scriptDismiss = "script.dismiss"
    case scriptNotKept = "script.notKept"
    case scriptOk = "script.ok"
    case scriptNotOk = "script.notOk"
    case scriptDone = "script.done"
    case scriptNotApplicable = "script.notApplicable"
    case scriptWhy = "script.why"
    case scriptUndo = "script.undo"
    case scriptNote = "script.note"
    case scriptSave = "script.save"
    case scriptCancel = "script.cancel"
    case scriptLists = "script.lists"
    case scriptProgress = "script.progress"
    case scriptFinished = "script.finished"
    case scriptNoShift = "script.noShift"
    case scriptNoService = "script.noService"
    case scriptLoggedOut = "script.loggedOut"
    case scriptGeneral = "script.general"
    case scriptPrevious = "script.previous"
    case scriptNext = "script.next"
    case scriptLogIn = "script.logIn"
    case scriptMayForget = "script.mayForget"
    case scriptTodos = "script.todos"
    case scriptNoTodo = "script.noTodo"
    case scriptOpenAgain = "script.openAgain"
    case scriptTravelPath = "script.travelPath"
    case scriptPathDue = "script.pathDue"
    case scriptPathNext = "script.pathNext"
    case scriptSetOut = "script.setOut"
    case scriptBack = "script.back"

    // How pages look.
    case look, change
    case lookSystem = "look.system"
    case lookLight = "look.light"
    case lookDark = "look.dark"
    case lookContrast = "look.contrast"

    // Logging in.
    case logIn, logInName, logInPassword, logInCode, stay, stayNote, wrongLogIn
    case logInBusy, loggedOut, logInOver, setPassword, setPasswordNote, presentPassword
    case newPassword, newPasswordNote, logInLead

    // The first page.
    case yourSites, noSite, openBoard, hello

    // Alerts.
    case noAlert, noAlertNote, acknowledge, raisedAgain
    case info = "severity.info"
    case warning = "severity.warning"
    case urgent = "severity.urgent"

    // The board.
    case late, dueNow, onTime, overdueTasks, reviewTasks, todos, nothingDue, clock

    // What can't be answered.
    case noContact, notFound, notFoundNote, wrongMethod, forbidden, refused, notRunning
    case noAnswer, failed, back, tooMany, unknownOutcome

    package static let subject = "web"
    package static let all = Words<WebPhrase>.read(
        en: PackageResources.web_en_txt, nb: PackageResources.web_nb_txt,
        sv: PackageResources.web_sv_txt)

    /// The phrases for scripts, without the beginning of their keys.
    package static var forScripts: [(name: String, phrase: WebPhrase)] {
        allCases.filter { $0.rawValue.hasPrefix("script.") }
            .map { (String($0.rawValue.dropFirst("script.".count)), $0) }
    }
}
