import Bus
import Messages
import ShiftLog
import Speech

/// Verifies an archive by reading it and computing its chain.
package struct ArchiveVerification {
    /// The result if nothing is wrong.
    package struct Result: Encodable {
        /// The number of records verified.
        package let records: Int
        /// The position after which the archive begins.
        package let beginsAfter: UInt64
        /// The newest position.
        let head: UInt64
    }

    private let access: any ServiceAccess
    private let site: String
    private let heads: [ArchiveHead]
    private let withPhotos: Bool

    /// A verification of a site's archive against heads: statements of how far it reached.
    ///
    /// - Parameter withPhotos: true to read every photo, false only to ask whether it is there.
    package init(
        _ access: any ServiceAccess, site: String, heads: [ArchiveHead], withPhotos: Bool = false
    ) {
        (self.access, self.site, self.heads) = (access, site, heads)
        self.withPhotos = withPhotos
    }

    /// Verifies the archive from its beginning.
    ///
    /// - Throws: ``Failure`` that names the first record that was altered.
    package func run() throws -> Result {
        let client = try access.client(.checklist)
        var page = try client.ask(ReadArchive(site: site), for: ArchivePage.self)
        let begins = page.beginsAfter
        do {
            var audit = try ArchiveAudit(
                site: site, beginsAfter: begins, beginsWith: page.beginsWith, heads: heads)
            var count = 0
            while !page.records.isEmpty {
                for record in page.records { try audit.verify(record) }
                count += page.records.count
                page = try client.ask(
                    ReadArchive(site: site, after: audit.sequence), for: ArchivePage.self)
            }
            try audit.finish()
            let later = try audit.verifyShifts { try shift($0, upTo: audit.sequence, client) }
            try find(later, after: audit, client)
            try verifyLists(audit, client)
            try verifyPhotos(audit, client)
            return Result(records: count, beginsAfter: begins, head: audit.sequence)
        } catch let fault as ArchiveFault {
            throw Failure(
                .refused, "the archive was altered: \(fault.description)",
                advice: "keep the store as it is, and compare it with a backup")
        }
    }

    /// Finds in the archive what was recorded since it was read.
    private func find(
        _ later: ArchiveAudit.LaterRecords, after audit: ArchiveAudit, _ client: Client
    ) throws {
        var (later, audit) = (later, audit)
        while !later.isEmpty {
            let page = try client.ask(
                ReadArchive(site: site, after: audit.sequence), for: ArchivePage.self)
            guard !page.records.isEmpty else { break }
            for record in page.records { try later.find(audit.verify(record)) }
        }
        try later.finish()
    }

    /// A kept shift with its records, seen from the last one that was verified: others may be added
    /// meanwhile. Nil if there is none.
    private func shift(
        _ id: String, upTo end: UInt64, _ client: Client
    ) throws -> ArchiveAudit.KeptShift? {
        do {
            let shift = try client.ask(ReadShift(shift: id), for: ShiftSnapshot.self).shift
            var kept = ArchiveAudit.KeptShift(shift ?? Shift(), upTo: end)
            var after = UInt64(0)
            while let page = try nextPage(id, after, client) {
                kept.add(page)
                after = page.last?.sequence ?? after
            }
            return kept
        } catch ClientError.refused(let refusal) where refusal.code == .notFound {
            return nil
        }
    }

    private func nextPage(
        _ shift: String, _ after: UInt64, _ client: Client
    ) throws -> [ShiftOperation]? {
        let page = try client.ask(
            ReadOperations(shift: shift, after: after), for: OperationPage.self)
        return page.operations.isEmpty ? nil : page.operations
    }

    /// Verifies the photos, which are kept outside the chain; the chain has their checksums. Each
    /// must be there and have its size; with `withPhotos` each is read.
    private func verifyPhotos(_ audit: ArchiveAudit, _ client: Client) throws {
        var kept: [String: [[UInt8]: UInt32]] = [:]
        try audit.verifyPhotos { photo, shift in
            if kept[shift] == nil {
                let photos = try client.ask(ListPhotos(shift: shift), for: KeptPhotos.self).photos
                kept[shift] = Dictionary(
                    photos.map { ($0.checksum, $0.size) }, uniquingKeysWith: { first, _ in first })
            }
            guard withPhotos, let size = kept[shift]?[photo.checksum], size == photo.size else {
                return kept[shift]?[photo.checksum]
            }
            let file = try client.file(of: photo, shift: shift)
            // A file whose size isn't the photo's was altered.
            return ArchiveChain.digest(file) == photo.checksum ? size : size + 1
        }
    }

    /// Verifies the lists, which are kept outside the chain; the chain has their digests.
    private func verifyLists(_ audit: ArchiveAudit, _ client: Client) throws {
        var known: [PinnedList: [UInt8]] = [:]
        for list in Set(audit.pinned.map(\.list)) {
            do {
                known[list] = try client.ask(
                    ReadTemplate(template: list.template, version: list.version),
                    for: ChecklistTemplate.self
                ).packed()
            } catch ClientError.refused(let refusal) where refusal.code == .notFound {
                continue
            }
        }
        try audit.verifyLists { known[$0] }
    }
}
