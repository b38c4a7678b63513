import Foundation
import RideTracking
import Testing

@testable import RideFile

/// Tests what is read from a phone's messages.
@Suite struct OwnTracksReportTests {
    private func read(_ text: String) -> OwnTracksReport { OwnTracksReport.read(Array(text.utf8)) }

    @Test func `a location gives place, time, accuracy and speed`() {
        let report = read(
            #"{"_type":"location","lat":54.5,"lon":-1.25,"tst":1763715600,"acc":12,"vel":36,"#
                + #""tid":"an","batt":80}"#)

        #expect(
            report
                == .position(
                    RideFix(
                        time: 1_763_715_600_000, latitude: 54.5, longitude: -1.25, accuracy: 12,
                        speed: 10)))
    }

    @Test func `an unmeasured speed is left out`() {
        let report = read(#"{"_type":"location","lat":1,"lon":2,"tst":1763715600,"vel":-1}"#)

        #expect(
            report == .position(RideFix(time: 1_763_715_600_000, latitude: 1, longitude: 2)))
    }

    @Test func `an encrypted message is recognised`() {
        #expect(read(#"{"_type":"encrypted","data":"c2VjcmV0"}"#) == .encrypted)
    }

    @Test(
        arguments: [
            "", "{", "[]", #"{"_type":"waypoint","lat":1,"lon":2,"tst":3}"#,
            #"{"_type":"location","lat":1,"lon":2}"#,
            #"{"_type":"location","lat":91,"lon":2,"tst":3}"#,
            #"{"_type":"location","lat":1,"lon":-181,"tst":3}"#,
            #"{"_type":"location","lat":1,"lon":2,"tst":0}"#,
            #"{"_type":"location","lat":1,"lon":2,"tst":1e300}"#,
            #"{"_type":"location","lat":"1","lon":2,"tst":3}"#,
        ])
    func `anything else gives no position`(text: String) {
        #expect(read(text) == .other)
    }

    @Test func `a message with a text that is slow to compare is not read`() {
        let marks = String(repeating: "\\u0301", count: 31)

        #expect(
            read(#"{"_type":"location","lat":1,"lon":2,"tst":3,"e"# + marks + #"":1}"#) == .other)
        #expect(
            read(#"{"_type":"location","lat":1,"lon":2,"tst":3,"e":1}"#)
                == .position(RideFix(time: 3_000, latitude: 1, longitude: 2)))
    }

    @Test func `a message that is too long is not read`() {
        let long = String(repeating: " ", count: OwnTracksReport.longest)

        #expect(read(#"{"_type":"location","lat":1,"lon":2,"tst":3}"# + long) == .other)
    }
}
