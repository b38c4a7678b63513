import Messages

/// The first thing that is wrong with an archive.
package struct ArchiveFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Kind: Hashable, Sendable {
        /// A record is missing or stands in another place: this one came instead.
        case outOfOrder(found: UInt64)
        /// The record, or one before it, isn't what it was when its hash was made.
        case changed
        /// The record can't be read, or was written by other means than the service's.
        case unreadable
        /// The record says that it has another position.
        case otherPosition(UInt64)
        /// The list isn't the one that the shift began with.
        case otherList(name: String, version: UInt32)
        /// A list that the shift began with is missing.
        case missingList(name: String, version: UInt32)
        /// The shift isn't kept as its records say that it was.
        case otherShift(id: String)
        /// A shift that was begun is missing.
        case missingShift(id: String)
        /// The archive ends before the position that a signed head names.
        case cutOff(end: UInt64)
        /// The archive is another one than the signed head was made of.
        case otherHistory
        /// The head isn't signed by the archive's key.
        case headNotSigned
        /// The head is of another site.
        case otherSite(String)
    }

    /// The position of the first record that is concerned.
    package let sequence: UInt64
    /// What is wrong.
    package let kind: Kind

    /// What is wrong, for a person.
    package var description: String {
        switch kind {
        case .outOfOrder(let found):
            "record \(sequence) is missing or moved: record \(found) stands in its place"
        case .changed: "record \(sequence) was altered: its hash doesn't follow from it"
        case .unreadable: "record \(sequence) can't be read as the service writes it"
        case .otherPosition(let said): "record \(sequence) says that it is record \(said)"
        case .otherList(let name, let version):
            "record \(sequence) began a shift with version \(version) of the list `\(name)`, and "
                + "that version was altered"
        case .missingList(let name, let version):
            "record \(sequence) began a shift with version \(version) of the list `\(name)`, which "
                + "is missing"
        case .otherShift(let id):
            "record \(sequence) began the shift \(id), whose head or number of records was "
                + "altered"
        case .missingShift(let id):
            "record \(sequence) began the shift \(id), which is missing"
        case .cutOff(let end):
            "record \(sequence) is missing: the archive ends at \(end), and reached further once"
        case .otherHistory:
            "record \(sequence) isn't the one that the signed head was made of: the records up to "
                + "it were written anew"
        case .headNotSigned: "the head for record \(sequence) isn't signed by the archive's key"
        case .otherSite(let site): "the head for record \(sequence) is of the site \(site)"
        }
    }
}

