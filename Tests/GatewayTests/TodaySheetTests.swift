import Bus
import Messages
import Phrases
import Testing

@testable import Gateway

/// What `steward today` shows.
struct TodaySheetTests {
    @Test func `in JSON a shift has words for its part of the day and the kinds of its lists`()
        throws
    {
        var today = Today()
        today.shifts = [
            Shift(
                dayPart: 2, lists: [PinnedList(kind: UInt32(ListKind.travelPath.rawValue))])
        ]

        let text = try JSONList(.today, [today.report]).text(isOneLine: true)

        #expect(text.contains(#""dayPart":"evening""#), "\(text)")
        #expect(text.contains(#""kind":"travelPath""#), "\(text)")
        #expect(text.contains(#""meetings":[]"#), "\(text)")
    }

    @Test func `one service that fails or answers nonsense doesn't hide the others`() {
        #expect(QuestionRound.isOfService(ClientError.unexpected(type: "bus.Other")))
        #expect(
            QuestionRound.isOfService(ClientError.refused(Refusal(code: .internal, message: ""))))
        #expect(!QuestionRound.isOfService(ClientError.refused(.forbidden("no"))))
        #expect(!QuestionRound.isOfService(ClientError.refused(.invalid("the clock is wrong"))))
    }

    @Test func `an urgent alert is shown before many newer ones that are less severe`() {
        var open = (1...60).map { number in
            Alert(
                id: "02\(number + 10)", source: "plan-service",
                raised: AlertRaised(severity: .info, title: "Note \(number)"), severity: .info)
        }
        let gas = AlertRaised(severity: .warning, title: "Gas")
        open.append(Alert(id: "01", source: "notifier", raised: gas, severity: .urgent))
        let tea = AlertRaised(severity: .urgent, title: "Tea")
        let routine = ServiceName.routine.rawValue
        open.append(Alert(id: "03", source: routine, raised: tea, severity: .urgent))
        var today = Today()

        today.show(open)

        let sheet = TodaySheet(today, now: 0, zone: "UTC", language: .english)
        let lines = sheet.lines.map { $0.text(isColoured: false) }.filter { $0.hasPrefix("Alert") }
        let titles = lines.map { $0.dropFirst("Alert".count).trimmingPrefix(while: \.isWhitespace) }
        #expect(titles == ["Gas", "Note 60", "Note 59", "Note 58", "Note 57", "…"])
    }
}
