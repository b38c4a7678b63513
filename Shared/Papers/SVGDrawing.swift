import Foundation
import Pictures

extension Drawing {
    /// The drawing as SVG. Texts stay texts that can be searched and edited. A user unit is a
    /// millimetre, and the picture's size is given in millimetres, so that it is printed in true
    /// size.
    ///
    /// An element that shows an object has the object's id as `data-item`; each layer has its name
    /// as `class`.
    ///
    /// - Parameter isAlone: true for a file, false for a part of an HTML page.
    package func svg(isAlone: Bool = true) -> String {
        String(decoding: svgBytes(isAlone: isAlone), as: UTF8.self)
    }

    /// The same in UTF-8.
    package func svgBytes(isAlone: Bool = true) -> [UInt8] {
        var svg = SVGWriter()
        if isAlone { svg.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }
        svg.add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        svg.add(width)
        svg.add("mm\" height=\"")
        svg.add(height)
        svg.add("mm\" viewBox=\"0 0 ")
        svg.add(width)
        svg.add(" ")
        svg.add(height)
        svg.add(
            "\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\">\n<title>")
        svg.addText(title)
        svg.add("</title>\n")
        svg.add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n")
        for (index, part) in parts.enumerated() { svg.add(part, number: index) }
        svg.add("</svg>\n")
        return svg.bytes
    }
}

/// Writes SVG into a buffer.
private struct SVGWriter {
    var bytes: [UInt8] = []

    mutating func add(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds what isn't a text that somebody has written.
    mutating func add(own text: String) { bytes.append(contentsOf: text.utf8) }

    /// Adds a length with at most three decimals, i.e. in micrometres.
    mutating func add(_ value: Double) {
        guard value.isFinite, abs(value) < 1e12 else {
            bytes.append(UInt8(ascii: "0"))
            return
        }
        var rest = Int((value * 1_000).rounded())
        if rest < 0 {
            bytes.append(UInt8(ascii: "-"))
            rest = -rest
        }
        let (whole, thousandths) = rest.quotientAndRemainder(dividingBy: 1_000)
        var unit = 1
        while unit * 10 <= whole { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(48 + whole / unit % 10))
            unit /= 10
        }
        guard thousandths > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var part = thousandths
        while part > 0 {
            bytes.append(UInt8(48 + part / 100))
            part = part % 100 * 10
        }
    }

    /// Adds a text, escaped, and without the characters that XML does not allow.
    mutating func addText(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: add("&amp;")
            case 0x3C: add("&lt;")
            case 0x3E: add("&gt;")
            case 0x22: add("&quot;")
            case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: bytes.append(0x20)
            case 0..<0x7F: bytes.append(UInt8(scalar.value))
            default: bytes.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
            }
        }
    }

    mutating func add(_ name: StaticString, _ value: Double) {
        bytes.append(0x20)
        add(name)
        add("=\"")
        add(value)
        bytes.append(0x22)
    }

    mutating func add(_ name: StaticString, _ colour: Colour) {
        bytes.append(0x20)
        add(name)
        add("=\"#")
        for part in [colour.red, colour.green, colour.blue] {
            let value = UInt8(min(max(part, 0), 1) * 255 + 0.5)
            for digit in [value >> 4, value & 15] {
                bytes.append(digit < 10 ? 48 + digit : 87 + digit)
            }
        }
        bytes.append(0x22)
    }

    mutating func add(_ part: Drawing.Part, number: Int) {
        if let clip = part.clip {
            add(own: "<clipPath id=\"clip-\(number)\"><rect")
            add("x", clip.x)
            add("y", clip.y)
            add("width", clip.width)
            add("height", clip.height)
            add(
                own:
                    "/></clipPath>\n<g class=\"\(part.name)\" clip-path=\"url(#clip-\(number))\">\n"
            )
        } else {
            add(own: "<g class=\"\(part.name)\">\n")
        }
        var item = ""
        for mark in part.marks {
            if mark.item != item {
                if !item.isEmpty { add("</g>\n") }
                item = mark.item
                if !item.isEmpty {
                    add("<g data-item=\"")
                    addText(item)
                    add("\">\n")
                }
            }
            switch mark.shape {
            case .path(let path, let pen): add(path, pen)
            case .text(let text): add(text)
            case .image(let image): add(image)
            }
        }
        add(item.isEmpty ? "</g>\n" : "</g>\n</g>\n")
    }

    private mutating func add(_ path: Drawing.Path, _ pen: Drawing.Pen) {
        add("<path d=\"")
        for step in path.steps {
            switch step {
            case .move(let to): add("M", to)
            case .line(let to): add("L", to)
            case .curve(let first, let second, let to):
                add("C", first)
                add(" ", second)
                add(" ", to)
            case .close: add("Z")
            }
        }
        add("\"")
        if let fill = pen.fill {
            add("fill", fill)
            if pen.opacity < 1 { add("fill-opacity", pen.opacity) }
        } else {
            add(" fill=\"none\"")
        }
        if let stroke = pen.stroke {
            add("stroke", stroke)
            add("stroke-width", pen.width)
            if !pen.dash.isEmpty {
                add(" stroke-dasharray=\"")
                for (index, length) in pen.dash.enumerated() {
                    if index > 0 { add(" ") }
                    add(length)
                }
                add("\"")
            }
        }
        add("/>\n")
    }

    /// Adds an image inside the file, so that the drawing stays one file.
    private mutating func add(_ image: Drawing.Image) {
        let file: [UInt8]
        do { file = try image.raster.png() } catch { return }
        let frame = image.frame
        add("<image")
        add("x", frame.x)
        add("y", frame.y)
        add("width", frame.width)
        add("height", frame.height)
        add(" preserveAspectRatio=\"none\" href=\"data:image/png;base64,")
        add(own: Data(file).base64EncodedString())
        add("\"/>\n")
    }

    /// Adds a point with what stands before it: the command, or a blank.
    private mutating func add(_ before: StaticString, _ point: Drawing.Point) {
        add(before)
        add(point.x)
        bytes.append(0x20)
        add(point.y)
    }

    private mutating func add(_ text: Drawing.Text) {
        guard !text.words.isEmpty else { return }
        add("<text")
        add("x", text.place.x)
        add("y", text.place.y)
        add("font-size", text.size)
        if text.isBold { add(" font-weight=\"bold\"") }
        switch text.anchor {
        case .start: break
        case .middle: add(" text-anchor=\"middle\"")
        case .end: add(" text-anchor=\"end\"")
        }
        add("fill", text.colour)
        if text.turn != 0 {
            add(" transform=\"rotate(")
            add(text.turn)
            add(" ")
            add(text.place.x)
            add(" ")
            add(text.place.y)
            add(")\"")
        }
        add(">")
        addText(text.words)
        add("</text>\n")
    }
}
