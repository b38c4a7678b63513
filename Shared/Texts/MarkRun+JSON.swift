extension MarkRun {
    /// Whether bytes may be decoded as JSON: they are UTF-8, and no text in them is slow to
    /// compare.
    public static func permits(json bytes: [UInt8]) -> Bool {
        // A zero byte is how decoders recognise UTF-16 and UTF-32.
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            return false
        }
        return !isEndless(inJSON: text)
    }

    /// True for JSON with an endless run, whose marks may be written as escapes, or with an invalid
    /// escape.
    public static func isEndless(inJSON text: String) -> Bool {
        var run = MarkRun()
        var high: UInt32 = 0
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                if run.add(scalar) { return true }
                continue
            }
            guard let escape = scalars.next() else { return true }
            guard escape == "u" else {
                if run.add(escape) { return true }
                continue
            }
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = scalars.next().flatMap({ Character($0).hexDigitValue }) else {
                    return true
                }
                unit = unit << 4 | UInt32(digit)
            }
            // A character beyond 16 bits is written as two halves.
            guard !(0xD800..<0xDC00).contains(unit) else {
                high = unit
                continue
            }
            if (0xDC00..<0xE000).contains(unit) {
                unit = 0x10000 + ((high & 0x3FF) << 10 | unit & 0x3FF)
            }
            if let scalar = Unicode.Scalar(unit), run.add(scalar) { return true }
        }
        return false
    }
}
