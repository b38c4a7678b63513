import Bus
import Messages
import Phrases
import Speech
import Testing

@testable import ShiftClient

/// Refusals in the words of the command line.
struct TypedMessageTests {
    @Test(
        arguments: [
            ("project.Project.name", "the name of the project"),
            ("project.TrackedIssue.due", "the due date of the issue"),
            ("project.MeetingGuest.mail", "the mail address of a guest"),
            ("project.BookMeeting.project", "the project"),
            ("project.ListIssues.due_before", "the due before"),
        ])
    func `a field that is too long has the name that people use`(_ field: String, _ words: String) {
        let error = ProtobufError.tooLong(field: field, bytes: 3_000, limit: 2_040)
        let refusal = Refusal.invalid("the message can't be read: \(error)")
            .because(.fieldLimit, of: field)

        let failure = Failure(ClientError.refused(refusal))

        #expect(failure?.sentence == "\(words) has 3000 bytes; it may have at most 2040")
    }

    @Test func `a list that is too long is named as one`() {
        let field = "project.ProjectMeeting.guests"
        let error = ProtobufError.tooMany(field: field, count: 60, limit: 50)
        let refusal = Refusal.invalid("the message can't be read: \(error)")
            .because(.fieldLimit, of: field)

        #expect(
            refusal.typedMessage
                == "the list of guests of the meeting has 60 items; it may have at most 50")
        #expect(Words<ScreenPhrase>(.english).text(of: refusal) == refusal.typedMessage)
    }

    @Test func `other refusals stay as they are`() {
        let refusal = Refusal.invalid("project.Project.name is what it says")
        #expect(refusal.typedMessage == refusal.message)
        let unnamed = Refusal.invalid("the text can't be read").because(.fieldLimit)
        #expect(unnamed.typedMessage == "the text can't be read")
    }
}
