import FloorPlan
import Papers
import Testing

@testable import PlanDrawing

/// What the block below a drawing says about its scale.
struct TitleBlockTests {
    private static func picture(scale: Double) throws -> PlanPicture {
        let region = PictureOptions.Region(centre: Vector(4_000, 3_000), width: scale * 281)
        return try PictureTests.picture(Homes.flat, PictureOptions(region: region))
    }

    @Test(arguments: [
        (0.36, "Scale 1:0.36"), (2.49, "Scale 1:2.49"), (14.24, "Scale 1:14.2"),
        (149.6, "Scale 1:150"), (20, "Scale 1:20"),
    ])
    func `a scale that was chosen to fit is written as exactly as needed`(
        scale: Double, words: String
    ) throws {
        let texts = PictureTests.texts(try Self.picture(scale: scale), ["title"]).map(\.words)

        #expect(texts.contains(words), "\(texts)")
        #expect(texts.contains("(not to a standard scale)") == (scale != 20))
    }

    @Test(arguments: [0.1, 0.36, 0.9, 2.49, 4.4, 4.6, 14.24, 50, 1_000])
    func `a scale bar fits into its field, and is as long as it says`(scale: Double) throws {
        let picture = try Self.picture(scale: scale)
        var bar: [Double] = []
        for mark in picture.drawing.parts.first(where: { $0.name == "title" })?.marks ?? [] {
            guard case .path(let path, let pen) = mark.shape, pen.fill != nil else { continue }
            for step in path.steps {
                switch step {
                case .move(let place), .line(let place): bar.append(place.x)
                default: break
                }
            }
        }
        let length = (bar.max() ?? 0) - (bar.min() ?? 0)
        #expect(length > 8 && length < 44.01)
        let metres = length * picture.scale / 1_000
        let labels = PictureTests.texts(picture, ["title"]).map(\.words)
            .filter { $0.hasSuffix(" m") }.compactMap { Double($0.dropLast(2)) }
        #expect(labels.count == 1 && abs((labels.first ?? 0) - metres) < 0.000_6, "\(metres)")
    }
}
