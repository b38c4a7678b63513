import CQREncode
import Markup

/// A text as a QR code (ISO/IEC 18004), drawn as a picture of lines.
enum QRCode {
    /// The picture; nil if the text is too long.
    ///
    /// - Parameters:
    ///   - text: the text that scanning it gives.
    ///   - label: a description for those who can't see it.
    static func picture(of text: String, label: String) -> Node? {
        // Version 0 picks the smallest that fits; M tolerates 15 % damage.
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
            return nil
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let modules = code.pointee.data else { return nil }
        var path = ""
        for row in 0..<width {
            var start: Int?
            for column in 0...width {
                let isDark = column < width && modules[row * width + column] & 1 == 1
                if isDark, start == nil { start = column }
                guard !isDark, let from = start else { continue }
                path += "M\(from + 4) \(row + 4)h\(column - from)v1h-\(column - from)z"
                start = nil
            }
        }
        // Four empty modules around it, so that scanners find it.
        let size = "\(width + 8)"
        return tag(
            "svg",
            ["class": "qr", "viewBox": "0 0 \(size) \(size)", "role": "img", "aria-label": label],
            tag("rect", ["width": size, "height": size, "fill": "#ffffff"]),
            tag("path", ["d": path, "fill": "#000000"]))
    }
}
