/// The texts of mails, except for their contents.
package enum MailPhrase: String, PhraseKey {
    // Lists of a shift.
    case listsFile, todoFile, noDocument, tooLong

    // Plans.
    case plan, attached, takeIn

    // Meetings.
    case meetingInvited, meetingMoved, meetingCancelled
    case meetingInvitedText, meetingMovedText, meetingCancelledText
    case meetingWhen, meetingWhere, meetingProject

    case testSubject, testText

    // The code that confirms a mailbox.
    case mailboxSubject, mailboxText

    package static let subject = "mails"
    package static let all = Words<MailPhrase>.read(
        en: PackageResources.mails_en_txt, nb: PackageResources.mails_nb_txt,
        sv: PackageResources.mails_sv_txt)
}
