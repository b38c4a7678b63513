import Foundation
import TestSupport
import Testing

@testable import TransitFeed

@Suite struct FeedRefusalTests {
    /// Changes in files, and how each refusal begins.
    static let faults: [(String, String, String, String)] = [
        (
            "stop_times.txt", ",B,2,0,0\nT1", ",99,2,0,0\nT1",
            "stop_times.txt, line 3: stop_id “99” is not in stops.txt; "
        ),
        (
            "stop_times.txt", "T2,24:00", "T9,24:00",
            "stop_times.txt, line 6: trip_id “T9” is not in trips.txt; "
        ),
        (
            "stop_times.txt", "08:05:00,", "8:5:00,",
            "stop_times.txt, line 3: arrival_time “8:5:00” is not a time; "
        ),
        (
            "stop_times.txt", "08:16:00,08:16:00", "08:06:00,08:05:59",
            "stop_times.txt, line 4: departure_time 08:05:59 is before the arrival at 08:06:00; "
        ),
        (
            "stop_times.txt", "08:16:00,", "08:05:30,",
            "stop_times.txt, line 4: arrival_time 08:05:30 is before 08:06:00 at the stop before"
        ),
        (
            "stop_times.txt", "8:00:00,8:00:00", ",",
            "stop_times.txt, line 2: arrival_time is empty at an end of trip “T1”; "
        ),
        (
            "stop_times.txt", "08:16:00,08:16:00,C,3", "08:16:00,08:16:00,C,2",
            "stop_times.txt, line 4: stop_sequence 2 occurs twice in trip “T1”; "
        ),
        (
            "stop_times.txt", ",C,3,0,0\nT2", ",C,x,0,0\nT2",
            "stop_times.txt, line 4: stop_sequence “x” is not a whole number; "
        ),
        (
            "stop_times.txt", ",C,3,0,0\nT2", ",C,3,4,0\nT2",
            "stop_times.txt, line 4: pickup_type 4 is not between 0 and 3; "
        ),
        (
            "stop_times.txt", ",C,3,0,0\nT2", ",C,3,0,0,5\nT2",
            "stop_times.txt, line 4: there are 8 fields for 7 columns; "
        ),
        (
            "stop_times.txt", ",C,3,0,0\nT2", ",\"C,3,0,0\nT2",
            "stop_times.txt, line 4: a quoted field has no end; "
        ),
        (
            "stop_times.txt", ",C,3,0,0\nT2", ",\"C\"x,3,0,0\nT2",
            "stop_times.txt, line 4: text follows a quoted field; "
        ),
        (
            "stops.txt", "52.5000000,13.41", "91,13.41",
            "stops.txt, line 3: stop_lat “91” is not between -90 and 90; "
        ),
        (
            "stops.txt", "13.4100000", "-180.1",
            "stops.txt, line 3: stop_lon “-180.1” is not between -180 and 180; "
        ),
        ("stops.txt", "13.4100000", "north", "stops.txt, line 3: stop_lon “north” is not a number"),
        ("stops.txt", "13.4100000", "", "stops.txt, line 3: stop_lon is empty; "),
        ("stops.txt", "B,102", "A,102", "stops.txt, line 3: stop_id “A” occurs twice; "),
        (
            "stops.txt", "0,S", "0,X",
            "stops.txt, line 2: parent_station “X” is not another stop of this file; "
        ),
        ("stops.txt", "stop_lat", "lat", "stops.txt, line 1: stop_lat is not among the columns; "),
        ("stops.txt", "stop_code", "stop_id", "stops.txt, line 1: stop_id occurs twice; "),
        (
            "routes.txt", ",3,", ",bus,",
            "routes.txt, line 2: route_type “bus” is not a whole number"
        ),
        ("routes.txt", "FF0000", "red", "routes.txt, line 2: route_color “red” is not a colour; "),
        (
            "trips.txt", "R1,WK,T1", "R2,WK,T1",
            "trips.txt, line 2: route_id “R2” is not in routes.txt; "
        ),
        (
            "trips.txt", "WK,T1", "SU,T1",
            "trips.txt, line 2: service_id “SU” is not in calendar.txt or calendar_dates.txt; "
        ),
        ("trips.txt", "T2", "T1", "trips.txt, line 3: trip_id “T1” occurs twice; "),
        (
            "calendar.txt", "20260101", "20260230",
            "calendar.txt, line 2: start_date “20260230” is not a date; "
        ),
        (
            "calendar.txt", "20261231", "20251231",
            "calendar.txt, line 2: end_date 20251231 is before start_date; "
        ),
        ("calendar.txt", "WK,1", "WK,2", "calendar.txt, line 2: monday 2 is not between 0 and 1; "),
        (
            "calendar_dates.txt", "20260502", "20260501",
            "calendar_dates.txt, line 3: date 20260501 occurs twice for “WK”; "
        ),
        (
            "calendar_dates.txt", "01,2", "01,3",
            "calendar_dates.txt, line 2: exception_type 3 is not between 1 and 2; "
        ),
        (
            "shapes.txt", "4200000,5", "4200000,1",
            "shapes.txt, line 3: shape_pt_sequence 1 occurs twice in one shape; "
        ),
        (
            "shapes.txt", "13.4200000", "13.42.0",
            "shapes.txt, line 3: shape_pt_lon “13.42.0” is not a number; "
        ),
        (
            "agency.txt", "Europe/Berlin", "Berlin",
            "agency.txt, line 2: agency_timezone “Berlin” is not a known time zone; "
        ),
        (
            "agency.txt", "1,City", "2,Rail,,Europe/Rome\n1,City",
            "agency.txt, line 3: agency_timezone “Europe/Berlin” differs from “Europe/Rome” of"
        ),
    ]

