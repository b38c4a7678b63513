import FloorPlan
import Messages
import Papers
import Phrases
import Testing

@testable import PlanDrawing

/// Pictures of a small part of a plan.
struct ZoomTests {
    /// The flat, with a red hatching over its living room.
    private static func picture(width: Double) throws -> PlanPicture {
        let region = PictureOptions.Region(centre: Vector(2_500, 2_900), width: width)
        let reach = PlanReach(
            width: 680, length: 1_150, rooms: [RoomReach(room: "living", reached: .fail)])
        return try PictureTests.picture(
            Homes.flat, PictureOptions(region: region), reach: reach)
    }

    @Test func `a line is drawn straight on the screen however far it goes beyond`() {
        let canvas = CharacterCanvas(columns: 80, rows: 24)
        let long = canvas.steps(from: Vector(-40_000, -12_000), to: Vector(40_080, 12_024))

        #expect(long.contains(CharacterCanvas.Place(column: 40, row: 12)) && long.count < 1_000)
        let seen = long.filter { (0..<80).contains($0.column) && (0..<24).contains($0.row) }
        #expect(Set(seen.map(\.column)).count > 70)
        for place in seen {
            let row = 12 + (Double(place.column) - 40) * 0.3
            #expect(abs(Double(place.row) - row) <= 2, "\(place)")
        }
        #expect(canvas.steps(from: Vector(-500, 90), to: Vector(-500, -90)).isEmpty)
        let short = canvas.steps(from: Vector(3.4, 2), to: Vector(6.6, 2))
        #expect(short.map(\.column) == [3, 4, 5, 6, 7])
    }

    @Test(arguments: [4_000.0, 400, 40, 4])
    func `a wall is drawn with characters however large it is`(width: Double) throws {
        // Beside a window of a wall of nine metres.
        let region = PictureOptions.Region(centre: Vector(5_200, 0), width: width)
        let picture = try PictureTests.picture(
            Homes.flat, PictureOptions(region: region, dimensions: false, labels: false))
        let text = picture.text(columns: 80, rows: 24, coloured: false)

        #expect(text.contains("━━━━━━━━"), "\(text)")
    }

    @Test(arguments: [20_000.0, 2_000, 200, 20])
    func `a room that isn't reached is hatched however large it is drawn`(width: Double) throws {
        let picture = try Self.picture(width: width)
        let sheet = try Sheet(picture.measures, picture.options, notes: 0)
        var ends: [Drawing.Point] = []
        for mark in picture.drawing.parts.first(where: { $0.name == "rooms" })?.marks ?? [] {
            guard case .path(let path, let pen) = mark.shape, pen.stroke == Colour.red
            else { continue }
            for step in path.steps {
                switch step {
                case .move(let place), .line(let place): ends.append(place)
                default: break
                }
            }
        }
        // Two directions of lines, which are two or three millimetres apart.
        #expect((20...1_000).contains(ends.count), "\(ends.count)")
        let reach = sheet.width + sheet.height
        #expect(ends.allSatisfy { abs($0.x) < reach && abs($0.y) < reach })
    }

    /// The flat with signs of many kinds, or a part of it.
    private static func signs(_ region: PictureOptions.Region?) throws -> PlanPicture {
        var reach = ReportTests.reach
        reach.rooms.append(RoomReach(room: "living", reached: .uncertain))
        reach.route = [800, 3_500, 5_500].map { (x: Int32) in
            ChairPose(at: PlanPoint(x: x, y: 4_750))
        }
        return try PictureTests.picture(
            Homes.flat, PictureOptions(region: region), findings: ReportTests.findings,
            reach: reach)
    }

    private static func part(_ x: Double, _ y: Double, width: Double) -> PictureOptions.Region {
        PictureOptions.Region(centre: Vector(x, y), width: width)
    }

    /// The phrases for signs in the legend.
    private static func explained(_ region: PictureOptions.Region?) throws -> Set<DrawingPhrase> {
        let legend = PictureTests.texts(try signs(region), ["legend"]).map(\.words)
        let words = Words<DrawingPhrase>(.english)
        let all: [DrawingPhrase] = [
            .fails, .chairAlone, .undecided, .reached, .notReached, .perhapsReached, .tightDoor,
            .route, .turningCircle, .freeWidth,
        ]
        return Set(all.filter { legend.contains(words.say($0)) })
    }

