import Messages

/// The first fault found in an archive.
package struct ArchiveFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Kind: Hashable, Sendable {
        /// A record is missing or moved: this one is in its place.
        case outOfOrder(found: UInt64)
        /// The record, or an earlier one, was changed after its hash was made.
        case changed
        /// The record can't be read, or was not written by the service.
        case unreadable
        /// The record contains another position.
        case otherPosition(UInt64)
        /// The list is not the one that the shift began with.
        case otherList(name: String, version: UInt32)
        /// A list that the shift began with is missing.
        case missingList(name: String, version: UInt32)
        /// The stored shift differs from its records.
        case otherShift(id: String)
        /// A shift that its records begin is missing.
        case missingShift(id: String)
        /// A photo that the record names is missing.
        case missingPhoto(name: String)
        /// A photo that the record names was altered.
        case otherPhoto(name: String)
        /// The archive ends before the position in a signed head.
        case cutOff(end: UInt64)
        /// The archive is not the one that the signed head was made from.
        case otherHistory
        /// The head is not signed by the archive's key.
        case headNotSigned
        /// The head belongs to another site.
        case otherSite(String)
    }

    /// The position of the first record concerned.
    package let sequence: UInt64
    /// What is wrong.
    package let kind: Kind

    /// A sentence for a person.
    package var description: String {
        switch kind {
        case .outOfOrder(let found):
            "record \(sequence) is missing or moved: record \(found) stands in its place"
        case .changed: "record \(sequence) was altered: its hash doesn't follow from it"
        case .unreadable: "record \(sequence) can't be read as the service writes it"
        case .otherPosition(let said): "record \(sequence) says that it is record \(said)"
        case .otherList(let name, let version):
            "record \(sequence) began a shift with version \(version) of the list “\(name)”, and "
                + "that version was altered"
        case .missingList(let name, let version):
            "record \(sequence) began a shift with version \(version) of the list “\(name)”, which "
                + "is missing"
        case .otherShift(let id):
            "record \(sequence) began the shift \(id), whose head or number of records was "
                + "altered"
        case .missingShift(let id):
            "record \(sequence) began the shift \(id), which is missing"
        case .missingPhoto(let name): "record \(sequence) names the \(name), which is missing"
        case .otherPhoto(let name): "record \(sequence) names the \(name), which was altered"
        case .cutOff(let end):
            "record \(sequence) is missing: the archive ends at \(end), but once reached further"
        case .otherHistory:
            "record \(sequence) isn't the one that the signed head was made from: the records "
                + "up to it were rewritten"
        case .headNotSigned: "the head for record \(sequence) isn't signed by the archive's key"
        case .otherSite(let site): "the head for record \(sequence) is of the site \(site)"
        }
    }
}

