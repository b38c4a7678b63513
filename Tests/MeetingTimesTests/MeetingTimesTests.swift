import Calendars
import TestSupport
import Testing

@testable import MeetingTimes

/// Which times are found, in which order, and why there are none.
struct MeetingTimesTests {
    private static let hour: Int64 = 3_600
    /// Monday, 2 March 2026, midnight UTC.
    private static let monday: Int64 = 1_772_409_600

    private static func span(_ first: Double, _ last: Double) -> TimeSpan {
        TimeSpan(monday + Int64(first * 3_600), monday + Int64(last * 3_600))
    }

    private static func person(
        _ id: String, _ first: Double = 9, _ last: Double = 17, busy: [(Double, Double)] = [],
        _ kind: BusyTime.Kind = .busy, weight: Int? = nil, burden: Int64 = 0
    ) -> Attendee {
        Attendee(
            id: id, working: [span(first, last)],
            busy: busy.map { BusyTime(span($0, $1), kind) }, weight: weight, burden: burden)
    }

    private static func request(_ hours: Double = 1, step: Int64 = 3_600) -> MeetingRequest {
        MeetingRequest(window: span(0, 24), length: Int64(hours * 3_600), step: step)
    }

    private static func begins(_ answer: MeetingAnswer) -> [Double] {
        answer.slots.map { Double($0.span.start - monday) / 3_600 }
    }

    @Test func `a meeting is when all required people work and are free`() throws {
        let answer = try MeetingTimes.find(
            Self.request(),
            [Self.person("a", busy: [(9, 11)]), Self.person("b", 8, 15, busy: [(12, 13)])])
        #expect(Self.begins(answer).sorted() == [11, 13, 14])
        #expect(answer.count == 3 && answer.impasse == nil)
    }

    @Test func `an event that ends when the meeting begins is no obstacle without a buffer`()
        throws
    {
        var request = Self.request()
        let people = [Self.person("a", 9, 14, busy: [(10, 11), (13, 14)])]
        #expect(Self.begins(try MeetingTimes.find(request, people)).sorted() == [9, 11, 12])
        (request.before, request.after) = (60, 0)
        #expect(Self.begins(try MeetingTimes.find(request, people)).sorted() == [9, 12])
        (request.before, request.after) = (0, 60)
        #expect(Self.begins(try MeetingTimes.find(request, people)).sorted() == [11])
    }

    @Test func `a time with more of the optional people is better, by their weights`() throws {
        let people = [
            Self.person("a"), Self.person("b", 9, 12, weight: 3),
            Self.person("c", 13, 17, weight: 5),
        ]
        let answer = try MeetingTimes.find(Self.request(), people)
        #expect(Self.begins(answer).first == 13)
        #expect(answer.slots[0].missing == ["b"] && answer.slots[0].missedWeight == 3)
        #expect(answer.slots.map(\.missedWeight) == [3, 3, 3, 3, 5, 5, 5, 8])
    }

    @Test func `inconvenient hours are shared fairly`() throws {
        // One works from 6 to 14, the other from 10 to 18: the middle is 12.
        let even = [Self.person("a", 6, 14), Self.person("b", 10, 18)]
        #expect(Self.begins(try MeetingTimes.find(Self.request(2), even)).first == 11)
        // Someone who bore more before is spared: the earliest time suits a best.
        let tired = [Self.person("a", 6, 14, burden: 240), Self.person("b", 10, 18)]
        #expect(Self.begins(try MeetingTimes.find(Self.request(2), tired)).first == 10)
    }

    @Test func `a time that delays the project less is better than any other`() throws {
        var asked: [TimeSpan] = []
        var request = Self.request()
        request.mostCosted = 4
        let answer = try MeetingTimes.find(request, [Self.person("a")]) { span in
            asked.append(span)
            return span.start == Self.monday + 11 * Self.hour ? 0 : 2
        }
        #expect(asked.count == 4)
        #expect(Self.begins(answer) == [11, 12, 13, 14])
        #expect(answer.slots.map(\.cost) == [0, 2, 2, 2] && answer.count == 8)
    }

