/// The format of a picture's file, determined by its first bytes rather than by its name.
public enum PictureFormat: String, Hashable, Sendable {
    case png
    case jpeg

    /// - Returns: nil when the bytes begin like neither format.
    public init?(_ bytes: [UInt8]) {
        if bytes.starts(with: PNGFile.signature) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }

    /// The name of another format that people mistake for a picture of these two; nil when it is
    /// unknown.
    static func other(_ bytes: [UInt8]) -> String? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        if has("ftyphe", at: 4) || has("ftypmif1", at: 4) || has("ftypmsf1", at: 4) {
            return "a HEIC picture"
        }
        if has("ftypavi", at: 4) { return "an AVIF picture" }
        if has("ftyp", at: 4) { return "a film" }
        if has("RIFF"), has("WEBP", at: 8) { return "a WebP picture" }
        if has("GIF8") { return "a GIF picture" }
        if has("BM") { return "a BMP picture" }
        if has("II*\0") || has("MM\0*") { return "a TIFF or raw picture" }
        if has("%PDF") { return "a PDF document" }
        if has("<svg") || has("<?xml") { return "an SVG or XML document" }
        return nil
    }
}
