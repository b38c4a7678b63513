import Bus
import Checksum
import Messages
import Pictures
import ShiftClient
import ShiftLog
import ShiftPapers
import Speech
import Terminal

extension PaperOptions {
    /// The most photos that papers show: five pages.
    private static let mostPhotos = 60

    /// The photos that papers show, in the size of paper; none if the paper is text. Those that
    /// can't be read are only named.
    ///
    /// - Parameters:
    ///   - photos: those that the papers name.
    ///   - printer: says what is missing, and how to get it.
    ///   - read: the file of a photo.
    func pictures(
        of photos: [Photo], _ printer: Printer, read: (Photo) throws -> [UInt8]
    ) throws -> PaperPhotos {
        guard html || pdf else { return [:] }
        var pictures: PaperPhotos = [:]
        var known: Set<[UInt8]> = []
        let photos = photos.filter { known.insert($0.checksum).inserted }
        for photo in photos.prefix(Self.mostPhotos) {
            do {
                pictures[photo.checksum] = try Self.picture(photo, try read(photo))
            } catch ClientError.refused(let refusal) {
                printer.remark("the \(photo.name) is only named: \(refusal.message.printable)")
            } catch let error as PictureError {
                printer.remark("the \(photo.name) is only named: \(error)")
            } catch {
                // Don't ask for the others: each would take just as long.
                guard let failure = Failure(error), failure.isUnreachable else { throw error }
                printer.remark("photos are only named: \(failure.sentence)")
                break
            }
        }
        if photos.count > Self.mostPhotos {
            printer.remark(
                "\(Self.mostPhotos) of \(photos.count) photos are shown; steward archive photos "
                    + "saves all of them")
        }
        return pictures
    }

    private static func picture(_ photo: Photo, _ file: [UInt8]) throws -> Picture {
        guard Checksum.of(file) == photo.checksum else {
            throw PictureError.damaged(reason: "it isn't what its shift names")
        }
        // A document has a JPEG as it is, and the pixels of a PNG.
        return try Picture(preparing: file, limits: .paper, preferring: .jpeg)
    }
}
