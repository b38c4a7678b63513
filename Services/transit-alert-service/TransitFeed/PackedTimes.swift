/// The stored form of a trip's times: variable-length deltas, mostly one byte a stop.
///
/// For each stop the seconds since the previous departure (for the first, since 0), shifted left by
/// one; the lowest bit means that the seconds of waiting follow as a separate number.
package enum PackedTimes {
    /// Appends the times of one trip; they must neither decrease nor be negative.
    package static func pack<Times: Sequence<StopTime>>(
        _ times: Times, into bytes: inout [UInt8]
    ) {
        var previous: Int32 = 0
        for time in times {
            let wait = time.departure - time.arrival
            let travel = UInt64(max(0, time.arrival - previous)) << 1
            Varint.append(travel | (wait > 0 ? 1 : 0), to: &bytes)
            if wait > 0 { Varint.append(UInt64(wait), to: &bytes) }
            previous = time.departure
        }
    }

    /// Unpacks times; `nil` when they are damaged.
    package static func unpack(_ bytes: ArraySlice<UInt8>) -> [StopTime]? {
        var times: [StopTime] = []
        times.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        var previous: Int64 = 0
        while position < bytes.endIndex {
            guard let value = Varint.read(bytes, &position) else { return nil }
            var wait: UInt64 = 0
            if value & 1 == 1 {
                guard let read = Varint.read(bytes, &position) else { return nil }
                wait = read
            }
            guard value >> 1 <= UInt64(Int32.max), wait <= UInt64(Int32.max) else { return nil }
            let arrival = previous + Int64(value >> 1)
            previous = arrival + Int64(wait)
            guard previous <= Int64(Int32.max) else { return nil }
            times.append(StopTime(arrival: Int32(arrival), departure: Int32(previous)))
        }
        return times
    }
}

/// Integers in as few bytes as they need, seven bits a byte, lowest first (as in protobuf).
package enum Varint {
    /// Appends a number in one to ten bytes.
    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends a signed number so that small numbers of either sign are short (zigzag).
    package static func append(signed value: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: (value << 1) ^ (value >> 63)), to: &bytes)
    }

    /// Reads the number at a position and advances it; `nil` when the bytes end or the number is
    /// too long.
    package static func read(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.endIndex, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Reads a number written by `append(signed:to:)`.
    package static func readSigned(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Int64? {
        guard let value = read(bytes, &position) else { return nil }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
