import Checksum
import Messages
import Pictures
import ServiceRuntime
import ShiftLog

/// The photos of answers and to-dos: sent before they are named, read, and deleted when nothing
/// names them any longer.
enum PhotoHandling {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .role(minimum: .crew, at: .site)),
            .query(read, .role(minimum: .display, at: .site)),
            .query(list, .role(minimum: .display, at: .site)),
        ]
    }

    /// How long a photo that nothing names is kept: a day in milliseconds.
    static let memory: Int64 = 24 * 3600 * 1000

    static func keep(_ command: KeepPhoto, in transaction: Transaction) throws -> Photo {
        let (holder, site) = try place(command, in: transaction)
        let picture: Picture
        do throws(PictureError) {
            picture = try Picture(prepared: command.file, limits: .record)
        } catch { throw Refusal.invalid("\(error)").because(.photoWrong) }
        let db = transaction.db
        if try PhotoStore.photo(picture.checksum, of: holder, db) == nil {
            guard try PhotoStore.count(sentFor: holder, db) < Photo.mostInShift else {
                throw Refusal.conflict(
                    "there are \(Photo.mostInShift) photos already, as many as a shift may have"
                ).because(.photoLimit, ["most": "\(Photo.mostInShift)"])
            }
            // A limit for each shift isn't enough, because photos can be sent for many shifts.
            guard try PhotoStore.count(unnamedAt: site, db) < Photo.mostInShift else {
                throw Refusal.conflict(
                    "there are \(Photo.mostInShift) photos that nothing names; they are deleted "
                        + "after a day"
                ).because(.photoUnnamed, ["most": "\(Photo.mostInShift)"])
            }
        }
        try PhotoStore.keep(picture, for: holder, at: site, time: transaction.now, db)
        return Photo(
            checksum: picture.checksum, size: UInt32(clamping: picture.bytes.count),
            width: UInt32(clamping: picture.width), height: UInt32(clamping: picture.height))
    }

    /// The holder of the photo from now on: a shift, or a site while none is open.
    private static func place(
        _ command: KeepPhoto, in transaction: Transaction
    ) throws -> (holder: String, site: String) {
        guard command.shift.isEmpty else {
            let shift = try transaction.shift(command.shift, at: "").shift
            guard transaction.holdsSomeArea(.crew, at: shift.site) else {
                throw Refusal.noRoleAtSite
            }
            return (shift.id, shift.site)
        }
        let site = try transaction.site(command.site, for: .shiftManager).site.id
        return (site, site)
    }

    static func read(_ query: ReadPhoto, in transaction: Transaction) throws -> PhotoFile {
        let holder: String
        if query.shift.isEmpty {
            holder = try transaction.site(query.site, forAnyArea: .crew).site.id
        } else {
            let row = try transaction.shift(query.shift, at: "")
            try row.requireReader(in: transaction)
            holder = row.shift.id
        }
        guard let file = try PhotoStore.file(query.checksum, of: holder, transaction.db) else {
            throw Refusal.notFound("there is no such photo")
        }
        return PhotoFile(file: file)
    }

    static func list(_ query: ListPhotos, in transaction: Transaction) throws -> KeptPhotos {
        let row = try transaction.shift(query.shift, at: "")
        try row.requireReader(in: transaction)
        return KeptPhotos(photos: try PhotoStore.all(of: row.shift.id, transaction.db))
    }

    /// Refuses the whole command if a photo isn't kept, so that no operation is refused for good.
    /// An operation whose device has lost a photo is refused individually.
    static func require(
        _ command: RecordOperations, in shift: String, _ transaction: Transaction
    ) throws {
        let lost = Set(command.lostPhotos)
        // An operation with more photos than allowed is refused for good, elsewhere.
        for operation in command.operations where operation.photos.count <= Photo.mostTogether {
            for photo in operation.photos where !lost.contains(photo.checksum) {
                guard try PhotoStore.photo(photo.checksum, of: shift, transaction.db) == nil,
                    try KnownOperation.of(operation.id, transaction.db) == nil
                else { continue }
                throw Refusal.missingPhoto(photo)
            }
        }
    }

    /// Deletes some of the photos that nothing names any more.
    ///
    /// - Returns: false when there may be more to delete.
    static func forget(in transaction: Transaction) throws -> Bool {
        let count = try PhotoStore.forgetUnneeded(
            sentBefore: transaction.retentionTime - memory, transaction.db)
        if count > 0 { transaction.erase() }
        return count < PhotoStore.mostForgotten
    }
}

extension ShiftOperation {
    /// Refuses photos that aren't kept, or aren't what the operation says.
    func requirePhotos(_ transaction: Transaction) throws {
        for photo in photos
        where try PhotoStore.photo(photo.checksum, of: shift, transaction.db) != photo {
            throw Refusal.conflict("the \(photo.name) did not come with it; give it again")
                .because(.photoLost)
        }
    }
}

extension AddTodo {
    /// The same for a to-do that is added while no shift is open.
    func requirePhotos(at site: String, _ transaction: Transaction) throws {
        for photo in photos
        where try PhotoStore.photo(photo.checksum, of: site, transaction.db) != photo {
            throw Refusal.missingPhoto(photo)
        }
    }
}

extension Refusal {
    /// A photo has to be sent first.
    fileprivate static func missingPhoto(_ photo: Photo) -> Refusal {
        .conflict("the \(photo.name) has to be sent first")
            .because(.photoMissing, of: photo.digits)
    }
}
