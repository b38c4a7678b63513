import CCairo
import Foundation
import Papers
import TestSupport
import Testing

/// PNG pictures as another reader decodes them.
struct PixelTests {
    @Test func `a picture has the colours that were drawn, where they were drawn`() throws {
        var drawing = Drawing(width: 30, height: 20, title: "")
        let colours = [
            Colour(red: 1, green: 0, blue: 0), Colour(red: 0, green: 1, blue: 0),
            Colour(red: 0, green: 0, blue: 1),
        ]
        for (index, colour) in colours.enumerated() {
            let left = Double(index) * 10
            let corners = [(left, 0.0), (left + 10, 0), (left + 10, 10), (left, 10)]
            let box = Drawing.Path(corners.map { Drawing.Point($0.0, $0.1) }, isClosed: true)
            drawing.parts.append(
                Drawing.Part("box", marks: [Drawing.Mark(.path(box, Drawing.Pen(fill: colour)))]))
        }
        let file = FileManager.default.temporaryDirectory.appending(
            path: "drawing-\(UUID().uuidString).png")
        try Data(drawing.png(resolution: 3)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let picture = try #require(cairo_image_surface_create_from_png(file.path))
        defer { cairo_surface_destroy(picture) }
        #expect(cairo_image_surface_get_width(picture) == 90)
        #expect(cairo_image_surface_get_height(picture) == 60)
        let data = try #require(cairo_image_surface_get_data(picture))
        let stride = Int(cairo_image_surface_get_stride(picture))
        /// Red, green and blue at a place in millimetres.
        func colour(_ x: Int, _ y: Int) -> UInt32 {
            let pixel = UnsafeRawPointer(data + y * 3 * stride + x * 3 * 4)
            return pixel.loadUnaligned(as: UInt32.self) & 0xFF_FFFF
        }
        #expect(colour(5, 5) == 0xFF_0000)
        #expect(colour(15, 5) == 0x00_FF00)
        #expect(colour(25, 5) == 0x00_00FF)
        #expect(colour(25, 15) == 0xFF_FFFF)
    }

    @Test func `a picture without repetition is decoded pixel by pixel`() throws {
        let (columns, rows) = (250, 150)
        var seed = Seed(7)
        let pixels = (0..<columns * rows).map { _ in UInt32(seed.below(1 << 24)) }
        let marks = pixels.enumerated().map { place, pixel in
            let (x, y) = (Double(place % columns), Double(place / columns))
            let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            func part(_ shift: UInt32) -> Double { Double(pixel >> shift & 0xFF) / 255 }
            return Drawing.Mark(
                .path(
                    Drawing.Path(corners.map { Drawing.Point($0.0, $0.1) }, isClosed: true),
                    Drawing.Pen(fill: Colour(red: part(16), green: part(8), blue: part(0)))))
        }
        let drawing = Drawing(
            width: Double(columns), height: Double(rows), title: "",
            parts: [Drawing.Part("noise", marks: marks)])
        let file = FileManager.default.temporaryDirectory.appending(
            path: "drawing-\(UUID().uuidString).png")
        try Data(drawing.png(resolution: 1)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let picture = try #require(cairo_image_surface_create_from_png(file.path))
        defer { cairo_surface_destroy(picture) }
        let data = try #require(cairo_image_surface_get_data(picture))
        let stride = Int(cairo_image_surface_get_stride(picture))
        let read = (0..<columns * rows).map { place in
            UnsafeRawPointer(data + place / columns * stride + place % columns * 4)
                .loadUnaligned(as: UInt32.self) & 0xFF_FFFF
        }
        #expect(read == pixels)
    }
}
