import Calendars
import Foundation
import TestSupport
import Testing

@testable import MeetingTimes

/// Queries of a team in six zones, over two changes of the clock, compared with another program's
/// answers.
@Suite(.enabled(if: Recordings.folder("project/freebusy/team") != nil))
struct RealTeamTests {
    private struct Team: Decodable {
        struct Person: Decodable {
            let tz: String
            let email: String
            let hours: [String: [String]]
            let days_off: [String]?
        }
        struct Query: Decodable {
            let name: String
            let required: [String]
            let optional: [String]?
            let minutes: Int64
            let step: Int64
        }
        let people: [String: Person]
        let queries: [Query]
    }

    private struct Expected: Decodable {
        struct Query: Decodable {
            let name: String
            let slots: [String]
            let optional_free: [String: [String]]
        }
        let queries: [Query]
    }

    /// 1 March to 13 April 2026.
    private static let window = TimeSpan(1_772_323_200, 1_776_038_400)

    private static func file(_ name: String) throws -> Data {
        let folder = try #require(Recordings.folder("project/freebusy/team"))
        return try Data(contentsOf: folder.appending(path: name))
    }

    /// `09:30` as seconds after midnight.
    private static func seconds(_ text: Substring) throws -> Int64 {
        let parts = text.split(separator: ":").compactMap { Int64($0) }
        return try #require(parts.count == 2 ? parts[0] * 3_600 + parts[1] * 60 : nil)
    }

    private static func working(_ person: Team.Person, _ zone: Zone) throws -> [TimeSpan] {
        let first = window.start / 86_400 - 1
        return try (first..<window.end / 86_400 + 1).flatMap { day -> [TimeSpan] in
            let date = WallTime(day: day).date
            guard person.days_off?.contains(date.iso) != true else { return [] }
            return try (person.hours["\(date.weekday + 1)"] ?? []).map { hours in
                let ends = try hours.split(separator: "-").map { try seconds($0) }
                return TimeSpan(
                    zone.instant(of: WallTime(day: day, second: ends[0])),
                    zone.instant(of: WallTime(day: day, second: ends[1])))
            }
        }
    }

    @Test func `each request gives exactly the times that the other program found`() throws {
        let team = try JSONDecoder().decode(Team.self, from: Self.file("team.json"))
        let expected = try JSONDecoder().decode(Expected.self, from: Self.file("expected.json"))
        var people: [String: (working: [TimeSpan], busy: [BusyTime])] = [:]
        for (name, person) in team.people {
            let zone = try #require(Zone(named: person.tz))
            let calendar = try CalendarFile(Self.file("\(name).ics"))
            people[name] = (
                try Self.working(person, zone),
                try calendar.busyTimes(in: Self.window, zone: zone, addresses: [person.email])
            )
        }
        #expect(team.queries.count == 8 && expected.queries.count == 8)
        for (query, wanted) in zip(team.queries, expected.queries) {
            #expect(query.name == wanted.name)
            var request = MeetingRequest(
                window: Self.window, length: query.minutes * 60, step: query.step * 60)
            request.most = 1_000
            let optional = query.optional ?? []
            let answer = try MeetingTimes.find(
                request,
                try (query.required + optional).map { name in
                    let person = try #require(people[name])
                    return Attendee(
                        id: name, working: person.working, busy: person.busy,
                        weight: optional.contains(name) ? 1 : nil)
                })
            let style = Date.ISO8601FormatStyle()
            let found = Dictionary(
                uniqueKeysWithValues: answer.slots.map { slot in
                    let date = Date(timeIntervalSince1970: Double(slot.span.start))
                    return (date.formatted(style), optional.filter { !slot.missing.contains($0) })
                })
            #expect(found.keys.sorted() == wanted.slots, "\(query.name)")
            // It lists who else is free only for the first times.
            #expect(wanted.optional_free.count == min(200, wanted.slots.count))
            #expect(
                found.filter { wanted.optional_free[$0.key] != nil } == wanted.optional_free,
                "\(query.name)")
            #expect((answer.impasse != nil) == wanted.slots.isEmpty)
        }
    }
}
