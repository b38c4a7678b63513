import Foundation
import TestSupport
import Testing

@testable import Calendars

/// Cases derived from RFC 5545 by hand, and the calendars of a team in six zones.
@Suite(.enabled(if: Recordings.folder("project/freebusy") != nil))
struct RealCalendarTests {
    private struct Case: Decodable {
        let name: String
        let ics: String
        let window: [String]
        let rfc: [[String]]
    }

    private struct Team: Decodable {
        struct Person: Decodable {
            let tz: String
            let email: String
        }
        let window: [String]
        let people: [String: Person]
    }

    private struct Expected: Decodable {
        struct Person: Decodable {
            let busy: [[String]]
        }
        let people: [String: Person]
    }

    private static func file(_ name: String) throws -> Data {
        let folder = try #require(Recordings.folder("project/freebusy"))
        return try Data(contentsOf: folder.appending(path: name))
    }

    @Test func `each example of RFC 5545 gives the dates in the RFC`() throws {
        let cases = try JSONDecoder().decode([Case].self, from: Self.file("rfc_cases.json"))
        #expect(cases.count == 10)
        for rfc in cases {
            let calendar = try CalendarFile(rfc.ics.utf8)
            #expect(calendar.problems.count == 0)
            let times = try calendar.times(rfc.window[0], rfc.window[1])
            #expect(times == rfc.rfc, "\(rfc.name)")
        }
    }

    @Test func `a team is busy at the times that an independent program finds`() throws {
        let team = try JSONDecoder().decode(Team.self, from: Self.file("team/team.json"))
        let expected = try JSONDecoder().decode(
            Expected.self, from: Self.file("team/expected.json"))
        #expect(team.people.count == 6)
        for (name, person) in team.people {
            let calendar = try CalendarFile(Self.file("team/\(name).ics"))
            #expect(calendar.problems.count == 0)
            let busy = try calendar.busyTimes(
                in: days("2026-03-01", "2026-04-13"), zone: #require(Zone(named: person.tz)),
                addresses: [person.email])
            var wanted = try #require(expected.people[name]).busy.map { Array($0[0...2]) }
            if name == "alice" {
                // That program counts 02:30 on the day when the clock goes from 02:00 to 03:00. By
                // RFC 5545, 3.3.10, that time doesn't count, and the fourth Sunday is 29 March.
                let skipped = ["2026-03-08T10:30:00Z", "2026-03-08T10:45:00Z", "BUSY"]
                #expect(wanted.contains(skipped))
                wanted.removeAll { $0 == skipped }
                wanted.append(["2026-03-29T09:30:00Z", "2026-03-29T09:45:00Z", "BUSY"])
            }
            let found = busy.map { time in
                [text(time.span.start), text(time.span.end), "\(time.kind)".uppercased()]
            }
            #expect(Set(found) == Set(wanted), "\(name)")
            #expect(found.count == wanted.count, "\(name)")
        }
    }
}
