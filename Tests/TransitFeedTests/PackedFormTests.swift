import Foundation
import TestSupport
import Testing

@testable import TransitFeed

@Suite struct PackedFormTests {
    @Test(arguments: Seed.some(200))
    func `times are unpacked as they were packed`(_ seed: Seed) {
        var seed = seed
        var now = Int32.random(in: 0...200_000, using: &seed)
        let times = (0..<Int.random(in: 0...80, using: &seed)).map { _ in
            let arrival = now + .random(in: 0...4000, using: &seed)
            now = arrival + (Bool.random(using: &seed) ? 0 : .random(in: 0...600, using: &seed))
            return StopTime(arrival: arrival, departure: now)
        }
        var bytes: [UInt8] = [1, 2, 3]

        PackedTimes.pack(times, into: &bytes)

        #expect(PackedTimes.unpack(bytes[3...]) == times)
    }

    @Test(arguments: Seed.some(200))
    func `damaged times are refused or read, without a crash`(_ seed: Seed) {
        var seed = seed
        let bytes = (0..<Int.random(in: 0...40, using: &seed)).map { _ in
            UInt8.random(in: 0...255, using: &seed)
        }

        let times = PackedTimes.unpack(bytes[...]) ?? []

        #expect(zip(times, times.dropFirst()).allSatisfy { $0.departure <= $1.arrival })
        _ = Feed.Polyline(unpacking: bytes)
    }

    @Test(arguments: Seed.some(200))
    func `numbers of calls are unpacked as they were packed`(_ seed: Seed) {
        var seed = seed
        let largest = Int32.random(in: 1...9, using: &seed)
        var last = Int32.random(in: 0...2, using: &seed)
        let numbers = (0..<Int.random(in: 1...40, using: &seed)).map { _ in
            defer { last += .random(in: 1...largest, using: &seed) }
            return last
        }

        let bytes = PackedSequences.pack(numbers)

        let unpacked = PackedSequences.unpack(bytes[...], count: numbers.count)
        #expect(unpacked == numbers.map { UInt32($0) })
    }

    @Test(
        arguments: [([1, 2, 3], []), ([0, 1, 2, 3], [0, 1]), ([10, 20, 30], [10])]
            as [([Int32], [UInt8])])
    func `numbers of calls with equal steps take a byte or two`(
        _ numbers: [Int32], _ bytes: [UInt8]
    ) {
        #expect(PackedSequences.pack(numbers) == bytes)
        let unpacked = PackedSequences.unpack(bytes[...], count: numbers.count)
        #expect(unpacked == numbers.map { UInt32($0) })
    }

    @Test(arguments: Seed.some(200))
    func `damaged numbers of calls are refused or read, without a crash`(_ seed: Seed) {
        var seed = seed
        let bytes = (0..<Int.random(in: 0...40, using: &seed)).map { _ in
            UInt8.random(in: 0...255, using: &seed)
        }

        let numbers = PackedSequences.unpack(bytes[...], count: 20) ?? []

        #expect(numbers.isEmpty || numbers.count == 20)
    }

    @Test func `a line of the smallest number is refused`() {
        let smallest = [UInt8](repeating: 0xFF, count: 9) + [1]

        #expect(Feed.Polyline(unpacking: smallest + [0]) == nil)
        #expect(Feed.Polyline(unpacking: [0] + smallest) == nil)
    }

    @Test(arguments: Seed.some(100))
    func `lines are unpacked as they were packed`(_ seed: Seed) {
        var seed = seed
        let points = (0..<Int.random(in: 0...50, using: &seed)).map { _ in
            Feed.Position(
                latitude: .random(in: -900_000_000...900_000_000, using: &seed),
                longitude: .random(in: -1_800_000_000...1_800_000_000, using: &seed))
        }
        let line = Feed.Polyline(points)

        #expect(Feed.Polyline(unpacking: line.packed) == line)
    }

    @Test func `whole numbers of every size are unpacked as they were packed`() {
        for shift in 0..<64 {
            let value = UInt64.max >> UInt64(shift)
            let signed = Int64.min >> Int64(shift)
            var bytes: [UInt8] = []
            Varint.append(value, to: &bytes)
            Varint.append(signed: signed, to: &bytes)
            var position = 0

            #expect(Varint.read(bytes[...], &position) == value)
            #expect(Varint.readSigned(bytes[...], &position) == signed)
            #expect(position == bytes.count)
        }
    }
}
