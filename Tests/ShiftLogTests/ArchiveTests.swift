import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// No record of an archive can be changed without being detected.
struct ArchiveTests {
    let records: [ArchiveRecord]
    let key: ArchiveKey
    let head: ArchiveHead

    init() throws {
        var service = try Service()
        let begun = ShiftBegun(shift: service.state.shift)
        var operations = [
            ShiftOperation(shift: service.state.shift.id, sequence: 1, change: .begun(begun))
        ]
        for number in 0..<59 {
            let finding: Finding = number.isMultiple(of: 3) ? .notOk : .ok
            var operation = try service.take("a", .mark("grill", finding))
            operation.sequence = UInt64(number + 2)
            operations.append(operation)
        }
        records = Self.chain(operations)
        key = try #require(ArchiveKey(seed: [UInt8](repeating: 7, count: 32)))
        let last = try #require(records.last)
        head = key.signed(
            ArchiveHead(site: "site", sequence: last.sequence, hash: last.hash, time: 5))
    }

    static func chain(_ operations: [ShiftOperation]) -> [ArchiveRecord] {
        var hash = ArchiveChain.beginning(of: "site")
        return operations.map { operation in
            let packed = operation.packed()
            hash = ArchiveChain.hash(after: hash, packed)
            return ArchiveRecord(sequence: operation.sequence, operation: packed, hash: hash)
        }
    }

    private func audit(
        _ records: [ArchiveRecord], heads: [ArchiveHead], publicKey: [UInt8] = []
    ) throws(ArchiveFault) {
        var audit = try ArchiveAudit(site: "site", heads: heads, publicKey: publicKey)
        for record in records { try audit.verify(record) }
        try audit.finish()
    }