    @Test func `the legend of a whole plan explains each of its signs`() throws {
        #expect(
            try Self.explained(nil) == [
                .fails, .chairAlone, .undecided, .reached, .notReached, .perhapsReached,
                .tightDoor, .route, .turningCircle, .freeWidth,
            ])
    }

    @Test func `the legend of a part of a plan explains only the signs in that part`() throws {
        // The middle of the bathroom, without its door.
        #expect(
            try Self.explained(Self.part(7_700, 5_800, width: 1_500)) == [.undecided, .notReached])
        // In the kitchen, which is within the bounds of the hall, but not in the hall.
        #expect(try Self.explained(Self.part(1_500, 6_700, width: 1_500)) == [])
        // The chair, whose circle is around all of this, and the middle of the circle.
        let wide = try Self.explained(Self.part(2_600, 4_750, width: 2_600))
        #expect(wide.isSuperset(of: [.turningCircle, .reached, .route]))
        let narrow = try Self.explained(Self.part(2_600, 4_750, width: 300))
        #expect(narrow == [.reached, .route])
        // The door of the bathroom, and what a check says about it.
        let door = try Self.explained(Self.part(6_500, 4_800, width: 2_000))
        #expect(door.isSuperset(of: [.fails, .tightDoor, .freeWidth, .notReached]))
        #expect(door.isDisjoint(with: [.perhapsReached, .turningCircle, .chairAlone]))
    }

    @Test func `the legend explains the dashed lines of a threshold that nobody measured`() throws {
        let words = Words<DrawingPhrase>(.english).say(.unmeasuredThreshold)
        func isExplained(
            _ isUnknown: Bool, _ region: PictureOptions.Region? = nil
        ) throws -> Bool {
            var items = Homes.flat
            for index in items.indices {
                guard case .opening(var opening) = items[index].item else { continue }
                (opening.threshold, opening.thresholdUnknown) = (0, isUnknown)
                items[index].item = .opening(opening)
            }
            let picture = try PictureTests.picture(items, PictureOptions(region: region))
            return PictureTests.texts(picture, ["legend"]).map(\.words).contains(words)
        }
        #expect(try isExplained(true) && !isExplained(false))
        #expect(try isExplained(true, Self.part(6_500, 4_800, width: 2_000)))
        // The middle of the bathroom, without its door.
        #expect(try !isExplained(true, Self.part(7_700, 5_800, width: 1_500)))
    }

    @Test func `the legend explains the dashed arc of a door whose hanging is a guess`() throws {
        let words = Words<DrawingPhrase>(.english).say(.unhungDoor)
        func isExplained(
            _ isGuess: Bool, _ region: PictureOptions.Region? = nil
        ) throws -> Bool {
            var items = Homes.flat
            for index in items.indices {
                guard case .opening(var opening) = items[index].item else { continue }
                opening.hungUnknown = isGuess
                items[index].item = .opening(opening)
            }
            let picture = try PictureTests.picture(items, PictureOptions(region: region))
            return PictureTests.texts(picture, ["legend"]).map(\.words).contains(words)
        }
        #expect(try isExplained(true) && !isExplained(false))
        // In the kitchen, where its door opens, and the middle of the bathroom, without a door.
        #expect(try isExplained(true, Self.part(2_100, 5_800, width: 1_000)))
        #expect(try !isExplained(true, Self.part(7_700, 5_800, width: 1_500)))
    }

    @Test func `the legend of a part in characters explains only the signs in that part`() throws {
        func text(_ region: PictureOptions.Region?) throws -> String {
            try Self.signs(region).text(columns: 120, rows: 48, coloured: false)
        }
        let words = Words<DrawingPhrase>(.english)
        let signs: [(sign: String, meaning: DrawingPhrase)] = [
            ("░", .door), ("═", .window), ("┄", .passage), ("▶", .entrance),
            ("·", .turningCircle), ("✗", .fails), ("!", .chairAlone), ("•", .route),
        ]
        let (whole, part) = (try text(nil), try text(Self.part(7_700, 5_800, width: 1_500)))
        for (sign, meaning) in signs {
            let entry = "\(sign) \(words.say(meaning))"
            #expect(whole.contains(entry) && !part.contains(entry), "\(entry)")
        }
        #expect(part.contains("? " + words.say(.undecided)))
    }
}
