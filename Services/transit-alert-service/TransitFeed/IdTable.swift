/// The ids of one file, numbered in order of appearance, looked up by their bytes.
///
/// A `String` for each of millions of fields would cost more than the rest of the reading.
struct IdTable {
    /// The number of ids.
    private(set) var count = 0

    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var slots: [Int32]

    // Random for each table, so that no feed can cause collisions on purpose.
    private let seed = UInt64.random(in: .min ... .max)

    init(capacity: Int = 64) {
        var size = 64
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
    }

    /// The number of an id; `nil` when it is not in the table.
    func index(of id: Span<UInt8>) -> Int? {
        let slot = slots[slot(of: id)]
        return slot < 0 ? nil : Int(slot)
    }

    /// The number of an id, and whether it is new.
    mutating func insert(_ id: Span<UInt8>) -> (index: Int, isNew: Bool) {
        let place = slot(of: id)
        if slots[place] >= 0 { return (Int(slots[place]), false) }
        slots[place] = Int32(count)
        for position in id.indices { bytes.append(id[position]) }
        ends.append(bytes.count)
        count += 1
        if count * 2 > slots.count { grow() }
        return (count - 1, true)
    }

    /// Whether the id with a number has exactly these bytes.
    func matches(_ index: Int, _ id: Span<UInt8>) -> Bool {
        let start = index == 0 ? 0 : ends[index - 1]
        guard ends[index] - start == id.count else { return false }
        for position in id.indices where bytes[start + position] != id[position] { return false }
        return true
    }

    /// The slot of the id, or the free one where it belongs.
    private func slot(of id: Span<UInt8>) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: hash(id)) & mask
        while slots[place] >= 0, !matches(Int(slots[place]), id) {
            place = (place + 1) & mask
        }
        return place
    }

    /// FNV-1a's loop with a wider multiplication, and the high half folded into the low bits.
    private func hash(_ id: Span<UInt8>) -> UInt64 {
        var hash = seed
        for position in id.indices {
            hash = (hash ^ UInt64(id[position])) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        return hash
    }

    private mutating func grow() {
        let mask = slots.count * 2 - 1
        var larger = [Int32](repeating: -1, count: slots.count * 2)
        // Borrowed from a second reference, so that `self` stays writable.
        let bytes = self.bytes
        let all = bytes.span
        for index in 0..<count {
            let start = index == 0 ? 0 : ends[index - 1]
            var place = Int(truncatingIfNeeded: hash(all.extracting(start..<ends[index]))) & mask
            while larger[place] >= 0 { place = (place + 1) & mask }
            larger[place] = Int32(index)
        }
        slots = larger
    }
}
