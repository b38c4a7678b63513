import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import TestThreads
import Testing

/// Measures a shift with very many photos.
@Suite(.serialized, .waiting) struct PhotoLoadTests {
    /// The number of photos: `PHOTOS`, or 40 by default.
    private static let count =
        ProcessInfo.processInfo.environment["PHOTOS"].flatMap { Int($0) } ?? 40
    private static let list = """
        checklist: Evidence
        kind: during
        sections:
          - section: Cold store
            area: kitchen
            tasks:
              - task: Delivery
                id: delivery
                answer: photo
        """

    /// Sends photos as a device does, and marks the task with each.
    ///
    /// - Returns: the size of all photos together, and the most memory that the service used.
    private func send(
        _ count: Int, like file: [UInt8], _ restaurant: Restaurant
    ) throws -> (bytes: Int, memory: Int) {
        let client = try restaurant.client(of: .checklist)
        let shift = try #require(try client.ask(ReadShift(), for: ShiftSnapshot.self).shift)
        let list = try #require(shift.lists.first { $0.name == "Evidence" }).template
        var (bytes, memory, waiting) = (0, 0, [ShiftOperation]())
        for number in 1...count {
            let other = NoisePhoto.other(number, than: file)
            let photo = try NoisePhoto.photo(other)
            let kept = try client.ask(KeepPhoto(shift: shift.id, file: other), for: Photo.self)
            #expect(kept == photo)
            bytes += other.count
            waiting.append(
                ShiftOperation(
                    id: client.makeID().bytes, shift: shift.id, device: "camera",
                    deviceSequence: UInt64(number), deviceTime: client.clock(),
                    change: .mark(
                        MarkTask(
                            list: list, task: "delivery", finding: .ok,
                            answer: Answer(value: .photos(Photos(photos: [photo])))))))
            if waiting.count == 50 || number == count {
                let reply = try client.ask(
                    RecordOperations(operations: waiting, deviceHead: UInt64(number)),
                    for: OperationsRecorded.self)
                #expect(reply.outcomes.allSatisfy { $0.kind != .refused })
                waiting = []
            }
            memory = max(memory, try restaurant.checklist.residentMemory())
        }
        return (bytes, memory)
    }

    @Test
    func `thousands of photos in a shift don't make the service grow, and are backed up once`()
        throws
    {
        let restaurant = try Restaurant(at: "12:00")
        let others = try restaurant.startOthers()
        let path = restaurant.system.path("evidence.yaml")
        try Self.list.write(toFile: path, atomically: true, encoding: .utf8)
        try restaurant.run("template import '\(path)'")
        try restaurant.run("shift start day")
        var seed = Seed(16)
        let camera = restaurant.system.path("camera.jpg")
        let photo = try NoisePhoto.camera(&seed)
        #expect(photo.count > 3_000_000)
        try Data(photo).write(to: URL(filePath: camera))
        var start = ContinuousClock.now
        try restaurant.run("checklist tick delivery --photo \(camera)")
        let taken = ContinuousClock.now - start
        let folder = restaurant.system.path("saved")
        try restaurant.run("checklist photo delivery -o '\(folder)'")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let file = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))

        start = ContinuousClock.now
        var (bytes, memory) = try send(Self.count - 1, like: file, restaurant)
        let sent = ContinuousClock.now - start
        try restaurant.run("shift end --despite-open")
        start = ContinuousClock.now
        #expect(try restaurant.run("archive verify").contains("is whole"))
        let verified = ContinuousClock.now - start
        memory = max(memory, try restaurant.checklist.residentMemory())
        start = ContinuousClock.now
        let backup = restaurant.system.path("backup")
        try restaurant.run("backup '\(backup)'")
        let backedUp = ContinuousClock.now - start
        memory = max(memory, try restaurant.checklist.residentMemory())

        let store = "\(backup)/checklist-service/checklist-service.sqlite"
        let copy = try DatabaseQueue(path: store)
        #expect(
            try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photoFile") }
                == Self.count)
        let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
        #expect(size < (bytes + file.count) * 11 / 10 + (4 << 20), "\(size) of \(bytes)")
        #expect(memory < 64 << 20, "\(memory >> 20) MiB")
        print(
            "\(Self.count) photos, \(bytes >> 20) MiB: one taken in \(taken), others sent in "
                + "\(sent), \(memory >> 20) MiB of memory, verified in \(verified), "
                + "backed up in \(backedUp), \(size >> 20) MiB")
        withExtendedLifetime(others) {}
    }
}
