import Foundation
import GRDB
import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// Tests which landmarks are found along a line, in a real store.
@Suite struct LandmarkShelfTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("journeys") {
            try $0.execute(sql: "CREATE TABLE journey (id TEXT)")
        }
        LandmarkStore.register(in: &migrator)
        try migrator.migrate(store)
    }

    private func keep(_ landmark: Landmark) throws {
        let cell = Cell(landmark.place)
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO landmarkSet (name, version, parts, incoming, landmarkSet)
                    VALUES ('sights', 1, 0, 0, x'')
                    """)
            try db.execute(
                sql: """
                    INSERT INTO landmark (name, version, north, east, type, landmark)
                    VALUES ('sights', 1, ?, ?, ?, ?)
                    """,
                arguments: [cell.north, cell.east, landmark.type, Data(landmark.packed())])
        }
    }

    @Test func `only so many landmarks are found, the first squares first`() throws {
        let places = [0, 0, 200_000].map { Coordinate(latitudeE7: 0, longitudeE7: $0) }
        for (number, place) in places.enumerated() {
            try keep(Landmark(type: "park", name: "\(number)", place: place))
        }
        let cells = [Cell(places[2]), Cell(places[0])]

        let found = try store.read { db in
            try (0...4).map {
                try NumberedLandmark.all(in: cells, limit: $0, db).map(\.landmark.name)
            }
        }

        #expect(found == [[], ["2"], ["2", "0"], ["2", "0", "1"], ["2", "0", "1"]])
    }

    @Test(
        arguments: [
            (1_799_950_000, 532), (1_800_000_000, 1_064), (-1_800_000_000, 1_064),
            (-1_799_950_000, 1_597),
        ] as [(Int32, Double)])
    func `a landmark on either side of the date line is found`(
        east: Int32, metres: Double
    ) throws {
        let path = [179.99, -179.99].map { Position(latitude: -17, longitude: $0) }
        let line = try Line(id: "1", path: path, stops: [.init(id: "a", name: "A", along: 0)])
        try keep(
            Landmark(
                type: "park", name: "Park",
                place: Coordinate(latitudeE7: -170_000_000, longitudeE7: east)))

        let found = try store.read {
            try LandmarkShelf.shared.entries(along: line, of: "date line \(east)", $0)
        }

        #expect(found.count == 1)
        #expect(found.allSatisfy { abs($0.place.along - metres) < 5 })
    }

    @Test func `a thing that is found twice is one thing, even after another import`() throws {
        let path = [0, 0.02].map { Position(latitude: 0, longitude: $0) }
        let line = try Line(id: "1", path: path, stops: [.init(id: "a", name: "A", along: 0)])
        // As a node and as a building 33 m farther, and one of the same name 745 m farther.
        let things: [(String, Int32)] = [
            ("Old Mill", 50_000), ("New Mill", 51_000), ("old mill", 53_000), ("Old Mill", 120_000),
            ("🏰", 121_000),
        ]
        func entries(_ file: String) throws -> [LandmarkOnLine] {
            try store.write { try $0.execute(sql: "DELETE FROM landmark") }
            for (name, east) in things {
                try keep(
                    Landmark(
                        type: "mill", name: name,
                        place: Coordinate(latitudeE7: 0, longitudeE7: east)))
            }
            return try store.read {
                try LandmarkShelf.shared.entries(along: line, of: file, $0).map(\.place)
            }
        }

        let first = try entries("one import")
        let second = try entries("another import")

        let known = first.map(\.thing)
        #expect(known.count == 5)
        #expect(known[0] == known[2] && !known[0].isEmpty)
        #expect(Set(known).count == 4)
        #expect(known[4].isEmpty)
        #expect(second.map(\.thing) == known)
        #expect(Set(first.map(\.number)).isDisjoint(with: second.map(\.number)))
    }
}