    @Test func `an untouched archive passes`() throws {
        #expect(throws: Never.self) {
            try audit(records, heads: [head], publicKey: key.publicKey)
        }
    }

    @Test(arguments: Seed.some(20))
    func `every changed byte, deletion, swap and cut is found and named`(
        seed: Seed
    ) throws {
        var seed = seed
        for _ in 0..<50 {
            var changed = records
            let place = seed.below(records.count - 1)
            switch seed.below(6) {
            case 0, 1:
                let byte = seed.below(changed[place].operation.count)
                changed[place].operation[byte] ^= UInt8(1 << seed.below(8))
            case 2: changed[place].hash[seed.below(32)] ^= UInt8(1 << seed.below(8))
            case 3: changed.remove(at: place)
            case 4: changed.swapAt(place, place + 1 + seed.below(records.count - place - 1))
            default: changed.removeLast(records.count - place)
            }
            let fault = #expect(throws: ArchiveFault.self) {
                try audit(changed, heads: [head])
            }
            #expect(fault?.sequence == UInt64(place + 1))
            #expect(fault?.description.contains("\(place + 1)") == true)
        }
    }

    @Test func `without a kept head a cut isn't noticed`() throws {
        #expect(throws: Never.self) { try audit(Array(records.prefix(30)), heads: []) }
    }

    @Test func `an archive that was rewritten from some record on is found by its head`() throws {
        var operations = try records.map { try ShiftOperation(unpacking: $0.operation) }
        operations[40].actorName = "someone else"
        let fault = #expect(throws: ArchiveFault.self) {
            try audit(Self.chain(operations), heads: [head])
        }
        #expect(fault?.kind == .otherHistory)
    }

    @Test func `a head that the archive's key has not signed is not believed`() throws {
        var forged = head
        forged.sequence -= 1
        let other = try #require(ArchiveKey(seed: [UInt8](repeating: 8, count: 32)))
        for head in [forged, other.signed(head)] {
            let fault = #expect(throws: ArchiveFault.self) {
                try audit(records, heads: [head], publicKey: key.publicKey)
            }
            #expect(fault?.kind == .headNotSigned)
        }
    }

    @Test func `an audit begins where the older part was deleted`() throws {
        var audit = try ArchiveAudit(
            site: "site", beginsAfter: 20, beginsWith: records[19].hash, heads: [head])
        for record in records.dropFirst(20) { try audit.verify(record) }
        try audit.finish()
        #expect(audit.sequence == 60)
    }

    /// A stored shift, and the operations that are found under it once an audit has reached a
    /// position.
    private func kept(
        _ shift: Shift, _ operations: [ShiftOperation], upTo reached: UInt64
    ) -> ArchiveAudit.KeptShift {
        var kept = ArchiveAudit.KeptShift(shift, upTo: reached)
        kept.add(operations)
        return kept
    }

    @Test func `the stored summary of a shift is compared with its records`() throws {
        var audit = try ArchiveAudit(site: "site")
        for record in records { try audit.verify(record) }
        let shift = try #require(audit.shifts.first).shift
        let operations = try records.map { try ShiftOperation(unpacking: $0.operation) }
        let whole = kept(shift, operations, upTo: audit.sequence)
        var other = shift
        other.managerName = "Someone else"

        #expect(throws: Never.self) {
            try audit.verifyShifts { $0 == shift.id ? whole : nil }
        }
        for altered in [
            kept(other, operations, upTo: audit.sequence),
            kept(shift, Array(operations.dropLast()), upTo: audit.sequence),
        ] {
            #expect(throws: ArchiveFault(sequence: 1, kind: .otherShift(id: shift.id))) {
                try audit.verifyShifts { _ in altered }
            }
        }
        #expect(throws: ArchiveFault(sequence: 1, kind: .missingShift(id: shift.id))) {
            try audit.verifyShifts { _ in nil }
        }
    }

    @Test func `what is recorded while an archive is verified doesn't look like an alteration`()
        throws
    {
        var audit = try ArchiveAudit(site: "site")
        for record in records.prefix(30) { try audit.verify(record) }
        let operations = try records.map { try ShiftOperation(unpacking: $0.operation) }
        let shift = try #require(audit.shifts.first).shift
        var ended = shift
        ended.ended = 7
        let end = ShiftOperation(sequence: 61, time: 7, change: .ended(ShiftDone()))

        let grown = kept(ended, operations + [end], upTo: audit.sequence)
        #expect(throws: Never.self) { try audit.verifyShifts { _ in grown } }

        // Nothing says that this one ended.
        let altered = kept(ended, operations, upTo: audit.sequence)
        #expect(throws: ArchiveFault(sequence: 1, kind: .otherShift(id: shift.id))) {
            try audit.verifyShifts { _ in altered }
        }
    }

    @Test func `what is found under a shift beyond the archive is an alteration`() throws {
        var audit = try ArchiveAudit(site: "site")
        for record in records.prefix(30) { try audit.verify(record) }
        let operations = try records.map { try ShiftOperation(unpacking: $0.operation) }
        let shift = try #require(audit.shifts.first).shift
        var foreign = try #require(operations.last)
        func search(_ found: [ShiftOperation]) throws {
            var rest = audit
            var later = try audit.verifyShifts { _ in
                kept(shift, found, upTo: audit.sequence)
            }
            for record in records.dropFirst(30) { try later.find(rest.verify(record)) }
            try later.finish()
        }

        #expect(throws: Never.self) { try search(operations) }
        // One beyond the end of the archive, and one more at the position of another.
        for position: UInt64 in [1_000, 60] {
            foreign.sequence = position
            #expect(throws: ArchiveFault(sequence: 1, kind: .otherShift(id: shift.id))) {
                try search(operations + [foreign])
            }
        }
    }

    @Test func `a list that was altered after a shift began is found`() throws {
        var audit = try ArchiveAudit(site: "site")
        for record in records { try audit.verify(record) }
        let lists = Dictionary(
            uniqueKeysWithValues: Restaurant.lists.map { ($0.id, $0) })
        #expect(throws: Never.self) { try audit.verifyLists { lists[$0.template]?.packed() } }

        let altered = #expect(throws: ArchiveFault.self) {
            try audit.verifyLists {
                var list = lists[$0.template]
                list?.sections[0].tasks[0].title += "!"
                return list?.packed()
            }
        }
        #expect(altered?.kind == .otherList(name: "Pre-shift", version: 1))
        let missing = #expect(throws: ArchiveFault.self) { try audit.verifyLists { _ in nil } }
        #expect(missing?.kind == .missingList(name: "Pre-shift", version: 1))
    }
}
