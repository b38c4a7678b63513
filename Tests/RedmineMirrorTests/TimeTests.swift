import Dates
import RedmineMirror
import Testing

/// Time entries and notes: read from responses, written, and merged.
@Suite struct TimeTests {
    private static let answer = #"""
        {"time_entries":[{"id":5,"project":{"id":1,"name":"Demo"},"issue":{"id":13},
        "user":{"id":6,"name":"Bob Brandt"},"activity":{"id":9,"name":"Development"},
        "hours":0.33,"comments":"a\r\nb","spent_on":"2026-01-05",
        "created_on":"2026-01-05T21:00:00Z","updated_on":"2026-01-05T21:00:00Z"},
        {"id":6,"project":{"id":1,"name":"Demo"},"user":{"id":6,"name":"Bob Brandt"},
        "hours":1.0,"comments":null,"spent_on":"2026-01-06"},
        {"id":7,"project":{"id":1,"name":"Demo"},"user":{"id":6,"name":"Bob Brandt"},
        "hours":1e300,"spent_on":"2026-01-06"}],
        "total_count":3,"offset":0,"limit":25}
        """#

    @Test func `time is read with its minutes, and entries out of range are left out and named`()
        throws
    {
        let page = try RedmineReader.times(Array(Self.answer.utf8))
        #expect(page.total == 3 && page.count == 3)
        #expect(page.items.map(\.minutes) == [20, 60] && page.items.map(\.issue) == [13, nil])
        #expect(page.items[0].comment == "a\nb" && page.items[0].day.iso == "2026-01-05")
        #expect(page.items[0].user == RemoteName(id: 6, name: "Bob Brandt"))
        #expect(page.skipped.map(\.description) == ["1e+300 hours were worked"])
    }

    @Test(arguments: [1, 2, 20, 59, 60, 61, 450, 1_439, 1_440])
    func `minutes survive storing, and a server's rounding of hours`(
        minutes: Int
    ) throws {
        let time = RemoteTime(
            id: 7, project: 1, issue: 3, user: RemoteName(id: 6, name: "Bob \"B\""),
            day: try #require(CivilDate(iso: "2027-03-01")), minutes: minutes, comment: "a\nb")
        #expect(try RedmineReader.time(RedmineBody.kept(time)) == time)
        let hundredths = (Double(minutes) / 60 * 100).rounded() / 100
        let told = String(decoding: RedmineBody.kept(time), as: UTF8.self)
            .replacing(#/"hours":[0-9.]+/#, with: "\"hours\":\(hundredths)")
        #expect(try RedmineReader.time(Array(told.utf8)).minutes == minutes)
    }

    @Test func `a field changed on one side is read or written, and on both sides is a conflict`()
        throws
    {
        let day = try #require(CivilDate(iso: "2027-03-01"))
        let base = RemoteTime(
            id: 7, project: 1, issue: 3, user: RemoteName(id: 6, name: ""), day: day, minutes: 60)
        var theirs = base
        (theirs.minutes, theirs.comment, theirs.day) = (
            90, "theirs", CivilDate(daysSince1970: day.daysSince1970 + 1)
        )
        var ours = base.values
        ours[.comment] = .text("ours")
        ours[.issue] = .number(4)
        ours[.day] = theirs[.day]
        ours[.member] = nil
        let merge = TimeMerge(base: base, ours: ours, theirs: theirs)
        #expect(merge.taken == [.minutes] && merge.pushed == [.issue])
        #expect(merge.conflicts == [.comment])
        theirs.user = RemoteName(id: 9, name: "")
        // Our entry names somebody whom the server doesn't know, and the server's somebody else.
        #expect(
            TimeMerge(base: base, ours: ours, theirs: theirs).conflicts == [.member, .comment])
    }

    @Test func `public notes are read, and one that is too long is named`() throws {
        let long = String(repeating: "x", count: 70_000)
        let answer = #"""
            {"issue":{"id":13,"updated_on":"2026-01-05T21:00:01Z","journals":[
            {"id":1,"user":{"id":5,"name":"Ann"},"notes":"One\r\n","private_notes":false,
            "created_on":"2026-01-05T21:00:00Z","details":[{"name":"status_id"}]},
            {"id":2,"notes":"Hidden","private_notes":true,"created_on":"2026-01-05T21:00:00Z"},
            {"id":3,"notes":"","private_notes":false,"created_on":"2026-01-05T21:00:00Z"},
            {"id":4,"notes":"\#(long)","created_on":"2026-01-05T21:00:00Z"}]}}
            """#
        let read = try RedmineReader.notes(Array(answer.utf8))
        #expect(read.updated == 1_767_646_801)
        #expect(read.notes.map(\.text) == ["One\n"] && read.notes.map(\.id) == [1])
        #expect(!read.isPrivate)
        #expect(read.skipped.count == 1)
        #expect(RemoteNote.plain(" One\r\n\r\n") == "One")
    }

    @Test func `the usual activity comes first`() throws {
        let answer = #"""
            {"time_entry_activities":[{"id":8,"name":"Design","is_default":false,"active":true},
            {"id":9,"name":"Development","is_default":true,"active":true}]}
            """#
        #expect(
            try RedmineReader.activities(Array(answer.utf8)).map(\.name) == [
                "Development", "Design",
            ])
    }

    @Test func `a truncated answer is refused`() {
        let whole = Array(Self.answer.utf8)
        for length in stride(from: 0, to: whole.count - 1, by: 7) {
            #expect(throws: RedmineFault.self) {
                try RedmineReader.times(Array(whole[..<length]))
            }
        }
    }
}
