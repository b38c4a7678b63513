import Bus
import Messages
import ShiftLog
import Speech
import WorkingCopy

/// A photo that an operation may name.
package struct PreparedPhoto {
    /// The photo as the operation describes it.
    package let photo: Photo
    /// Its file, prepared so that it contains only what is visible.
    package let file: [UInt8]

    /// A photo and its file.
    package init(_ photo: Photo, _ file: [UInt8]) { (self.photo, self.file) = (photo, file) }
}

/// The photos of a device's operations on their way to the service.
struct PhotoDispatch {
    /// The photos that the service has answered about since it was reached, by checksum.
    private var answered: Set<[UInt8]> = []
    /// The photos that can't be sent: this device doesn't have them, or the service refused them.
    private(set) var lost: Set<[UInt8]> = []

    /// The photo that has to be sent before the operations; nil when there is none.
    ///
    /// - Throws: a `WorkingCopyError` when one can't be read now. It isn't lost: an operation that
    ///   is sent with a lost photo is refused for good.
    mutating func next(
        for operations: [ShiftOperation], _ copy: WorkingCopy
    ) throws(WorkingCopyError) -> (checksum: [UInt8], file: [UInt8])? {
        for photo in operations.flatMap(\.photos)
        where !answered.contains(photo.checksum) && !lost.contains(photo.checksum) {
            if let file = try copy.photo(named: photo.digits) { return (photo.checksum, file) }
            lost.insert(photo.checksum)
        }
        return nil
    }

    /// Notes that the service keeps a photo.
    mutating func note(kept checksum: [UInt8]) { answered.insert(checksum) }

    /// Notes that the service will never keep a photo.
    mutating func note(refused checksum: [UInt8]) { lost.insert(checksum) }

    /// Forgets what the service keeps, because an older backup may have been restored.
    mutating func startOver() { answered = [] }

    /// The lost photos among those of some operations.
    func lost(among operations: [ShiftOperation]) -> [[UInt8]] {
        Set(operations.flatMap(\.photos).map(\.checksum)).intersection(lost).sorted {
            $0.lexicographicallyPrecedes($1)
        }
    }
}

extension ShiftDesk {
    /// The file of a photo that the shift names: from this device, or else from the service.
    ///
    /// - Throws: ``Failure``, ``ClientError``, ``WorkingCopyError``.
    package func file(of photo: Photo) throws -> [UInt8] {
        if let file = try copy.photo(named: photo.digits) { return file }
        return try courier.client.file(of: photo, shift: copy.shift.id)
    }
}

extension Client {
    /// The file of a photo from the service.
    ///
    /// - Parameters:
    ///   - photo: the photo.
    ///   - shift: the id of the shift; empty for a to-do while none is open.
    ///   - site: the site, if no shift is named.
    package func file(of photo: Photo, shift: String, site: String = "") throws -> [UInt8] {
        try ask(
            ReadPhoto(shift: shift, site: site, checksum: photo.checksum), for: PhotoFile.self
        ).file
    }
}
