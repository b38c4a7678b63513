import Foundation
import Messages
import TestSupport
import Testing

@testable import WorkingCopy

/// What a device keeps of a shift.
struct WorkingCopyTests {
    private let system: System
    private let folder: DeviceFolder
    private let snapshot: ShiftSnapshot

    init() throws {
        system = try System()
        folder = try DeviceFolder(at: system.path("device"), newID: try Device.id(1))
        snapshot = Device.snapshot
    }

    @Test func `what was kept is still there after the file was closed`() throws {
        var kept: [ShiftOperation] = []
        do {
            let copy = try folder.begin(snapshot)
            kept = try (1...3).map { try Device.note($0, in: copy) }
        }

        let copy = try #require(try folder.open(shift: Device.shift))

        #expect(copy.waiting == kept)
        #expect(copy.waiting.map(\.deviceSequence) == [1, 2, 3])
        #expect(copy.shift == snapshot.shift)
        #expect(copy.lists.map(\.name) == ["Opening"])
    }

    @Test func `photos stay as long as their working copy`() throws {
        do {
            let copy = try folder.begin(snapshot)
            for _ in 1...2 { try copy.keepPhoto([1, 2, 3], named: "0123") }
        }
        let copy = try #require(try folder.open(shift: Device.shift))
        #expect(try copy.photo(named: "0123") == [1, 2, 3])
        #expect(try copy.photo(named: "4567") == nil)
        try copy.add(OperationPage(ended: 1))
        #expect(try folder.forget(copy))
        #expect(try copy.photo(named: "0123") == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(left) == ["device", "device.process"])
    }

