import FloorPlan
import Messages
import Papers
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
}
