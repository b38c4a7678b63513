/// The texts of the pages that web-service shows. What begins with `script.` is for the scripts of
/// pages, which get all of it as one file for each language.
package enum WebPhrase: String, PhraseKey {
    // Every page.
    case openAlerts
    case scriptNewVersion = "script.newVersion"
    case skip, home, alerts, logOut, menu, needsScript
    case scriptAsOf = "script.asOf"

    // The checklist on a phone.
    case scriptNumberWrong = "script.numberWrong"
    case scriptSales = "script.sales"
    case scriptSalesPlanned = "script.salesPlanned"
    case scriptSalesActual = "script.salesActual"
    case scriptCrewPlanned = "script.crewPlanned"
    case scriptCrewActual = "script.crewActual"
    case scriptMeasurement = "script.measurement"
    case scriptMeasured = "script.measured"
    case scriptChange = "script.change"
    case scriptAssignee = "script.assignee"
    case scriptDue = "script.due"
    case scriptOverdue = "script.overdue"
    case scriptRemove = "script.remove"
    case scriptEquipment = "script.equipment"
    case scriptAllWorks = "script.allWorks"
    case scriptReportFault = "script.reportFault"
    case scriptWhatBroke = "script.whatBroke"
    case scriptWhatIsWrong = "script.whatIsWrong"
    case scriptState = "script.state"
    case scriptFaulty = "script.faulty"
    case scriptOutOfOrder = "script.outOfOrder"
    case scriptRepaired = "script.repaired"
    case scriptPhotos = "script.photos"
    case scriptNoPhoto = "script.noPhoto"
    case scriptTakePhoto = "script.takePhoto"
    case scriptAnotherPhoto = "script.anotherPhoto"
    case scriptRemovePhoto = "script.removePhoto"
    case scriptPhotoOf = "script.photoOf"
    case scriptClosePhoto = "script.closePhoto"
    case scriptPhotoWrong = "script.photoWrong"
    case scriptPhotoTooLarge = "script.photoTooLarge"
    case scriptSign = "script.sign"
    case scriptAnswer = "script.answer"
    case scriptNoAnswer = "script.noAnswer"
    case scriptDifferently = "script.differently"
    case scriptReviews = "script.reviews"
    case scriptAddTodo = "script.addTodo"
    case scriptWhat = "script.what"
    case scriptArea = "script.area"
    case scriptPriority = "script.priority"
    case scriptOpenList = "script.openList"
    case scriptDayShift = "script.dayShift"
    case scriptEveningShift = "script.eveningShift"
    case scriptStartDay = "script.startDay"
    case scriptStartEvening = "script.startEvening"
    case scriptEndShift = "script.endShift"
    case scriptEndQuestion = "script.endQuestion"
    case scriptEndText = "script.endText"
    case scriptEndAnyway = "script.endAnyway"
    case scriptNotNow = "script.notNow"
    case needsScriptAlways, openShift
    case scriptAllSent = "script.allSent"
    case scriptWaiting = "script.waiting"
    case scriptFormerWaits = "script.formerWaits"
    case scriptRefused = "script.refused"
    case scriptDismiss = "script.dismiss"
    case scriptSendAgain = "script.sendAgain"
    case scriptNotRead = "script.notRead"
    case scriptNewerKept = "script.newerKept"
    case scriptNotKept = "script.notKept"
    case scriptNoRoom = "script.noRoom"
    case scriptKeepsNothing = "script.keepsNothing"
    case scriptOtherZone = "script.otherZone"
    case scriptOk = "script.ok"
    case scriptNotOk = "script.notOk"
    case scriptDone = "script.done"
    case scriptNotApplicable = "script.notApplicable"
    case scriptWhy = "script.why"
    case scriptUndo = "script.undo"
    case scriptUnmark = "script.unmark"
    case scriptChangedSince = "script.changedSince"
    case scriptNote = "script.note"
    case scriptSave = "script.save"
    case scriptCancel = "script.cancel"
    case scriptLists = "script.lists"
    case scriptProgress = "script.progress"
    case scriptFinished = "script.finished"
    case scriptNoShift = "script.noShift"
    case scriptNoService = "script.noService"
    case scriptNoContact = "script.noContact"
    case scriptLoggedOut = "script.loggedOut"
    case scriptGeneral = "script.general"
    case scriptPrevious = "script.previous"
    case scriptNext = "script.next"
    case scriptLogIn = "script.logIn"
    case scriptMayForget = "script.mayForget"
    case scriptTodos = "script.todos"
    case scriptNoTodo = "script.noTodo"
    case scriptOpenAgain = "script.openAgain"
    case scriptOnlyLook = "script.onlyLook"
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
    case logIn, logInName, logInPassword, logInCode, stay, stayNote
    case logInBusy, logInUnanswered, loggedOut, logInOver, setPassword, setPasswordNote
    case presentPassword, newPassword, newPasswordNote, logInLead

    // The first page.
    case noSiteYet, addSite, siteName, timeZone, timeZoneNote, alertsLead
    case yourSites, noSite, openBoard, hello

    // Alerts.
    case preferences, preferencesLead, preferMail, preferMailNote, preferFrom, preferLanguage
    case mailboxAwaited, mailboxAwaitedNone, mailboxHeld, mailboxHeldNone, mailWaits
    case mailboxCode, mailboxConfirm
    case preferAny, quietHours, quietNote, quietFrom, quietUntil, save, saved, channels
    case quietZone, quietTimes
    case noChannel, channelFrom, channelFails, channelDamaged, testChannel, removeChannel, tested
    case languageNameEn = "languageName.en"
    case languageNameNb = "languageName.nb"
    case languageNameSv = "languageName.sv"
    case noAlert, noAlertNote, acknowledge, lookAt, raisedAgain
    case scriptNotAcknowledged = "script.notAcknowledged"
    case info = "severity.info"
    case warning = "severity.warning"
    case urgent = "severity.urgent"

    // The board.
    case scriptSound = "script.sound"
    case late, dueNow, onTime, overdueTasks, problems, reviewTasks, todos, nothingDue, clock
    case equipment, outOfOrder, faulty
    case boardPicture, boardPictureNote, pictureSite, makePicture, pictureLead, pictureAddress
    case pictureSizes, pictureKey, pictureUntil, pictureNext
    case phonePlace, phonePlaceNote, makePhone, phoneLead, phoneSetUp, phoneByHand, phoneMove
    case phoneKey

    // What can't be answered.
    case noContact, notFound, notFoundNote, wrongMethod, forbidden, refused, notRunning
    case notRunningNow, noAnswer, failed, back, tooMany, unknownOutcome, otherLogIn, formOld

    // The plan viewer.
    case plans, plansLead, planSearch, search, noPlan, morePlans, planThings, changedBy
    case drawing, drawingOf, planEmpty, zoomIn, zoomOut, zoomFit, lockView
    case dimensions, labels, corners, chairReach, show
    case findings, noFinding, findingsLate, findRepairs, required, measured, missing, forPerson
    case repairText, saveAs, saveReport, planTooLarge, drawingBusy
    case scriptPlanChanged = "script.planChanged"
    case scriptReload = "script.reload"

    // The get-off alarm.
    case ride, rideLead
    case favouritesLead, yourFavourites, noFavourite, otherDestinations, stopName, stopsFound
    case favouriteAdd, favouriteRemove
    case scriptFavourites = "script.favourites"
    case scriptAccept = "script.accept", scriptStopSearch = "script.stopSearch"
    case scriptLastStops = "script.lastStops", scriptFavourite = "script.favourite"
    case scriptMoreStops = "script.moreStops", scriptNoStop = "script.noStop"
    case scriptDamagedTimetables = "script.damagedTimetables", scriptToward = "script.toward"
    case scriptStart = "script.start", scriptOther = "script.other"
    case scriptKeepOpen = "script.keepOpen", scriptTone = "script.tone"
    case scriptRideNotice = "script.rideNotice", scriptCannotRing = "script.cannotRing"
    case scriptSoundOn = "script.soundOn", scriptLooking = "script.looking"
    case scriptTypical = "script.typical", scriptByDistance = "script.byDistance"
    case scriptLine = "script.line", scriptMinutes = "script.minutes"
    case scriptGetReady = "script.getReady", scriptGetOff = "script.getOff"
    case scriptPassed = "script.passed", scriptWayBack = "script.wayBack"
    case scriptOnward = "script.onward", scriptOnwardSilent = "script.onwardSilent"
    case scriptSilent = "script.silent", scriptArrived = "script.arrived"
    case scriptPositionsDeleted = "script.positionsDeleted"
    case scriptPositionsKept = "script.positionsKept", scriptWasUseful = "script.wasUseful"
    case scriptUseful = "script.useful", scriptUseless = "script.useless"
    case scriptRideComment = "script.rideComment", scriptAlreadyRiding = "script.alreadyRiding"
    case scriptThanks = "script.thanks", scriptEstimated = "script.estimated"
    case scriptGettingOff = "script.gettingOff", scriptEndRide = "script.endRide"
    case scriptEndRideSure = "script.endRideSure", scriptNoPosition = "script.noPosition"
    case scriptRideLoggedOut = "script.rideLoggedOut", scriptLogInOver = "script.logInOver"
    case scriptCoarse = "script.coarse", scriptWhereNow = "script.whereNow"
    case scriptMissed = "script.missed", scriptOffline = "script.offline"
    case scriptDark = "script.dark"

    // One's own log-ins, and another device.
    case logIns, logInsLead, thisOne, usedSince, endLogIn, endAllLogIns, addDevice
    case addDeviceNote, makeCode, scanThis, typeThis, codeGoodUntil, qrCode, codeName, code
    case scriptCodeThere = "script.codeThere"
    case scriptWaitHere = "script.waitHere"

    // People and their roles.
    case inviteScan, signUp, signUpLead, signUpCode, signUpName, displayName
    case signedUp, audit, auditLead, auditFilter, noAudit, caresFor, addCarer
    case carerProposed, carerAgree, carerDecline, carerAsked, carerAskedLead
    case more, people, peopleLead, invite, inviteNote, role, noRole, atSite, everywhere, disabled
    case disable, enable, resetPassword, grantRole, revokeRole, lastRole, codeFor
    case roleDisplay = "role.display"
    case roleCrew = "role.crew"
    case roleShiftManager = "role.shiftManager"
    case roleSiteManager = "role.siteManager"
    case roleSupervisor = "role.supervisor"
    case roleAdministrator = "role.administrator"
    case roleOwner = "role.owner"

    // Refusals, by their reasons.
    case refusalPasswordShort = "refusal.password.short"
    case refusalPasswordEasy = "refusal.password.easy"
    case refusalPasswordWrong = "refusal.password.wrong"
    case refusalNameTaken = "refusal.name.taken"
    case refusalInvitationOver = "refusal.invitation.over"
    case refusalInvitationLimit = "refusal.invitation.limit"
    case refusalAttemptsLimit = "refusal.attempts.limit"
    case refusalSignUpLimit = "refusal.signup.limit"
    case refusalSiteTaken = "refusal.site.taken"
    case refusalZoneUnknown = "refusal.zone.unknown"
    case refusalRoleLacking = "refusal.role.lacking"
    case fieldOther = "field.other"
    case thingSession = "thing.session"
    case thingOther = "thing.other"
    case refusalFieldLimit = "refusal.field.limit"
    case refusalKeyAwaited = "refusal.key.awaited"
    case refusalTokenInvalid = "refusal.token.invalid"
    case refusalIdVersion = "refusal.id.version"
    case refusalIdOld = "refusal.id.old"
    case refusalIdAhead = "refusal.id.ahead"
    case refusalIdTaken = "refusal.id.taken"
    case refusalIdShort = "refusal.id.short"
    case refusalIdMissing = "refusal.id.missing"
    case refusalIdAmbiguous = "refusal.id.ambiguous"
    case refusalAccountNeeded = "refusal.account.needed"
    case refusalDisplayDenied = "refusal.display.denied"
    case refusalQueryLate = "refusal.query.late"
    case refusalServiceBusy = "refusal.service.busy"
    case refusalAnswerGone = "refusal.answer.gone"
    case refusalAnswerDeleted = "refusal.answer.deleted"
    case refusalAnswersLimit = "refusal.answers.limit"
    case refusalMessageLarge = "refusal.message.large"
    case refusalAnswerLarge = "refusal.answer.large"
    case refusalEventLarge = "refusal.event.large"
    case refusalTextMissing = "refusal.text.missing"
    case refusalTextLength = "refusal.text.length"
    case refusalTextMarks = "refusal.text.marks"
    case refusalTextControl = "refusal.text.control"
    case refusalAddressForm = "refusal.address.form"
    case refusalShiftGap = "refusal.shift.gap"
    case refusalPhotoMissing = "refusal.photo.missing"
    case refusalPlanMissing = "refusal.plan.missing"
    case refusalPlanAmbiguous = "refusal.plan.ambiguous"
    case fieldName = "field.name"
    case fieldPersonName = "field.personName"
    case fieldSiteName = "field.siteName"
    case fieldAreaName = "field.areaName"
    case refusalChangedSince = "refusal.changed.since"
    case refusalNameForm = "refusal.name.form"
    case refusalNameId = "refusal.name.id"
    case refusalPasswordLong = "refusal.password.long"
    case refusalPasswordTemporary = "refusal.password.temporary"
    case refusalLoginWrong = "refusal.login.wrong"
    case refusalSessionOver = "refusal.session.over"
    case refusalInvitationNeeded = "refusal.invitation.needed"
    case refusalAccountMissing = "refusal.account.missing"
    case refusalAccountDisabled = "refusal.account.disabled"
    case refusalAdministratorLast = "refusal.administrator.last"
    case refusalOwnerLast = "refusal.owner.last"
    case refusalGrantMissing = "refusal.grant.missing"
    case refusalGrantLimit = "refusal.grant.limit"
    case refusalGrantEverywhere = "refusal.grant.everywhere"
    case refusalCarerSelf = "refusal.carer.self"
    case refusalCarerLimit = "refusal.carer.limit"
    case refusalCarerProposed = "refusal.carer.proposed"
    case refusalCarerMissing = "refusal.carer.missing"
    case refusalOrganisationMissing = "refusal.organisation.missing"
    case refusalSiteMissing = "refusal.site.missing"
    case refusalSiteLimit = "refusal.site.limit"
    case refusalSiteLarge = "refusal.site.large"
    case refusalAreaMissing = "refusal.area.missing"
    case refusalAreaAlone = "refusal.area.alone"
    case thingShift = "thing.shift"
    case openLists = "open.lists"
    case openTodos = "open.todos"
    case openReviews = "open.reviews"
    case openTravelPath = "open.travelPath"
    case openDevices = "open.devices"
    case refusalSiteRole = "refusal.site.role"
    case refusalShiftNone = "refusal.shift.none"
    case refusalShiftOpen = "refusal.shift.open"
    case refusalShiftEnded = "refusal.shift.ended"
    case refusalShiftUnfinished = "refusal.shift.unfinished"
    case refusalShiftPart = "refusal.shift.part"
    case refusalZoneMissing = "refusal.zone.missing"
    case refusalChecklistNone = "refusal.checklist.none"
    case refusalChecklistLarge = "refusal.checklist.large"
    case refusalLogBehind = "refusal.log.behind"
    case refusalDeviceLimit = "refusal.device.limit"
    case refusalDeviceTaken = "refusal.device.taken"
    case refusalDeviceClock = "refusal.device.clock"
    case refusalOperationLimit = "refusal.operation.limit"
    case refusalOperationUnknown = "refusal.operation.unknown"
    case refusalCrewTick = "refusal.crew.tick"
    case refusalCrewBarred = "refusal.crew.barred"
    case refusalListMissing = "refusal.list.missing"
    case refusalTaskMissing = "refusal.task.missing"
    case refusalTaskParent = "refusal.task.parent"
    case refusalTaskFinding = "refusal.task.finding"
    case refusalTodoMissing = "refusal.todo.missing"
    case refusalTodoUnchanged = "refusal.todo.unchanged"
    case refusalTodoArea = "refusal.todo.area"
    case refusalTodoPriority = "refusal.todo.priority"
    case refusalPathMissing = "refusal.path.missing"
    case refusalAnswerMissing = "refusal.answer.missing"
    case refusalAnswerWrong = "refusal.answer.wrong"
    case refusalAnswerFinding = "refusal.answer.finding"
    case refusalFigureWrong = "refusal.figure.wrong"
    case refusalPhotoLimit = "refusal.photo.limit"
    case refusalPhotoUnnamed = "refusal.photo.unnamed"
    case refusalPhotoTogether = "refusal.photo.together"
    case refusalPhotoTwice = "refusal.photo.twice"
    case refusalPhotoWrong = "refusal.photo.wrong"
    case refusalPhotoLost = "refusal.photo.lost"
    case thingAlert = "thing.alert"
    case refusalRecipientDenied = "refusal.recipient.denied"
    case refusalAlertWithdrawn = "refusal.alert.withdrawn"
    case refusalAlertExpired = "refusal.alert.expired"
    case refusalNamePlain = "refusal.name.plain"
    case refusalLanguageUnknown = "refusal.language.unknown"
    case refusalPreferenceChanged = "refusal.preference.changed"
    case refusalQuietHoursEmpty = "refusal.quietHours.empty"
    case refusalChannelMissing = "refusal.channel.missing"
    case refusalChannelDamaged = "refusal.channel.damaged"
    case thingJourney = "thing.journey"
    case refusalFeedNone = "refusal.feed.none"
    case refusalFeedMissing = "refusal.feed.missing"
    case refusalFeedDamaged = "refusal.feed.damaged"
    case refusalStopMissing = "refusal.stop.missing"
    case refusalStopUnserved = "refusal.stop.unserved"
    case refusalFavouriteMissing = "refusal.favourite.missing"
    case refusalFavouriteLimit = "refusal.favourite.limit"
    case refusalLineBroken = "refusal.line.broken"
    case refusalPolicyUnaccepted = "refusal.policy.unaccepted"
    case refusalPolicyChanged = "refusal.policy.changed"
    case refusalJourneyEnded = "refusal.journey.ended"
    case refusalJourneyOnward = "refusal.journey.onward"
    case refusalPositionCount = "refusal.position.count"
    case refusalPositionPlace = "refusal.position.place"
    case refusalPositionTime = "refusal.position.time"
    case refusalPlanWork = "refusal.plan.work"
    case refusalPlanBusy = "refusal.plan.busy"
    case refusalPlanPaper = "refusal.plan.paper"
    case refusalChairNone = "refusal.chair.none"
    case refusalStandardMissing = "refusal.standard.missing"
    case refusalPlanLimit = "refusal.plan.limit"
    case refusalPlanLarge = "refusal.plan.large"
    case refusalProductLimit = "refusal.product.limit"
    case refusalProjectLimit = "refusal.project.limit"
    case refusalProjectLarge = "refusal.project.large"
    case refusalJourneyActive = "refusal.journey.active"
    case refusalJourneyLimit = "refusal.journey.limit"
    case refusalDayLarge = "refusal.day.large"
    case refusalTestLimit = "refusal.test.limit"
    case refusalCallLimit = "refusal.call.limit"
    case refusalMailboxLimit = "refusal.mailbox.limit"
    case refusalMailboxCode = "refusal.mailbox.code"
    case refusalTemplateLimit = "refusal.template.limit"
    case refusalTemplateLarge = "refusal.template.large"
    case refusalAccountLimit = "refusal.account.limit"
    case refusalEquipmentLimit = "refusal.equipment.limit"
    case refusalShiftLimit = "refusal.shift.limit"

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