    @Test func `a photo that can't be read now isn't mistaken for one that isn't here`() throws {
        let copy = try folder.begin(snapshot)
        try copy.keepPhoto([1, 2, 3], named: "0123")
        let path = "\(copy.photoFolder)/0123"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        #expect(try copy.photo(named: "0123") == nil)

        // A folder in the file's place can be opened, but not read.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        #expect(throws: WorkingCopyError.system(action: "read", path: path, code: EISDIR)) {
            try copy.photo(named: "0123")
        }

        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        #expect(try copy.photo(named: "0123") == [1, 2, 3])
    }

    @Test func `a device has one id forever`() throws {
        let again = try DeviceFolder(at: system.path("device"), newID: try Device.id(2))

        #expect(again.device == folder.device)
        #expect(try again.device == "\(Device.id(1))")
    }

    @Test func `a device's own operations apply after those that the service has ordered`() throws {
        let copy = try folder.begin(snapshot)
        let own = try Device.note(1, in: copy)
        let foreign = ShiftOperation(id: try Device.id(50).bytes, device: "other", sequence: 7)

        try copy.add(OperationPage(operations: [foreign], head: 7))

        #expect(copy.everything.map(\.id) == [foreign.id, own.id])
        #expect(copy.everything.map(\.sequence) == [7, 0])
    }

    @Test func `an operation waits until it has its place in the order`() throws {
        let copy = try folder.begin(snapshot)
        var own = try Device.note(1, in: copy)

        try copy.settle([OperationOutcome(id: own.id, kind: .takenIn)])
        #expect(copy.waiting.count == 1)
        own.sequence = 3
        try copy.add(OperationPage(operations: [own, own], head: 3))

        #expect(copy.waiting.isEmpty)
        #expect(copy.operations.map(\.sequence) == [3])
        #expect(try Device.note(2, in: copy).deviceSequence == 2)
        #expect(copy.waiting[0].seen == 3)
    }

    @Test func `a refused operation stays visible until it is dismissed`() throws {
        let first: ShiftOperation
        do {
            let copy = try folder.begin(snapshot)
            first = try Device.note(1, in: copy)
            _ = try Device.note(2, in: copy)
            try copy.settle([OperationOutcome(id: first.id, kind: .refused, refusal: "no task")])
        }
        let copy = try #require(try folder.open(shift: Device.shift))

        #expect(copy.refused.map(\.refusal.message) == ["no task"])
        #expect(copy.waiting.map(\.deviceSequence) == [2])
        try copy.dismiss(first)
        #expect(copy.refused.isEmpty)
        #expect(copy.deviceHead == 2)
    }

    @Test func `a refused operation that is sent again is a new one, even after a restart`() throws
    {
        let (first, again): (ShiftOperation, ShiftOperation)
        do {
            let copy = try folder.begin(snapshot)
            first = try Device.note(1, in: copy)
            try copy.settle([OperationOutcome(id: first.id, kind: .refused, refusal: "no")])
            again = try #require(try copy.resend(first, id: try Device.id(2)))
            // An operation that is no longer refused is not sent a second time.
            #expect(try copy.resend(first, id: try Device.id(3)) == nil)
        }
        let copy = try #require(try folder.open(shift: Device.shift))

        #expect(copy.refused.isEmpty && copy.waiting == [again])
        #expect(try again.id == Device.id(2).bytes && again.deviceSequence == 2)
        #expect(again.change == first.change && again.deviceTime == first.deviceTime)
        #expect(copy.deviceHead == 2)
    }

    @Test func `after a restored backup, what was resent or dismissed only uses up its number`()
        throws
    {
        let copy = try folder.begin(snapshot)
        let made = try (1...3).map { try Device.note($0, in: copy) }
        try copy.settle(
            made.map { OperationOutcome(id: $0.id, kind: .refused, refusal: "can't be read") })
        let again = try #require(try copy.resend(made[0], id: try Device.id(4)))
        try copy.dismiss(made[1])

        try copy.rewind()

        // The third waits as it was made, because nobody has decided about it.
        let waiting = [made[0].withoutChange, made[1].withoutChange, made[2], again]
        #expect(copy.waiting == waiting && copy.refused.isEmpty)
        try copy.settle(
            made.map { OperationOutcome(id: $0.id, kind: .refused, refusal: "says nothing") })
        #expect(copy.refused.map(\.operation) == [made[2]])
        #expect(copy.waiting == [again])
    }

    @Test func `a refusal is kept with its parts, and one from an older version is read`() throws {
        let refusal = Refusal.invalid("a note has 1 to 9 characters").because(1...9)
        do {
            let copy = try folder.begin(snapshot)
            let first = try Device.note(1, in: copy)
            let second = try Device.note(2, in: copy)
            try copy.settle([
                OperationOutcome(id: first.id, refusal),
                OperationOutcome(
                    id: second.id, kind: .refused,
                    refusalCode: UInt32(clamping: Refusal.Code.invalid.rawValue),
                    refusal: "no task", refusalReason: "task.missing"),
            ])
        }
        let copy = try #require(try folder.open(shift: Device.shift))

        let older = Refusal.invalid("no task").because(.taskMissing)
        #expect(copy.refused.map(\.refusal) == [refusal, older])
    }

    @Test func `a copy is deleted only when its shift has ended and nothing waits`() throws {
        let copy = try folder.begin(snapshot)
        let own = try Device.note(1, in: copy)
        #expect(try !folder.forget(copy))
        try copy.add(OperationPage(ended: 9))
        #expect(try !folder.forget(copy))
        try copy.settle([OperationOutcome(id: own.id, kind: .refused, refusal: "late")])
        #expect(try !folder.forget(copy))
        try copy.dismiss(own)

        #expect(try folder.forget(copy))

        #expect(try folder.shifts() == [])
    }

    @Test func `if the service has an older history, everything the device made waits again`()
        throws
    {
        let copy = try folder.begin(snapshot)
        var first = try Device.note(1, in: copy)
        let second = try Device.note(2, in: copy)
        first.sequence = 9
        try copy.add(OperationPage(operations: [first], head: 9))
        try copy.settle([OperationOutcome(id: second.id, kind: .refused, refusal: "no")])

        try copy.rewind()

        #expect(copy.waiting.map(\.deviceSequence) == [1, 2])
        #expect(copy.waiting.map(\.sequence) == [0, 0])
        #expect(copy.operations.isEmpty && copy.head == 0)
        try copy.settle([OperationOutcome(id: second.id, kind: .refused, refusal: "no")])
        #expect(copy.refused.count == 1)
        #expect(try Device.note(3, in: copy).deviceSequence == 3)
    }

    @Test func `what is recorded after a restore is no longer shown as refused`() throws {
        let copy = try folder.begin(snapshot)
        var own = try Device.note(1, in: copy)
        try copy.settle([OperationOutcome(id: own.id, kind: .refused, refusal: "no")])
        try copy.rewind()
        own.sequence = 1

        try copy.add(OperationPage(operations: [own], head: 1))

        #expect(copy.refused.isEmpty && copy.waiting.isEmpty)
    }

    @Test func `only one process at a time has a working copy open`() throws {
        let copy = try folder.begin(snapshot)
        let expected = WorkingCopyError.inUse(
            path: folder.path + "/\(copy.shift.id).shift", process: getpid())

        #expect(throws: expected) { try folder.open(shift: Device.shift, patience: 0) }

        #expect(expected.description.contains("process \(getpid())"))
        withExtendedLifetime(copy) {}
    }

    @Test func `whichever byte the disk stopped at, all before the torn record is there`() throws {
        let copy = try folder.begin(snapshot)
        for number in UInt8(1)...4 { _ = try Device.note(number, in: copy) }
        let path = folder.path + "/\(Device.shift).shift"
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        var ends = [0]
        for record in try RecordFile.parse(bytes, path).records {
            ends.append(ends[ends.count - 1] + RecordFile.packed(record).count)
        }
        #expect(ends.last == bytes.count)

        for length in 0...bytes.count {
            let torn = system.path("torn")
            try Data(bytes.prefix(length)).write(to: URL(filePath: torn))
            let (file, records) = try RecordFile.open(at: torn, patience: 3000)
            #expect(records.count == ends.lastIndex { $0 <= length })
            // It continues where it left off.
            try file.append([.init(kind: 3, body: [1, 2])])
            let again = [UInt8](try #require(FileManager.default.contents(atPath: torn)))
            #expect(try RecordFile.parse(again, torn).records.count == records.count + 1)
            withExtendedLifetime(file) {}
        }
    }

    @Test func `whichever byte of the last record is wrong, the record is dropped`() throws {
        let records = (UInt8(1)...3).map { RecordFile.Record(kind: 2, body: [$0, 7, 8, 9]) }
        let bytes = records.flatMap(RecordFile.packed)
        let begin = bytes.count - RecordFile.packed(records[2]).count

        for position in begin..<bytes.count {
            var wrong = bytes
            wrong[position] ^= 0x40
            #expect(try RecordFile.parse(wrong, "x").records == Array(records.prefix(2)))
        }
    }

    @Test func `whichever byte in the middle is wrong, it is reported, and nothing is cut off`()
        throws
    {
        let records = (UInt8(1)...3).map { RecordFile.Record(kind: 2, body: [$0, 7, 8, 9]) }
        let bytes = records.flatMap(RecordFile.packed)
        let size = RecordFile.packed(records[0]).count
        let path = system.path("damaged")

        // Also in its length, which says where the next one begins.
        for position in size..<(2 * size) {
            var wrong = bytes
            wrong[position] ^= 0x40
            try Data(wrong).write(to: URL(filePath: path))

            #expect(throws: WorkingCopyError.damaged(path: path, offset: size)) {
                try RecordFile.open(at: path)
            }

            #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == wrong)
        }
    }

    @Test func `the checksum is that of zlib`() {
        #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
    }
}

/// A shift and a device for tests.
enum Device {
    static let shift = "0192e4a1-7b3c-7def-8123-456789abcdef"

    static let snapshot = ShiftSnapshot(
        shift: Shift(id: shift, site: "harbour", siteName: "Harbour"),
        lists: [ChecklistTemplate(id: "l", name: "Opening").packed()])

    static func id(_ number: UInt8) throws -> MessageID {
        try #require(MessageID(bytes: [UInt8](repeating: number, count: 16)))
    }

    @discardableResult
    static func note(_ number: UInt8, in copy: WorkingCopy) throws -> ShiftOperation {
        try copy.append(
            .note(NoteTask(list: "l", task: "t", text: "note \(number)")), id: id(number),
            deviceTime: Int64(number) * 1000)
    }
}
