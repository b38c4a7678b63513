import Foundation
import GRDB
import Messages
import RideTracking
import ServiceRuntime
import Synchronization
import Texts

/// The tables of landmarks.
enum LandmarkStore {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("transit: landmarks") { db in
            try db.execute(
                sql: """
                    CREATE TABLE landmarkSet (
                        name TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL,
                        parts INTEGER NOT NULL, incoming INTEGER NOT NULL, landmarkSet BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE landmark (
                        number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
                        version INTEGER NOT NULL, north INTEGER NOT NULL, east INTEGER NOT NULL,
                        type TEXT NOT NULL, landmark BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX landmarkByCell ON landmark (north, east);
                    CREATE INDEX landmarkBySet ON landmark (name, version, type);
                    ALTER TABLE journey ADD COLUMN guide TEXT;
                    """)
        }
    }

    /// The side of the cells in which landmarks are found: a hundredth of a degree.
    static let cell: Int32 = 100_000
}

extension LandmarkSet {
    static func all(_ db: Database) throws -> [LandmarkSet] {
        try Data.fetchAll(db, sql: "SELECT landmarkSet FROM landmarkSet ORDER BY name")
            .map { try LandmarkSet(stored: [UInt8]($0)) }
    }

    static func delete(_ name: String, _ db: Database) throws -> Bool {
        try GoneLandmarks.add(all: name, db)
        try db.execute(sql: "DELETE FROM landmarkSet WHERE name = ?", arguments: [name])
        return db.changesCount > 0
    }
}

/// A set that is being imported. Its landmarks have a version that none has that is still kept.
struct IncomingLandmarks {
    private var set: LandmarkSet
    /// The version in use; 0 for none.
    private let used: Int64
    private let version: Int64
    private let parts: Int64
    /// The import to which the parts belong.
    private let id: String
    /// How many landmarks have arrived.
    private(set) var count: UInt64

    /// Adds the column that tells the parts of one import from those of another.
    static func addColumn(_ db: Database) throws {
        try db.execute(
            sql: "ALTER TABLE landmarkSet ADD COLUMN import TEXT NOT NULL DEFAULT ''")
    }

    /// Continues an import with its next part, or begins one with the first, which ends any other
    /// import of the set.
    static func of(
        _ name: String, id: String, part: UInt32, _ db: Database
    ) throws -> IncomingLandmarks {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM landmarkSet WHERE name = ?", arguments: [name])
        let used = row?["version"] as Int64? ?? 0
        let set =
            try row.map { try LandmarkSet(stored: [UInt8]($0["landmarkSet"] as Data)) }
            ?? LandmarkSet(name: name)
        if part == 0 {
            let version = try GoneLandmarks.giveUp(incoming: name, db)
            return IncomingLandmarks(
                set: set, used: used, version: version, parts: 0, id: id, count: 0)
        }
        guard (row?["import"] as String? ?? id) == id else {
            throw Refusal.conflict(
                "another import of the landmarks “\(name)” has begun since; begin this one again "
                    + "if its landmarks are to be kept")
        }
        let (parts, count) = (row?["parts"] as Int64? ?? 0, row?["incoming"] as Int64? ?? 0)
        guard parts == Int64(part) else {
            throw Refusal.conflict(
                "part \(part) of the landmarks “\(name)” arrived, but part \(parts) is next; "
                    + "begin the import again")
        }
        return IncomingLandmarks(
            set: set, used: used, version: row?["next"] as Int64? ?? 0, parts: parts,
            id: id, count: UInt64(clamping: count))
    }

    mutating func add(_ landmarks: [Landmark], _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO landmark (name, version, north, east, type, landmark)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        for landmark in landmarks {
            let cell = Cell(landmark.place)
            try statement.execute(
                arguments: [
                    set.name, version, cell.north, cell.east, landmark.type,
                    Data(landmark.packed()),
                ])
        }
        count += UInt64(landmarks.count)
        try db.execute(
            sql: """
                INSERT INTO landmarkSet (name, version, next, parts, incoming, landmarkSet, import)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET next = excluded.next, parts = excluded.parts,
                    incoming = excluded.incoming, import = excluded.import
                """,
            arguments: [
                set.name, used, version, parts + 1, Int64(clamping: count), Data(set.packed()), id,
            ])
    }

    /// Puts the landmarks into use, and gives up those that the set had.
    mutating func finish(at now: Int64, _ db: Database) throws -> LandmarkSet {
        if used > 0 { try GoneLandmarks.add(set.name, version: used, db) }
        (set.landmarks, set.imported) = (count, now)
        set.types = try String.fetchAll(
            db,
            sql: "SELECT DISTINCT type FROM landmark WHERE name = ? AND version = ? ORDER BY type",
            arguments: [set.name, version])
        try db.execute(
            sql: """
                UPDATE landmarkSet SET version = ?, parts = 0, incoming = 0, landmarkSet = ?
                WHERE name = ?
                """, arguments: [version, Data(set.packed()), set.name])
        return set
    }
}

/// A square in which landmarks are found.
struct Cell: Hashable {
    let north: Int32
    let east: Int32

    init(_ place: Coordinate) {
        north = Self.index(place.latitudeE7)
        // 180° east is 180° west.
        let isLast = place.longitudeE7 == 1_800_000_000
        east = Self.index(isLast ? -place.longitudeE7 : place.longitudeE7)
    }