    @Test func `tentatively busy times are used only if requested`() throws {
        var request = Self.request()
        let people = [Self.person("a", 9, 11, busy: [(9, 11)], .tentative)]
        let answer = try MeetingTimes.find(request, people)
        #expect(answer.slots == [])
        let way = try #require(answer.impasse?.ways.first)
        #expect(way.relaxation == .tentative && way.span == Self.span(9, 10))
        request.usesTentative = true
        let used = try MeetingTimes.find(request, people)
        #expect(Self.begins(used) == [9, 10])
        #expect(used.slots.map(\.unsure) == [["a"], ["a"]])
    }

    @Test func `if there is no time, the answer says who blocks it and what would help`() throws {
        var request = Self.request(1, step: 1_800)
        (request.before, request.after) = (600, 600)
        let answer = try MeetingTimes.find(
            request,
            [
                Self.person("a", 9, 12, busy: [(10, 11)]), Self.person("b", 8, 11),
                Self.person("c", 10, 16), Self.person("d", 9, 17, weight: 1),
            ])
        let impasse = try #require(answer.impasse)
        #expect(impasse.beginnings == 47)
        #expect(impasse.blockers.map(\.id) == ["a", "b", "c"])
        let first = try #require(impasse.blockers.first)
        // a could begin at 9 and 11 without a buffer, and is the only obstacle at 10.
        #expect(first.outsideWork == 42 && first.busy == 3 && first.buffer == 2)
        #expect(first.alone == 1)
        #expect(
            impasse.ways.map(\.relaxation) == [.overtime(5_400), .without(["a"])])
        #expect(impasse.ways.map(\.span) == [Self.span(8.5, 9.5), Self.span(10, 11)])
    }

    @Test func `a request out of range is refused before any computation`() throws {
        let people = [Self.person("a")]
        let faults: [(inout MeetingRequest) -> Void] = [
            { $0.before = -1 }, { $0.after = .max }, { $0.anchor = .min }, { $0.most = 0 },
            { $0.most = .max }, { $0.mostCosted = 0 },
        ]
        for change in faults {
            var request = Self.request()
            change(&request)
            #expect(throws: MeetingFault.self) { try MeetingTimes.find(request, people) }
        }
        let window = Self.span(0, 24)
        for (span, length, step) in [
            (window, 59, 3_600), (window, Int64.max, 3_600), (window, .min, 3_600),
            (window, 3_600, 0), (window, 3_600, -1), (window, 3_600, Int64.max),
            (window, 90_000, 3_600), (TimeSpan(0, 401 * 86_400), 3_600, 3_600),
            (TimeSpan(0, 400 * 86_400), 3_600, 60), (TimeSpan(-1, 86_400), 3_600, 3_600),
            (TimeSpan(.min, .max), 3_600, 3_600), (TimeSpan(.max - 1, .max), 3_600, 3_600),
            (TimeSpan(5, 5), 3_600, 3_600),
        ] {
            let request = MeetingRequest(window: span, length: length, step: step)
            #expect(throws: MeetingFault.self) { try MeetingTimes.find(request, people) }
        }
        for crowd in [
            [], people + people, [Self.person("a", weight: 1)],
            people + [Self.person("b", weight: 0)],
            people + [Self.person("b", burden: -1)], (0...200).map { Self.person("\($0)") },
        ] {
            #expect(throws: MeetingFault.self) { try MeetingTimes.find(Self.request(), crowd) }
        }
        #expect(MeetingFault.twice("a").description == "“a” was named twice; name each person once")
    }

    @Test func `times at the ends of the calendar do no harm`() throws {
        let all = TimeSpan(.min, .max)
        let person = Attendee(id: "a", working: [all], busy: [BusyTime(all, .busy)])
        #expect(try MeetingTimes.find(Self.request(), [person]).slots == [])
        let free = Attendee(id: "a", working: [TimeSpan(.min, .max)], busy: [])
        #expect(try MeetingTimes.find(Self.request(), [free]).count == 24)
    }

    @Test(arguments: Seed.some(150))
    func `times and their order match an exhaustive search of every five minutes`(
        seed: Seed
    ) throws {
        var seed = seed
        let (request, people) = Self.any(&seed)
        let judge = MeetingJudge(request)
        let required = people.filter(\.isRequired)
        let wanted = judge.beginnings(required)
        let answer = try MeetingTimes.find(request, people)
        #expect(answer.count == wanted.count)
        let ranked = wanted.map { judge.rank(people, $0) }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
        let found = answer.slots.map {
            [Int64($0.missedWeight), Int64($0.unsure.count), $0.worst, $0.total, $0.span.start]
        }
        #expect(found == Array(ranked.prefix(request.most)))
        #expect((answer.impasse == nil) == !wanted.isEmpty)
        if let impasse = answer.impasse { try Self.judge(impasse, judge, required) }
    }

    /// Each suggestion is minimal, and no sufficient one is missing.
    private static func judge(
        _ impasse: Impasse, _ judge: MeetingJudge, _ required: [Attendee]
    ) throws {
        func first(_ change: (inout MeetingJudge) -> Void, _ people: [Attendee]) -> TimeSpan? {
            var changed = judge
            change(&changed)
            return changed.beginnings(people).first.map { TimeSpan($0, $0 + changed.length) }
        }
        var ways: [Impasse.Way] = []
        func add(_ relaxation: Impasse.Relaxation, _ span: TimeSpan?) -> Bool {
            guard let span else { return false }
            ways.append(.init(relaxation: relaxation, span: span))
            return true
        }
        if !judge.usesTentative {
            _ = add(.tentative, first({ $0.usesTentative = true }, required))
        }
        if judge.before + judge.after > 0 {
            _ = add(.noBuffer, first({ ($0.before, $0.after) = (0, 0) }, required))
        }
        for length in stride(from: judge.length - 300, to: 0, by: -300)
        where add(.shorter(length), first({ $0.length = length }, required)) { break }
        for overtime in stride(from: Int64(900), through: 14_400, by: 900)
        where add(.overtime(overtime), first({ $0.overtime = overtime }, required)) { break }
        let fewest = judge.grid.map { beginning in
            (beginning, required.filter { !judge.suits($0, beginning) })
        }.min { $0.1.count < $1.1.count }
        if let (beginning, people) = fewest, people.count < required.count {
            let span = TimeSpan(beginning, beginning + judge.length)
            _ = add(.without(people.map(\.id)), span)
        }
        #expect(impasse.ways == ways)
        #expect(impasse.beginnings == judge.grid.count)
        for person in required {
            let blocked = judge.grid.filter { !judge.suits(person, $0) }
            let alone = blocked.filter { beginning in
                required.allSatisfy { $0.id == person.id || judge.suits($0, beginning) }
            }
            let found = impasse.blockers.first { $0.id == person.id }
            let count = found.map { $0.outsideWork + $0.busy + $0.buffer } ?? 0
            #expect(count == blocked.count && found?.alone ?? 0 == alone.count)
            #expect(
                found?.outsideWork ?? 0 == blocked.count { !judge.works(person, $0) })
        }
    }

    private static func any(_ seed: inout Seed) -> (MeetingRequest, [Attendee]) {
        let start = monday + Int64(seed.below(48)) * 300
        var request = MeetingRequest(
            window: TimeSpan(start, start + Int64(2 + seed.below(22)) * 3_600),
            length: Int64(1 + seed.below(16)) * 300, step: seed.pick([300, 900, 1_800, 3_600]))
        request.anchor = seed.pick([0, 900, monday + 600])
        if seed.oneIn(2) {
            request.before = Int64(seed.below(4)) * 300
            request.after = Int64(seed.below(4)) * 300
        }
        request.usesTentative = seed.oneIn(3)
        request.most = seed.pick([1, 5, 1_000])
        let people = (0...seed.below(4)).map { number in
            let working = (0...seed.below(3)).map { _ -> TimeSpan in
                let begin = monday + Int64(seed.below(360)) * 300
                return TimeSpan(begin, begin + Int64(1 + seed.below(100)) * 300)
            }
            let busy = (0..<seed.below(6)).map { _ -> BusyTime in
                let begin = monday + Int64(seed.below(360)) * 300
                let span = TimeSpan(begin, begin + Int64(seed.below(24)) * 300)
                return BusyTime(span, seed.pick([.busy, .busy, .tentative, .unavailable]))
            }
            return Attendee(
                id: "p\(number)", working: working, busy: busy,
                weight: number > 0 && seed.oneIn(3) ? 1 + seed.below(9) : nil,
                burden: seed.oneIn(3) ? Int64(seed.below(300)) : 0)
        }
        return (request, people)
    }
}
