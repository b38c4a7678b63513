import Foundation
import Messages
import Testing

@testable import Gateway

/// What a person is told of the positions of a ride.
@Suite struct LiveRideTests {
    /// Monday, 2026-03-16, 12:00:00 UTC.
    private static let noon: Int64 = 1_773_662_400_000

    /// A sentence of a receiver, with its checksum.
    private static func sentence(clock: String) -> String {
        let body = "GPRMC,\(clock).00,A,5418.00,N,01006.00,E,0.0,,160326,,,A"
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*" + String(format: "%02X", Int(sum)) + "\r\n"
    }

    @Test func `a source whose clock has gone back doesn't count, and the person is told once`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ride-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { print(error) }
        }
        let path = folder.appending(path: "line").path
        // Somebody writes to the line as long as this is open.
        try #require(mkfifo(path, 0o600) == 0)
        let line = open(path, O_RDWR)
        try #require(line >= 0)
        defer { close(line) }
        func receive(_ clock: String) {
            let bytes = Array(Self.sentence(clock: clock).utf8)
            #expect(write(line, bytes, bytes.count) == bytes.count)
        }
        var said: [String] = []
        let place = try #require(LivePlace(argument: "nmea:\(path)"))
        let ride = LiveRide([place], origin: Self.noon, speed: 1) { said.append($0) }

        receive("120001")
        #expect(ride.take(after: .seconds(1)).map(\.time) == [Self.noon + 1_000])
        #expect(said == ["positions come from nmea:\(path)"])
        receive("115940")
        #expect(ride.take(after: .seconds(5)).isEmpty)
        #expect(ride.take(after: .seconds(14)).isEmpty)
        #expect(said.count == 1)
        for second in 15...20 { #expect(ride.take(after: .seconds(second)).isEmpty) }
        #expect(
            said.dropFirst() == [
                "nmea:\(path) doesn't count: its positions are no newer than the last one, perhaps "
                    + "because its clock is wrong; the alarm goes on by estimate"
            ])
    }
}