    private static func index(_ degreesE7: Int32) -> Int32 {
        let (quotient, rest) = degreesE7.quotientAndRemainder(dividingBy: LandmarkStore.cell)
        return rest < 0 ? quotient - 1 : quotient
    }
}

/// A landmark that was read from the store.
struct NumberedLandmark {
    let number: Int64
    let landmark: Landmark

    /// The landmarks in use in some squares, those in the first squares first: at most as many as
    /// the limit.
    static func all(
        in cells: [Cell], limit: Int, _ db: Database
    ) throws -> [NumberedLandmark] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT landmark.number, landmark.landmark FROM landmark
                JOIN landmarkSet ON landmarkSet.name = landmark.name
                    AND landmarkSet.version = landmark.version
                WHERE landmark.north = ? AND landmark.east = ?
                ORDER BY landmark.number LIMIT ?
                """)
        var found: [NumberedLandmark] = []
        for cell in cells where found.count < limit {
            found += try Row.fetchAll(
                statement, arguments: [cell.north, cell.east, limit - found.count]
            ).map(Self.init)
        }
        return found
    }

    static func numbered(_ number: Int64, _ db: Database) throws -> Landmark? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT landmark FROM landmark WHERE number = ?"),
            arguments: [number]
        ).map { try Landmark(stored: [UInt8]($0)) }
    }

    private init(_ row: Row) throws {
        number = row["number"]
        landmark = try Landmark(stored: [UInt8](row["landmark"] as Data))
    }
}

/// The landmarks along lines that were requested. Cached until landmarks change.
final class LandmarkShelf: Sendable {
    static let shared = LandmarkShelf()

    /// A landmark along a line, and its type.
    struct Entry {
        var place: LandmarkOnLine
        let type: String
    }

    private struct Key: Hashable {
        let file: String
        let line: String
    }

    /// The distance between the places on a line around which landmarks are searched for, in
    /// metres: less than half the side of a cell, up to 60 degrees north or south.
    private static let sample = 200.0

    /// The maximum number of comparisons of a landmark with a segment of a line, which take a
    /// second or two. Landmarks beyond that are not announced.
    private static let mostSteps = 300_000_000

    private let shelf = Mutex(BoundedCache<Key, [Entry]>(mostEntries: 200))

    /// The landmarks along a line of a feed file, in the order in which they are passed.
    func entries(along line: Line, of file: String, _ db: Database) throws -> [Entry] {
        let key = Key(file: file, line: line.id)
        if let known = shelf.withLock({ $0[key] }) { return known }
        let found = try Self.read(line, db)
        shelf.withLock { $0.put(found, for: key) }
        return found
    }

    /// Empties the cache, because landmarks were changed.
    func forget() { shelf.withLock { $0.removeAll() } }

    private static func read(_ line: Line, _ db: Database) throws -> [Entry] {
        var cells: [Cell] = []
        var known: Set<Cell> = []
        for sample in line.samples(every: sample) {
            // Everything in sight is in the cell of one of these corners.
            for (north, east) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] as [(Double, Double)] {
                let cell = Cell(
                    Coordinate(
                        latitudeE7: scaled(sample.latitude + north * 0.001),
                        longitudeE7: scaled(Position.wrapped(sample.longitude + east * 0.002))))
                if known.insert(cell).inserted { cells.append(cell) }
            }
        }
        let limit = mostSteps / line.points
        var passes: [Pass] = []
        for found in try NumberedLandmark.all(in: cells, limit: limit, db) {
            let place = found.landmark.place
            let position = Position(
                latitude: Double(place.latitudeE7) / 1e7,
                longitude: Double(place.longitudeE7) / 1e7)
            for pass in line.passes(found.number, at: position) {
                let entry = Entry(place: pass, type: found.landmark.type)
                passes.append(Pass(landmark: found.landmark, entry: entry))
            }
        }
        passes.sort {
            ($0.entry.place.along, $0.entry.place.number)
                < ($1.entry.place.along, $1.entry.place.number)
        }
        return identified(passes)
    }

    /// A landmark at a place along a line.
    private struct Pass {
        let landmark: Landmark
        let entry: Entry
    }

    /// The distance along a line, in metres, within which landmarks of the same name are one thing:
    /// a map may have it as a node and as a building, and two sets may have it.
    private static let apart = 100.0

    /// The entries in their order, each with what it is.
    private static func identified(_ passes: [Pass]) -> [Entry] {
        var known: [String: (along: Double, thing: String)] = [:]
        var things: [Int64: String] = [:]
        return passes.map { pass in
            var entry = pass.entry
            let name = FoldedText.line(pass.landmark.name)
            guard !name.isEmpty else { return entry }
            let along = entry.place.along
            if let same = things[entry.place.number] {
                // The line comes back to it.
                entry.place.thing = same
            } else if let last = known[name], along - last.along <= apart {
                entry.place.thing = last.thing
            } else {
                entry.place.thing = thing(name, at: pass.landmark.place)
            }
            things[entry.place.number] = entry.place.thing
            known[name] = (along: along, thing: entry.place.thing)
            return entry
        }
    }

    /// A name's beginning, and the place in thousandths of a degree.
    private static func thing(_ name: String, at place: Coordinate) -> String {
        let begin = String(String.UnicodeScalarView(name.unicodeScalars.prefix(60)))
        return "\(begin) \(place.latitudeE7 / 10_000) \(place.longitudeE7 / 10_000)"
    }

    private static func scaled(_ degrees: Double) -> Int32 {
        Int32(min(max(degrees * 1e7, -1_800_000_000), 1_800_000_000))
    }
}
