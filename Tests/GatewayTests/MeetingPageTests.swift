import Messages
import Testing

@testable import Gateway

/// Reading the meetings of a project in pages.
@Suite struct MeetingPageTests {
    /// Two meetings begin at each time, latest first.
    private static let meetings = (0..<1_300).map {
        ProjectMeeting(id: "\(9_999 - $0)", start: Int64(10_000 - $0 / 2), end: 20_000)
    }

    /// What the service returns, which may be fewer than wanted.
    private static func page(
        _ meetings: [ProjectMeeting], after last: ProjectMeeting?, of size: Int
    ) -> [ProjectMeeting] {
        guard let last else { return Array(meetings.prefix(size)) }
        let earlier = meetings.filter { ($0.start, $0.id) < (last.start, last.id) }
        return Array(earlier.prefix(size))
    }

    @Test(arguments: [3, 500, 999, 1_300, 2_000])
    func `a meeting is found among any number of later ones`(size: Int) {
        let read = MeetingAnswerSheet.all { last, _ in
            Self.page(Self.meetings, after: last, of: size)
        }

        #expect(read == Self.meetings)
    }

    @Test func `all meetings that begin at the same time are found`() {
        let meetings = (0..<9).reversed().map { ProjectMeeting(id: "\($0)", start: 9, end: 20) }

        let read = MeetingAnswerSheet.all { last, _ in
            Self.page(meetings, after: last, of: 2)
        }

        #expect(read == meetings)
    }

    @Test func `no more meetings are read than are wanted`() {
        let read = MeetingAnswerSheet.all(most: 700) { last, wanted in
            Self.page(Self.meetings, after: last, of: min(wanted, 500))
        }

        #expect(read == Array(Self.meetings.prefix(700)))
    }

    @Test func `a project without meetings has none`() {
        #expect(MeetingAnswerSheet.all { _, _ in [] }.isEmpty)
    }

    @Test func `a service that returns the same page again keeps no command waiting`() {
        let page = Array(Self.meetings.prefix(2))
        #expect(MeetingAnswerSheet.all { _, _ in page } == page)
    }

    @Test func `a meeting in the past gets a remark, and one to come gets none`() {
        var meeting = ProjectMeeting(id: "0192", start: 1_000, end: 5_000)
        let note = MeetingAnswerSheet.note(on: meeting, at: 2_000)
        #expect(note?.hasSuffix("steward meet cancel 0192") == true)

        meeting.start = 3_000
        #expect(MeetingAnswerSheet.note(on: meeting, at: 2_000) == nil)
    }
}
