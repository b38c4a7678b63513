import Foundation
import GRDB
import TransitFeed

/// The tables of a feed file, and the records in them.
enum FeedSchema {
    /// "Strf" in SQLite's header, so that another program's file is not mistaken for a feed.
    static let applicationId = 0x5374_7266

    /// The version of the schema; a feed of another version must be imported again.
    static let version = 1

    static let tables = """
        CREATE TABLE feed (
            name TEXT NOT NULL, timeZone TEXT NOT NULL,
            stops INTEGER NOT NULL, routes INTEGER NOT NULL, patterns INTEGER NOT NULL,
            trips INTEGER NOT NULL, stopTimes INTEGER NOT NULL, unusableTrips INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE stop (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, code TEXT,
            kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 4),
            latitude INTEGER NOT NULL, longitude INTEGER NOT NULL,
            parent INTEGER REFERENCES stop
        ) STRICT;
        CREATE TABLE route (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, shortName TEXT, longName TEXT,
            kind INTEGER NOT NULL, colour INTEGER
        ) STRICT;
        CREATE TABLE headsign (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TABLE calendar (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, weekdays INTEGER NOT NULL,
            firstDay INTEGER, lastDay INTEGER
        ) STRICT;
        CREATE TABLE calendarException (
            calendar INTEGER NOT NULL REFERENCES calendar, day INTEGER NOT NULL,
            runs INTEGER NOT NULL CHECK (runs IN (0, 1)), PRIMARY KEY (calendar, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE polyline (
            number INTEGER PRIMARY KEY, length INTEGER NOT NULL, points BLOB NOT NULL
        ) STRICT;
        CREATE TABLE pattern (
            number INTEGER PRIMARY KEY, route INTEGER NOT NULL REFERENCES route,
            direction INTEGER CHECK (direction IN (0, 1)),
            headsign INTEGER REFERENCES headsign, shape TEXT,
            polyline INTEGER NOT NULL REFERENCES polyline,
            firstTrip INTEGER NOT NULL, tripCount INTEGER NOT NULL, calls BLOB NOT NULL
        ) STRICT;
        CREATE TABLE serving (
            stop INTEGER NOT NULL REFERENCES stop, pattern INTEGER NOT NULL REFERENCES pattern,
            position INTEGER NOT NULL, PRIMARY KEY (stop, pattern, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE trip (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL,
            pattern INTEGER NOT NULL REFERENCES pattern,
            calendar INTEGER NOT NULL REFERENCES calendar, headsign INTEGER REFERENCES headsign,
            departure INTEGER NOT NULL, arrival INTEGER NOT NULL, times BLOB NOT NULL,
            repeats TEXT, sequences BLOB NOT NULL
        ) STRICT;
        CREATE TABLE stopSearch (words BLOB NOT NULL, entries BLOB NOT NULL) STRICT;
        """

    /// Created after the rows, by one sort each, which is faster than updating them row by row.
    static let indexes = """
        CREATE UNIQUE INDEX stopById ON stop (id);
        CREATE INDEX stopByParent ON stop (parent) WHERE parent IS NOT NULL;
        CREATE UNIQUE INDEX routeById ON route (id);
        CREATE UNIQUE INDEX calendarById ON calendar (id);
        CREATE UNIQUE INDEX tripById ON trip (id);
        """

    /// Packs the calls of a pattern: for each its stop, the centimetres since the call before, and
    /// how passengers board and alight, and whether vehicles wait there.
    static func packCalls(_ calls: [Feed.Call]) -> [UInt8] {
        var bytes: [UInt8] = []
        var along: Int32 = 0
        for call in calls {
            Varint.append(UInt64(max(0, call.stop)), to: &bytes)
            Varint.append(UInt64(max(0, call.along - along)), to: &bytes)
            let wait: UInt8 = call.isTimepoint ? 0x8 : 0
            bytes.append(call.pickup.rawValue | wait | call.dropOff.rawValue << 4)
            along = call.along
        }
        return bytes
    }

    /// Unpacks the calls.
    static func unpackCalls(_ bytes: [UInt8]) throws -> [Feed.Call] {
        let slice = bytes[...]
        var calls: [Feed.Call] = []
        var position = 0
        var along: UInt64 = 0
        while position < slice.endIndex {
            guard let stop = Varint.read(slice, &position),
                let distance = Varint.read(slice, &position), position < slice.endIndex,
                let pickup = Feed.Boarding(rawValue: slice[position] & 0x7),
                let dropOff = Feed.Boarding(rawValue: slice[position] >> 4),
                stop <= UInt64(Int32.max), distance <= UInt64(Int32.max) - along
            else { throw DatabaseError(message: "the calls of a pattern are damaged") }
            let isTimepoint = slice[position] & 0x8 != 0
            position += 1
            along += distance
            calls.append(
                Feed.Call(
                    stop: Int32(stop), along: Int32(along), pickup: pickup, dropOff: dropOff,
                    isTimepoint: isTimepoint))
        }
        return calls
    }
}

extension Feed.Stop {
    init(row: Row) {
        self.init(
            id: row["id"], name: row["name"], code: row["code"],
            kind: Kind(rawValue: row["kind"]) ?? .stop,
            position: .init(latitude: row["latitude"], longitude: row["longitude"]),
            parent: row["parent"])
    }
}

extension Feed.Route {
    init(row: Row) {
        self.init(
            id: row["id"], shortName: row["shortName"], longName: row["longName"],
            kind: row["kind"], colour: row["colour"])
    }
}

extension FeedFile.Trip {
    init(row: Row) throws {
        let packed = [UInt8](row["times"] as Data)
        guard let times = PackedTimes.unpack(packed[...]) else {
            throw DatabaseError(message: "the times of trip \(row["id"] as String) are damaged")
        }
        self.init(
            id: row["id"], repeats: Self.repeated(row, times), pattern: row["pattern"],
            calendar: row["calendar"], headsign: row["headsignName"], times: times,
            sequences: row.hasColumn("sequences") ? [UInt8](row["sequences"] as Data) : nil)
    }

    /// The id of the trip that a row is a run of. In a file of an earlier version only the id of
    /// the run contains it.
    private static func repeated(_ row: Row, _ times: [StopTime]) -> String? {
        guard !row.hasColumn("repeats") else { return row["repeats"] }
        guard let first = times.first else { return nil }
        let end = Feed.runID(of: "", leaving: first.departure)
        let id: String = row["id"]
        return id.hasSuffix(end) ? String(id.dropLast(end.count)) : nil
    }
}