/// Verifies the records of an archive one after the other, and names the first that was altered.
///
/// ```swift
/// var audit = try ArchiveAudit(site: site, heads: [kept])
/// for record in page.records { try audit.take(record) }
/// try audit.finish()
/// ```
package struct ArchiveAudit: Sendable {
    /// The position of the last record taken.
    package private(set) var sequence: UInt64
    /// The hash at that position.
    package private(set) var hash: [UInt8]
    /// The lists that shifts began with, each with the position of the record that says so.
    package private(set) var pinned: [(sequence: UInt64, list: PinnedList)] = []
    /// The shifts that were begun, as their records say that they are, each with the position of
    /// its first one and how many it has.
    package private(set) var shifts: [(sequence: UInt64, shift: Shift, records: Int)] = []
    private var places: [String: Int] = [:]
    private var heads: [UInt64: ArchiveHead] = [:]

    /// An audit of a site's archive from its beginning.
    ///
    /// - Parameters:
    ///   - site: the site's id.
    ///   - beginsAfter: the position behind which the archive begins, when its older part was
    ///     forgotten; 0 when it is whole.
    ///   - beginsWith: the hash at that position.
    ///   - heads: signed statements that were kept elsewhere. Without one it can't be seen that
    ///     records were cut off at the end, or that all were written anew.
    ///   - publicKey: the archive's key, when it was kept elsewhere; empty to believe the heads'.
    /// - Throws: when a head is not to be believed.
    package init(
        site: String, beginsAfter: UInt64 = 0, beginsWith: [UInt8] = [],
        heads: [ArchiveHead] = [], publicKey: [UInt8] = []
    ) throws(ArchiveFault) {
        sequence = beginsAfter
        hash = beginsAfter == 0 ? ArchiveChain.beginning(of: site) : beginsWith
        for head in heads {
            guard head.isSigned, publicKey.isEmpty || head.publicKey == publicKey else {
                throw ArchiveFault(sequence: head.sequence, kind: .headNotSigned)
            }
            guard head.site == site else {
                throw ArchiveFault(sequence: head.sequence, kind: .otherSite(head.site))
            }
            guard self.heads[head.sequence].map({ $0.hash == head.hash }) ?? true else {
                throw ArchiveFault(sequence: head.sequence, kind: .otherHistory)
            }
            self.heads[head.sequence] = head
        }
        try compareWithHead()
    }

    /// Takes the next record.
    ///
    /// - Returns: its operation.
    /// - Throws: what is wrong with it.
    @discardableResult
    package mutating func take(_ record: ArchiveRecord) throws(ArchiveFault) -> ShiftOperation {
        let wanted = sequence + 1
        guard record.sequence == wanted else {
            throw ArchiveFault(sequence: wanted, kind: .outOfOrder(found: record.sequence))
        }
        let expected = ArchiveChain.hash(after: hash, record.operation)
        guard record.hash == expected else {
            throw ArchiveFault(sequence: wanted, kind: .changed)
        }
        let operation: ShiftOperation
        do { operation = try ShiftOperation(unpacking: record.operation) } catch {
            throw ArchiveFault(sequence: wanted, kind: .unreadable)
        }
        guard operation.sequence == wanted else {
            throw ArchiveFault(sequence: wanted, kind: .otherPosition(operation.sequence))
        }
        follow(operation, at: wanted)
        (sequence, hash) = (wanted, expected)
        try compareWithHead()
        return operation
    }

    private mutating func follow(_ operation: ShiftOperation, at sequence: UInt64) {
        switch operation.change {
        case .begun(let begun):
            let shift = begun.shift ?? Shift()
            pinned += shift.lists.map { (sequence, $0) }
            places[operation.shift] = shifts.count
            shifts.append((sequence, shift, 1))
        case .ended:
            guard let place = places[operation.shift] else { return }
            shifts[place].shift.ended = operation.time
            shifts[place].records += 1
        default:
            if let place = places[operation.shift] { shifts[place].records += 1 }
        }
    }

    /// Verifies what is kept of the shifts besides their records.
    ///
    /// - Parameter kept: gives the shift of an id and how many records are found under it; nil when
    ///   it isn't there.
    /// - Throws: the first shift that is missing or was altered.
    package func checkShifts(
        _ kept: (String) throws -> (shift: Shift, records: Int)?
    ) throws {
        for (sequence, shift, records) in shifts {
            guard let kept = try kept(shift.id) else {
                throw ArchiveFault(sequence: sequence, kind: .missingShift(id: shift.id))
            }
            guard kept.shift == shift, kept.records == records else {
                throw ArchiveFault(sequence: sequence, kind: .otherShift(id: shift.id))
            }
        }
    }

    /// Verifies the lists that the shifts began with.
    ///
    /// - Parameter packed: gives the packed template of a pinned version; nil when it isn't there.
    /// - Throws: the first shift of which a list is missing or was altered.
    package func checkLists(_ packed: (PinnedList) -> [UInt8]?) throws(ArchiveFault) {
        for (sequence, list) in pinned {
            guard let template = packed(list) else {
                throw ArchiveFault(
                    sequence: sequence, kind: .missingList(name: list.name, version: list.version))
            }
            guard ArchiveChain.digest(template) == list.digest else {
                throw ArchiveFault(
                    sequence: sequence, kind: .otherList(name: list.name, version: list.version))
            }
        }
    }

    /// Ends the audit: every head must have been reached.
    ///
    /// - Throws: when the archive ends before the position that a head names.
    package func finish() throws(ArchiveFault) {
        guard let missing = heads.keys.filter({ $0 > sequence }).min() else { return }
        throw ArchiveFault(sequence: min(missing, sequence + 1), kind: .cutOff(end: sequence))
    }

    private func compareWithHead() throws(ArchiveFault) {
        guard let head = heads[sequence], head.hash != hash else { return }
        throw ArchiveFault(sequence: sequence, kind: .otherHistory)
    }
}
