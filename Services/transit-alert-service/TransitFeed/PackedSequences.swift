/// The stored form of the numbers of a trip's calls, `stop_sequence` in `stop_times.txt`: the steps
/// from one to the next, the first from 0. A step that repeats up to the last call is written once.
///
/// Most feeds count 1, 2, 3, which takes no bytes.
package enum PackedSequences {
    /// Packs numbers, which increase and aren't negative.
    package static func pack(_ numbers: some Sequence<Int32>) -> [UInt8] {
        var steps: [Int64] = []
        var last: Int64 = 0
        for number in numbers {
            steps.append(Int64(number) - last)
            last = Int64(number)
        }
        while steps.count > 1, steps[steps.count - 1] == steps[steps.count - 2] {
            steps.removeLast()
        }
        guard steps != [1] else { return [] }
        var bytes: [UInt8] = []
        for step in steps { Varint.append(UInt64(max(0, step)), to: &bytes) }
        return bytes
    }

    /// Unpacks this many numbers; nil if they are damaged.
    package static func unpack(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt32]? {
        var numbers: [UInt32] = []
        var position = bytes.startIndex
        var (step, last): (UInt64, UInt64) = (1, 0)
        for _ in 0..<max(0, count) {
            if position < bytes.endIndex {
                guard let next = Varint.read(bytes, &position) else { return nil }
                step = next
            }
            guard step <= UInt64(Int32.max) - last else { return nil }
            last += step
            numbers.append(UInt32(last))
        }
        return position == bytes.endIndex ? numbers : nil
    }
}
