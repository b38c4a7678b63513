import Bus
import Messages
import Papers
import Pictures
import RoutineDay
import Speech

/// The pictures of a day, as its view shows them: those that people supplied, or else emoji in
/// colour.
final class DayPictures {
    private let read: ([UInt8]) throws -> PersonalPicture?
    private var own: [[UInt8]: Raster] = [:]
    private var emoji: [String: Raster?] = [:]

    /// Pictures are kept as large as a screen shows them.
    private static let edge = 240

    /// - Parameter read: returns a picture by its checksum; nil when it isn't available now.
    init(read: @escaping ([UInt8]) throws -> PersonalPicture?) { self.read = read }

    /// Fetches the pictures of a day that aren't here yet.
    ///
    /// - Throws: ``Failure`` and `ClientError` when the service can't be asked. A picture that is
    ///   gone, or can't be read, is left out.
    func fetch(for day: Day) throws {
        for checksum in day.pictures where own[checksum] == nil {
            guard let picture = try Self.picture(checksum, read) else { continue }
            do { own[checksum] = try picture.raster().reduced(to: Self.edge) } catch {}
        }
    }

    /// The picture with this checksum, or else of the emoji; nil for neither.
    func raster(_ checksum: [UInt8], _ emoji: String) -> Raster? {
        if let raster = own[checksum] { return raster }
        if let known = self.emoji[emoji] { return known }
        let raster = Raster.ofEmoji(emoji)
        self.emoji[emoji] = .some(raster)
        return raster
    }

    /// All pictures of a day, for paper.
    static func all(
        of day: Day, read: ([UInt8]) throws -> PersonalPicture?
    ) throws -> [[UInt8]: Picture] {
        var all: [[UInt8]: Picture] = [:]
        for checksum in day.pictures { all[checksum] = try picture(checksum, read) }
        return all
    }

    private static func picture(
        _ checksum: [UInt8], _ read: ([UInt8]) throws -> PersonalPicture?
    ) throws -> Picture? {
        do {
            guard let kept = try read(checksum) else { return nil }
            let picture = try Picture(prepared: kept.file)
            return picture.checksum == checksum ? picture : nil
        } catch is PictureError {
            return nil
        } catch ClientError.refused(let refusal) where refusal.code == .notFound {
            return nil
        }
    }
}

extension Day {
    /// The checksums of the pictures shown in the day.
    var pictures: Set<[UInt8]> {
        Set(items.map(\.picture) + places.compactMap { self[$0].action?.picture })
            .subtracting([[]])
    }

    /// The picture of an action: its own, else that of its routine when it has no emoji either.
    func picture(at place: Place) -> [UInt8] {
        guard let action = self[place].action else { return items[place.item].picture }
        return action.picture.isEmpty && action.emoji.isEmpty
            ? items[place.item].picture : action.picture
    }

    /// The emoji of an action, else of its routine; empty for neither.
    func emoji(at place: Place) -> String {
        let own = self[place].action?.emoji ?? ""
        return own.isEmpty ? items[place.item].emoji : own
    }
}