    @Test(arguments: faults)
    func `a fault is reported with file, line, column and reason`(
        _ file: String, _ old: String, _ new: String, _ sentence: String
    ) throws {
        let refusal = try SmallFeed().replacing(old, new, in: file).refusal()

        #expect(refusal.hasPrefix(sentence), "\(refusal)")
    }

    @Test(arguments: ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"])
    func `a missing or empty required file is reported`(_ file: String) throws {
        var without = SmallFeed()
        without.files[file] = nil
        var empty = SmallFeed()
        empty.files[file] = ""

        #expect(try without.refusal().hasPrefix("\(file): is not in "))
        #expect(try empty.refusal().hasPrefix("\(file): is empty; "))
    }

    @Test func `a feed in which nobody can ride is refused`() throws {
        var small = SmallFeed()
        small.files["trips.txt"] = "route_id,service_id,trip_id\n"
        small.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

        #expect(
            try small.refusal()
                == "trips.txt: has no trip that calls at two stops; choose a feed with trips; "
                + "a ride needs one")
    }

    @Test func `one of the two calendars is required`() throws {
        var small = SmallFeed()
        small.files["calendar.txt"] = nil
        small.files["calendar_dates.txt"] = nil

        #expect(try small.refusal().contains("nor calendar_dates.txt"))
    }

    @Test func `text that isn't UTF-8 is reported with its line`() throws {
        let folder = try Scratch()
        for (file, text) in SmallFeed().files {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(file))
        }
        let latin1 = SmallFeed().replacing("Birch", "B#rke", in: "stops.txt").files["stops.txt"]
        let bytes = (latin1 ?? "").utf8.map { $0 == UInt8(ascii: "#") ? 0xFC : $0 }
        try Data(bytes).write(to: folder.url.appendingPathComponent("stops.txt"))

        let error = #expect(throws: FeedError.self) { try Feed.read(from: folder.url) }

