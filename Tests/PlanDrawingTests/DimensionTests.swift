import FloorPlan
import Foundation
import Messages
import Papers
import Testing

@testable import PlanDrawing

/// Dimensions hide nothing, and nothing hides them.
struct DimensionTests {
    private static let homes: [(name: String, items: [PlanItem])] = [
        ("bathroom", Homes.bathroom), ("flat", Homes.flat), ("four metres", Homes.fourMetres),
        ("flat by 7°", Homes.turned(Homes.flat, by: 7)),
        ("flat by 30°", Homes.turned(Homes.flat, by: 30)),
        ("bathroom by -40°", Homes.turned(Homes.bathroom, by: -40)),
    ]

    /// A plan on its sheet: the dimension lines, and what they may not cross.
    private struct Drawn {
        let lines: [Segment]
        let things: [(name: String, outline: ConvexPolygon)]
        let texts: [(name: String, isDimension: Bool, box: ConvexPolygon)]

        init(_ picture: PlanPicture) {
            lines = picture.drawing.parts.filter { $0.name == "dimensions" }.flatMap(\.marks)
                .flatMap { mark -> [Segment] in
                    // The strokes that end a line are wider.
                    guard case .path(let path, let pen) = mark.shape, pen.fill == nil,
                        pen.width < 0.2
                    else { return [] }
                    return path.segments
                }
            things = picture.plan.order.compactMap { picture.plan.elements[$0] }.map { element in
                let corners = element.outline.corners.map {
                    picture.spot(of: $0.planPoint).vector
                }
                return (element.id, ConvexPolygon(hullOf: corners))
            }
            texts = picture.drawing.parts.filter { $0.clip != nil }.flatMap { part in
                part.marks.compactMap { mark in
                    guard case .text(let text) = mark.shape else { return nil }
                    return (
                        text.words, part.name == "dimensions",
                        ConvexPolygon(hullOf: text.turnedCorners.map(\.vector))
                    )
                }
            }
        }

        /// A line as an outline of negligible width.
        static func outline(_ line: Segment) -> ConvexPolygon {
            let across = line.along.left.unit * 0.05
            return ConvexPolygon(hullOf: [
                line.start - across, line.end - across, line.end + across, line.start + across,
            ])
        }
    }

    private static func pictures(of items: [PlanItem]) throws -> [PlanPicture] {
        var pictures: [PlanPicture] = []
        for scale in [PictureOptions.Scale.automatic, .oneTo(50), .oneTo(100), .fit] {
            for language in ["en", "nb", "sv"] {
                let options = PictureOptions(scale: scale, language: language)
                pictures.append(try PictureTests.picture(items, options))
                pictures.append(
                    try PictureTests.picture(
                        items, options, findings: ReportTests.findings, reach: ReportTests.reach))
            }
        }
        return pictures
    }

    @Test(arguments: homes.indices)
    func `no dimension line crosses furniture or a text`(home: Int) throws {
        let (name, items) = Self.homes[home]
        var lines = 0
        for picture in try Self.pictures(of: items) {
            let drawn = Drawn(picture)
            lines += drawn.lines.count
            for line in drawn.lines {
                let outline = Drawn.outline(line)
                for (thing, other) in drawn.things {
                    #expect(Overlap(outline, other, tolerance: 0.1) == nil, "\(name): \(thing)")
                }
                for (text, _, box) in drawn.texts {
                    #expect(Overlap(outline, box, tolerance: 0.3) == nil, "\(name): \(text)")
                }
            }
        }
        #expect(lines > 100)
    }

    @Test(arguments: homes.indices)
    func `no dimension is written over another text`(home: Int) throws {
        let (name, items) = Self.homes[home]
        for picture in try Self.pictures(of: items) {
            let texts = Drawn(picture).texts
            for (index, text) in texts.enumerated() where text.isDimension {
                for (place, other) in texts.enumerated() where place != index {
                    #expect(
                        Overlap(text.box, other.box, tolerance: 0.3) == nil,
                        "\(name): \(text.name) and \(other.name)")
                }
            }
        }
    }

    @Test(arguments: homes.indices)
    func `no length inside a room is written on furniture`(home: Int) throws {
        let (name, items) = Self.homes[home]
        for picture in try Self.pictures(of: items) {
            let drawn = Drawn(picture)
            for text in drawn.texts where text.isDimension {
                for (thing, outline) in drawn.things {
                    #expect(
                        Overlap(text.box, outline, tolerance: 0.1) == nil,
                        "\(name): \(text.name) on \(thing)")
                }
            }
        }
    }

    @Test func `a room full of furniture is still measured`() throws {
        let words = PictureTests.texts(try PictureTests.picture(Homes.bathroom), ["dimensions"])
            .map(\.words)
        #expect(words.contains("220") && words.contains("240"), "\(words)")
    }
}

extension Drawing.Path {
    /// Its straight lines.
    fileprivate var segments: [Segment] {
        var at = Vector.zero
        return steps.compactMap { step in
            switch step {
            case .move(let to):
                at = to.vector
                return nil
            case .line(let to):
                defer { at = to.vector }
                return Segment(at, to.vector)
            default: return nil
            }
        }
    }
}

extension Vector {
    /// The nearest point with whole millimetres.
    fileprivate var planPoint: PlanPoint {
        PlanPoint(x: Int32(x.rounded()), y: Int32(y.rounded()))
    }
}
