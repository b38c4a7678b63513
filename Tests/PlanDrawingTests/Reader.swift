import CCairo
import Foundation
import Papers

/// A page as pixels.
struct Raster {
    /// From 0 for black to 255, row by row.
    let rows: [[UInt8]]
    private let perMillimetre: Double

    init(_ rows: [[UInt8]], perMillimetre: Double) {
        (self.rows, self.perMillimetre) = (rows, perMillimetre)
    }

    /// Millimetres.
    var width: Double { Double(rows.first?.count ?? 0) / perMillimetre }
    /// Millimetres.
    var height: Double { Double(rows.count) / perMillimetre }

    /// True if anything other than white is within half a millimetre of a place.
    func isDrawn(_ place: Drawing.Point) -> Bool {
        darkest(
            (place.x - 0.5)...(place.x + 0.5), (place.y - 0.5)...(place.y + 0.5)) < 250
    }

    /// True if anything in a box is as dark as a letter.
    func isWritten(in box: Drawing.Box) -> Bool {
        darkest(box.x...(box.x + box.width), box.y...(box.y + box.height)) < 120
    }

    /// The darkest grey of a part of the page, which is given in millimetres.
    private func darkest(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> UInt8 {
        func pixels(_ part: ClosedRange<Double>, _ count: Int) -> Range<Int> {
            let low = max(0, Int(part.lowerBound * perMillimetre))
            return low..<max(low, min(count, Int(part.upperBound * perMillimetre) + 1))
        }
        return rows[pixels(y, rows.count)].compactMap { row in
            row[pixels(x, row.count)].min()
        }.min() ?? 255
    }
}

/// PDF documents as poppler reads them.
enum Reader {
    /// The text of all pages, with single blanks.
    static func text(_ document: [UInt8]) throws -> String {
        let output = try run("pdftotext", ["-raw", "-enc", "UTF-8"], document) { [$0, "-"] }
        return String(decoding: output, as: UTF8.self).split { $0.isWhitespace }
            .joined(separator: " ")
    }

    /// The greys of the first page, row by row, from 0 for black to 255.
    static func pixels(_ document: [UInt8], perInch: Int) throws -> (rows: [[UInt8]], width: Int) {
        let options = ["-gray", "-r", "\(perInch)", "-f", "1", "-l", "1"]
        let picture = try run("pdftoppm", options, document) { [$0] }
        // After the magic number, the header has three numbers: width, height, the largest value.
        var numbers: [Int] = []
        var position = 2
        while numbers.count < 3 {
            while !(48...57).contains(picture[position]) { position += 1 }
            var number = 0
            while (48...57).contains(picture[position]) {
                number = number * 10 + Int(picture[position]) - 48
                position += 1
            }
            numbers.append(number)
        }
        let pixels = Array(picture[(position + 1)...])
        let rows = (0..<numbers[1]).map {
            Array(pixels[$0 * numbers[0]..<($0 + 1) * numbers[0]])
        }
        return (rows, numbers[0])
    }

    /// The greys of a PNG as cairo reads it.
    static func picture(_ document: [UInt8], perMillimetre: Double) throws -> Raster {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "drawing-\(UUID().uuidString).png")
        try Data(document).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        guard let surface = cairo_image_surface_create_from_png(file.path),
            let data = cairo_image_surface_get_data(surface)
        else { throw CocoaError(.fileReadCorruptFile) }
        defer { cairo_surface_destroy(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let width = Int(cairo_image_surface_get_width(surface))
        let rows = (0..<Int(cairo_image_surface_get_height(surface))).map { y in
            (0..<width).map { x in
                let pixel = UnsafeRawPointer(data + y * stride + x * 4)
                let colour = pixel.loadUnaligned(as: UInt32.self)
                // The darkest of the three components: any colour except white is dark in at least
                // one.
                return UInt8(min(colour & 255, colour >> 8 & 255, colour >> 16 & 255))
            }
        }
        return Raster(rows, perMillimetre: perMillimetre)
    }

    private static func run(
        _ program: String, _ options: [String], _ document: [UInt8],
        files: (String) -> [String]
    ) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "drawing-\(UUID().uuidString).pdf")
        try Data(document).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + options + files(file.path)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return Array(bytes)
    }
}