        #expect(error?.description.hasPrefix("stops.txt, line 3: the text is not UTF-8; ") == true)
    }

    @Test func `a zero byte in a name is refused`() throws {
        let refusal = try SmallFeed().replacing("Birch", "Bi\0rch", in: "stops.txt").refusal()

        #expect(refusal.hasPrefix("stops.txt, line 3: stop_name has a zero byte in it; "))
    }

    @Test(arguments: [
        ("Birch", "stops.txt, line 3: stop_name"), ("B,102", "stops.txt, line 3: stop_id"),
    ])
    func `marks that no message may contain are refused`(place: (text: String, name: String))
        throws
    {
        let marks = String(repeating: "\u{301}", count: 31)
        let long = "B" + marks + place.text.dropFirst()

        let refusal = try SmallFeed().replacing(place.text, long, in: "stops.txt").refusal()

        #expect(
            refusal
                == "\(place.name) has more than 30 combining marks in a row; remove them")
        // Each of these is two in normal form C.
        let double = "B" + String(repeating: "\u{344}", count: 30) + "irch"
        let again = try SmallFeed().replacing("Birch", double, in: "stops.txt").refusal()
        #expect(again.contains("stop_name has more than 30 combining marks"))
    }

    @Test func `an error doesn't quote marks that no message may contain`() throws {
        let marks = String(repeating: "\u{301}", count: 31)

        let refusal = try SmallFeed().replacing("20260101", marks, in: "calendar.txt").refusal()

        #expect(refusal.hasPrefix("calendar.txt, line 2: start_date “” is not a date; "))
    }

    @Test func `a path that doesn't exist and a file that isn't a zip are refused`() throws {
        let nowhere = URL(fileURLWithPath: "/nowhere/feed.zip")
        #expect(throws: FeedError.self) { try Feed.read(from: nowhere) }
        #expect(throws: FeedError.self) { try readFeed(Data("stop_id".utf8)) }
        #expect(throws: FeedError.self) { try readFeed(Data()) }
    }

    @Test(arguments: [
        "e" + String(repeating: "\u{301}", count: 31), String(repeating: "x", count: 1_000),
    ])
    func `a file in an archive is ignored if its path is slow to compare or too long`(
        folder: String
    ) throws {
        let zip = try SmallFeed().zipped(in: folder + "/")

        #expect(throws: FeedError.self) { try readFeed(zip) }
    }

    @Test func `a zip truncated anywhere is refused`() throws {
        let zip = try SmallFeed().zipped()

        for end in stride(from: 0, to: zip.count - 1, by: 13) {
            #expect(throws: FeedError.self) { try readFeed(zip.prefix(end)) }
        }
    }

    @Test func `a zip with a wrong byte gives a valid feed or an error`() throws {
        let zip = try SmallFeed().zipped()

        for place in stride(from: 0, to: zip.count, by: 7) {
            var damaged = zip
            damaged[damaged.startIndex + place] ^= 0x55
            do {
                try expectSound(readFeed(damaged))
            } catch {
                #expect(error is FeedError)
            }
        }
    }

    @Test func `an archive that unpacks to too much is refused`() throws {
        var small = SmallFeed()
        small.files["shapes.txt"]? += String(repeating: " \n", count: 500_000)
        let zip = try small.zipped()
        #expect(zip.count < 10_000)

        let error = #expect(throws: FeedError.self) {
            try readFeed(zip, limits: FeedLimits(totalBytes: 100_000))
        }

        #expect(error?.description.contains("unpacks to more than 100000 bytes") == true)
    }

    @Test func `an archive that understates its size is refused when it exceeds it`() throws {
        var small = SmallFeed()
        small.files["shapes.txt"]? += String(repeating: " \n", count: 500_000)
        let zip = try small.zipped()
        let true32 = withUnsafeBytes(of: UInt32(small.files["shapes.txt"]?.utf8.count ?? 0)) {
            Data($0)
        }
        var lying = zip
        while let place = lying.range(of: true32) {
            lying.replaceSubrange(place, with: Data([100, 0, 0, 0]))
        }
        #expect(lying != zip)

        let error = #expect(throws: FeedError.self) {
            try readFeed(lying, limits: FeedLimits(totalBytes: 50_000))
        }

        #expect(error?.description.contains("unpacks to more than 50000 bytes") == true)
    }

    @Test func `a field that is too long and a line without end are refused`() throws {
        let long = String(repeating: "x", count: 70_000)
        let endless = String(repeating: "x", count: 4_000_000)

        let field = try SmallFeed().replacing("Birch", long, in: "stops.txt").refusal()
        let line = try SmallFeed().replacing("Birch", endless, in: "stops.txt").refusal()
        let columns = try SmallFeed().replacing(
            "Birch", String(repeating: ",", count: 300), in: "stops.txt"
        ).refusal()

        #expect(field.hasPrefix("stops.txt, line 3: stop_name is longer than 65536 bytes; "))
        #expect(line.hasPrefix("stops.txt, line 3: the line does not end; "))
        #expect(columns.hasPrefix("stops.txt, line 3: there are more than 256 fields; "))
    }

    @Test func `a trip, a line and a shape have only so many stops and points`() throws {
        let trip = try SmallFeed().refusal(limits: FeedLimits(stops: 2))
        let shape = try SmallFeed().refusal(limits: FeedLimits(points: 2))
        let folder = try Scratch()
        let list = folder.url.appendingPathComponent("list.csv")
        let rows = ["name,latitude,longitude,line", "A,52,13,7", "B,52.1,13,7", "C,52.2,13,7"]
        try Data(rows.joined(separator: "\n").utf8).write(to: list)
        let line = #expect(throws: FeedError.self) {
            try Feed.read(from: list, limits: FeedLimits(stops: 2))
        }

        #expect(trip.hasPrefix("stop_times.txt, line 4: trip_id “T1” has more than 2 stops; "))
        #expect(shape.hasPrefix("shapes.txt, line 4: shape_id “L1” has more than 2 points; "))
        #expect(line?.description.hasPrefix("list.csv, line 4: line 7 has more than 2 st") == true)
        #expect(try SmallFeed().refusal(limits: FeedLimits(stops: 3, points: 3)).isEmpty)
    }

    @Test(arguments: Seed.some(300))
    func `any changed bytes give a valid feed or an error`(_ seed: Seed) throws {
        var seed = seed
        let folder = try Scratch()
        let files = SmallFeed().files.sorted { $0.key < $1.key }
        let changed = Int.random(in: 0..<files.count, using: &seed)
        for (number, (file, text)) in files.enumerated() {
            var bytes = Array(text.utf8)
            for _ in 0..<(number == changed ? Int.random(in: 1...3, using: &seed) : 0) {
                let place = Int.random(in: 0..<bytes.count, using: &seed)
                let usual = Array("0123456789,.:-\"\n\r eETAB".utf8)
                bytes[place] =
                    Bool.random(using: &seed)
                    ? usual.randomElement(using: &seed) ?? 0 : .random(in: 0...255, using: &seed)
                if Bool.random(using: &seed) { bytes.insert(bytes[place], at: place) }
            }
            try Data(bytes).write(to: folder.url.appendingPathComponent(file))
        }

        do {
            try expectSound(Feed.read(from: folder.url))
        } catch {
            #expect(error is FeedError)
        }
    }

    @Test(arguments: SmallFeed().files.keys.sorted())
    func `any corrupted line gives a valid feed or an error that names its file`(
        _ file: String
    ) throws {
        let lines = SmallFeed().lines(file)
        let corruptions: [(String) -> String] = [
            { _ in "" }, { _ in "," }, { $0 + "," }, { $0 + ",1" }, { "\"" + $0 },
            { $0 + "\"" }, { String($0.dropFirst()) }, { String($0.dropLast(3)) },
            { String($0.reversed()) }, { $0.replacingOccurrences(of: "1", with: "-1") },
            { $0.replacingOccurrences(of: "0", with: "9") }, { $0 + "\n" + $0 },
            { $0.replacingOccurrences(of: ",", with: ";") }, { $0 + "\u{FFFD}\r" },
            { $0.replacingOccurrences(of: ",", with: ",,") }, { _ in "\"\"\"\"" },
        ]
        for (number, line) in lines.enumerated() {
            for corrupt in corruptions {
                var small = SmallFeed()
                var changed = lines
                changed[number] = corrupt(line)
                small.files[file] = changed.joined(separator: "\n")
                do {
                    try expectSound(small.read())
                } catch let error as FeedError {
                    #expect(error.description.contains(file), "\(changed[number])")
                }
            }
        }
    }
}

/// Expects that every reference of a feed leads somewhere, and that no trip goes backwards.
func expectSound(_ feed: Feed) throws {
    for pattern in feed.patterns {
        #expect(feed.routes.indices.contains(pattern.route))
        #expect(feed.polylines.indices.contains(pattern.polyline))
        #expect(pattern.calls.allSatisfy { feed.stops.indices.contains(Int($0.stop)) })
        #expect(zip(pattern.calls, pattern.calls.dropFirst()).allSatisfy { $0.along <= $1.along })
        let length = feed.polylines[pattern.polyline].length
        #expect(pattern.calls.allSatisfy { $0.along >= 0 && $0.along <= length })
        #expect(!pattern.trips.isEmpty && pattern.trips.upperBound <= feed.trips.count)
    }
    for trip in feed.trips {
        let times = feed.times(of: trip)
        #expect(times.count == feed.patterns[Int(trip.pattern)].calls.count)
        #expect(feed.calendars.indices.contains(Int(trip.calendar)))
        #expect(times.first?.departure == trip.departure && times.last?.arrival == trip.arrival)
        #expect(times.allSatisfy { $0.arrival <= $0.departure })
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.departure <= $1.arrival })
    }
}