/// Verifies the records of an archive one by one, and reports the first that was altered.
///
/// ```swift
/// var audit = try ArchiveAudit(site: site, heads: [kept])
/// for record in page.records { try audit.verify(record) }
/// try audit.finish()
/// ```
package struct ArchiveAudit: Sendable {
    /// The position of the last verified record.
    package private(set) var sequence: UInt64
    /// The hash at that position.
    package private(set) var hash: [UInt8]
    /// The lists that shifts began with, each with the position of the record that names it.
    package private(set) var pinned: [(sequence: UInt64, list: PinnedList)] = []
    /// The shifts according to their records, each with the position of its first record and the
    /// number of its records.
    package private(set) var shifts: [(sequence: UInt64, shift: Shift, records: Int)] = []
    /// The photos that operations name, each with the position of the record and its shift.
    package private(set) var photos: [(sequence: UInt64, shift: String, photo: Photo)] = []
    private var places: [String: Int] = [:]
    private var heads: [UInt64: ArchiveHead] = [:]

    /// Makes an audit of a site's archive from its beginning.
    ///
    /// - Parameters:
    ///   - site: the site's id.
    ///   - beginsAfter: the position after which the archive begins, when its older part was
    ///     deleted; 0 when it is complete.
    ///   - beginsWith: the hash at that position.
    ///   - heads: signed heads that were kept elsewhere. Without one it can't be detected that
    ///     records were cut off at the end, or that all were rewritten.
    ///   - publicKey: the archive's key, if it was kept elsewhere; empty to trust that of the
    ///     heads.
    /// - Throws: when a head can't be trusted.
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

    /// Verifies the next record.
    ///
    /// - Returns: its operation.
    /// - Throws: the fault of the record.
    @discardableResult
    package mutating func verify(_ record: ArchiveRecord) throws(ArchiveFault) -> ShiftOperation {
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
        photos += operation.photos.map { (sequence, operation.shift, $0) }
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

    /// A stored shift and the records under it. What was recorded since an audit has reached its
    /// position isn't compared with the shift, but has to be in the archive as well.
    package struct KeptShift: Hashable, Sendable {
        fileprivate private(set) var shift: Shift
        fileprivate private(set) var records = 0
        /// The positions of what was recorded since.
        fileprivate private(set) var later: [UInt64] = []
        private let reached: UInt64

        /// Begins without records.
        ///
        /// - Parameters:
        ///   - shift: the stored shift, read before its operations.
        ///   - reached: the position that the audit has reached.
        package init(_ shift: Shift, upTo reached: UInt64) {
            (self.shift, self.reached) = (shift, reached)
        }

        /// Adds operations that were found under the shift.
        package mutating func add(_ operations: [ShiftOperation]) {
            for operation in operations {
                if operation.sequence <= reached {
                    records += 1
                    continue
                }
                later.append(operation.sequence)
                if case .ended = operation.change { shift.ended = 0 }
            }
        }
    }

    /// What was found under shifts beyond the position that an audit has reached. It was recorded
    /// since if it is in the rest of the archive; if not, somebody else has put it there.
    package struct LaterRecords: Sendable {
        /// The shift of each position, with the position of the shift's first record.
        private var shifts: [UInt64: (begun: UInt64, id: String)] = [:]

        /// True when everything was found.
        package var isEmpty: Bool { shifts.isEmpty }

        fileprivate mutating func add(
            _ shift: (begun: UInt64, id: String), at position: UInt64
        ) throws(ArchiveFault) {
            guard shifts.updateValue(shift, forKey: position) == nil else {
                throw ArchiveFault(sequence: shift.begun, kind: .otherShift(id: shift.id))
            }
        }

        /// Takes the next operation of the archive.
        ///
        /// - Throws: when something else was found at its position.
        package mutating func find(_ operation: ShiftOperation) throws(ArchiveFault) {
            guard let shift = shifts.removeValue(forKey: operation.sequence) else { return }
            guard shift.id == operation.shift else {
                throw ArchiveFault(sequence: shift.begun, kind: .otherShift(id: shift.id))
            }
        }

        /// Ends the search at the end of the archive.
        ///
        /// - Throws: when something isn't in the archive.
        package func finish() throws(ArchiveFault) {
            guard let shift = shifts.min(by: { $0.key < $1.key })?.value else { return }
            throw ArchiveFault(sequence: shift.begun, kind: .otherShift(id: shift.id))
        }
    }

    /// Verifies the stored shifts against their records.
    ///
    /// - Parameter kept: returns the shift with an id; nil when it does not exist.
    /// - Returns: what has to be found in the rest of the archive.
    /// - Throws: the first shift that is missing or was altered.
    package func verifyShifts(
        _ kept: (String) throws -> KeptShift?
    ) throws -> LaterRecords {
        var later = LaterRecords()
        for (sequence, shift, records) in shifts {
            guard let kept = try kept(shift.id) else {
                throw ArchiveFault(sequence: sequence, kind: .missingShift(id: shift.id))
            }
            guard kept.shift == shift, kept.records == records else {
                throw ArchiveFault(sequence: sequence, kind: .otherShift(id: shift.id))
            }
            for position in kept.later { try later.add((sequence, shift.id), at: position) }
        }
        return later
    }

    /// Verifies the lists that the shifts began with.
    ///
    /// - Parameter packed: returns the packed template of a pinned version; nil when it does not
    ///   exist.
    /// - Throws: the first shift with a list that is missing or was altered.
    package func verifyLists(_ packed: (PinnedList) -> [UInt8]?) throws(ArchiveFault) {
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

    /// Verifies the photos that operations name.
    ///
    /// - Parameter size: returns the size of the file that is kept of a photo for a shift; nil when
    ///   there is none.
    /// - Throws: the first photo that is missing or was altered.
    package func verifyPhotos(
        _ size: (Photo, _ shift: String) throws -> UInt32?
    ) throws {
        for (sequence, shift, photo) in photos {
            guard let size = try size(photo, shift), size > 0 else {
                throw ArchiveFault(sequence: sequence, kind: .missingPhoto(name: photo.name))
            }
            guard size == photo.size else {
                throw ArchiveFault(sequence: sequence, kind: .otherPhoto(name: photo.name))
            }
        }
    }

    /// Ends the audit; every head must have been reached.
    ///
    /// - Throws: when the archive ends before the position of a head.
    package func finish() throws(ArchiveFault) {
        guard let missing = heads.keys.filter({ $0 > sequence }).min() else { return }
        throw ArchiveFault(sequence: min(missing, sequence + 1), kind: .cutOff(end: sequence))
    }

    private func compareWithHead() throws(ArchiveFault) {
        guard let head = heads[sequence], head.hash != hash else { return }
        throw ArchiveFault(sequence: sequence, kind: .otherHistory)
    }
}
