/// Encodes bytes as changes of similar ones: copied pieces, and the new bytes between them. It does
/// no I/O; the caller must verify the result by its digest.
enum ByteDelta {
    /// The minimum length of a copied run.
    private static let window = 16

    /// Encodes `target` as changes of `base`: a list of pieces. A piece is a number, seven bits to
    /// a byte, the lowest first: twice the length, plus one for new bytes, which follow; for a copy
    /// the position in `base` follows as another such number.
    static func make(from base: [UInt8], to target: [UInt8]) -> [UInt8] {
        let places = index(base)
        var delta: [UInt8] = []
        var (begin, at) = (0, 0)
        while at + window <= target.count {
            guard let found = places[key(target, at)],
                base[found..<found + window] == target[at..<at + window]
            else {
                at += 1
                continue
            }
            var (from, to, length) = (found, at, window)
            while from > 0, to > begin, base[from - 1] == target[to - 1] {
                (from, to, length) = (from - 1, to - 1, length + 1)
            }
            while from + length < base.count, to + length < target.count,
                base[from + length] == target[to + length]
            { length += 1 }
            append(target[begin..<to], to: &delta)
            append(length << 1, to: &delta)
            append(from, to: &delta)
            at = to + length
            begin = at
        }
        append(target[begin...], to: &delta)
        return delta
    }

    /// Decodes a list of pieces from `base`; nil when it is damaged, or the result is longer than
    /// `most`.
    static func apply(_ delta: [UInt8], to base: [UInt8], most: Int) -> [UInt8]? {
        var target: [UInt8] = []
        var at = 0
        while at < delta.count {
            guard let head = number(delta, &at) else { return nil }
            let length = head >> 1
            guard length <= most - target.count else { return nil }
            if head & 1 == 1 {
                guard length <= delta.count - at else { return nil }
                target += delta[at..<at + length]
                at += length
            } else {
                guard let from = number(delta, &at), from <= base.count,
                    length <= base.count - from
                else { return nil }
                target += base[from..<from + length]
            }
        }
        return target
    }

    /// The positions of the windows of the base, which do not overlap.
    private static func index(_ base: [UInt8]) -> [UInt64: Int] {
        var places: [UInt64: Int] = [:]
        for place in stride(from: 0, through: base.count - window, by: window) {
            let key = key(base, place)
            if places[key] == nil { places[key] = place }
        }
        return places
    }

    private static func key(_ bytes: [UInt8], _ place: Int) -> UInt64 {
        var key: UInt64 = 14_695_981_039_346_656_037
        for byte in bytes[place..<place + window] {
            key = (key ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return key
    }

    private static func append(_ bytes: ArraySlice<UInt8>, to delta: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        append(bytes.count << 1 | 1, to: &delta)
        delta += bytes
    }

    private static func append(_ number: Int, to delta: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            delta.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        delta.append(UInt8(rest))
    }

    /// Reads a number of at most 32 bits.
    private static func number(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard at < bytes.count else { return nil }
            let byte = bytes[at]
            at += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
