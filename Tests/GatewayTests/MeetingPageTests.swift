import Messages
import Testing

@testable import Gateway

/// Reading the meetings of a project in pages.
@Suite struct MeetingPageTests {
    /// Two meetings begin at each time, latest first.
    private static let meetings = (0..<1_300).map {
        ProjectMeeting(id: "\($0)", start: Int64(10_000 - $0 / 2), end: 20_000)
    }

    private static func page(_ until: Int64, of size: Int) -> [ProjectMeeting] {
        Array(meetings.filter { until == 0 || $0.start < until }.prefix(size))
    }

    @Test(arguments: [3, 500, 999, 1_300, 2_000])
    func `a meeting is found among any number of later ones`(size: Int) {
        let read = MeetingAnswerSheet.all { Self.page($0, of: size) }

        #expect(read == Self.meetings)
    }

    @Test func `meetings before many that begin at the same time are found`() {
        let others = (0..<5).map { ProjectMeeting(id: "\($0)", start: 9, end: 20) }
        let wanted = ProjectMeeting(id: "wanted", start: 0, end: 20)

        let read = MeetingAnswerSheet.all { until in
            Array((others + [wanted]).filter { until == 0 || $0.start < until }.prefix(3))
        }

        #expect(read.contains(wanted))
    }

    @Test func `a project without meetings has none`() {
        #expect(MeetingAnswerSheet.all { _ in [] }.isEmpty)
    }
}
