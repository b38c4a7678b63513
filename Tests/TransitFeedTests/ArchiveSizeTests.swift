import Foundation
import Testing

@testable import TransitFeed

/// Tests archives that state sizes which their files don't have.
@Suite struct ArchiveSizeTests {
    @Test(arguments: [UInt64(Int64.max), .max, 1 << 62])
    func `an archive whose files state sizes without bounds is refused`(size: UInt64) throws {
        let zip = Array(try SmallFeed().zipped())
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reversed().reduce(0) { $0 << 8 | Int(zip[place + $1]) }
        }
        let end = try #require(zip.indices.last { zip[$0...].starts(with: [80, 75, 5, 6]) })
        var place = number(end + 16, 4)
        var lying = Array(zip[..<place])
        while place < end {
            // After its name each entry of the directory states the size as ZIP64.
            let name = place + 46 + number(place + 28, 2)
            let extra = name + number(place + 30, 2)
            var entry = Array(zip[place..<name])
            entry.replaceSubrange(24..<28, with: [255, 255, 255, 255])
            entry[30] += 12
            lying += entry
            lying += [1, 0, 8, 0]
            lying += withUnsafeBytes(of: size.littleEndian) { Array($0) }
            let next = extra + number(place + 32, 2)
            lying += zip[name..<next]
            place = next
        }
        let directory = UInt32(lying.count - number(end + 16, 4)).littleEndian
        lying += zip[end...]
        let length = lying.count - (zip.count - end) + 12
        lying.replaceSubrange(
            length..<(length + 4), with: withUnsafeBytes(of: directory) { Array($0) })

        let error = #expect(throws: FeedError.self) { try readFeed(Data(lying)) }

        #expect(error?.description.contains("unpacks to more than") == true)
    }
}
