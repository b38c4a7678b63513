import Messages
import Phrases
import Testing

@testable import WebService

/// Which acknowledged alert silences the page of a ride.
struct RideAlertTests {
    private static func alert(
        _ kind: String, _ state: AlertState, at time: Int64, of journey: String = "r"
    ) -> Alert {
        Alert(
            id: "\(time)",
            raised: AlertRaised(kind: "transit.\(kind)", title: kind, subject: journey),
            state: state, time: time)
    }

    private static func learned(_ alerts: [Alert]) -> RideAlerts {
        RideAlerts(alerts, of: "r", in: .english, at: 9)
    }

    @Test func `the newest alert of a ride silences its page if it was acknowledged`() {
        let seen = Self.alert("getReady", .acknowledged, at: 3)
        let others = [
            Self.alert("now", .open, at: 5, of: "other"), Self.alert("landmark", .open, at: 4),
        ]

        let learned = Self.learned(others + [seen])

        #expect(learned.acknowledged == ["getReady": 3])
        #expect(learned.notices.map(\.title) == ["landmark"])
        for state in [AlertState.open, .withdrawn, .expired] {
            let alert = Self.alert("getReady", state, at: 3)
            #expect(Self.learned([alert]).acknowledged.isEmpty, "\(state)")
        }
    }

    @Test func `an alert of an earlier stop silences no page, even before that of the next comes`()
    {
        let ready = Self.alert("getReady", .acknowledged, at: 1)
        let now = Self.alert("now", .withdrawn, at: 2)
        let passed = Self.alert("passed", .withdrawn, at: 3)

        #expect(Self.learned([now, ready]).acknowledged.isEmpty)
        #expect(Self.learned([passed, now, ready]).acknowledged.isEmpty)
    }
}
