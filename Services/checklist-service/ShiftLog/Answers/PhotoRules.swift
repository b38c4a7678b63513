import Checksum
import Messages

extension Photo {
    /// The maximum number of photos in an answer, and with a to-do.
    package static let mostTogether = 5
    /// The maximum number of photos that people may take in a shift, and between two shifts.
    package static let mostInShift = 2_000
    /// The maximum size of a file, in bytes.
    package static let mostBytes: UInt32 = 512 << 10
    /// The maximum longer side, in pixels.
    package static let longestSide: UInt32 = 1_600

    /// Its name for people, and the beginning of its checksum: `photo 9f86d081884c`.
    package var name: String { "photo " + digits.prefix(12) }

    /// The SHA-256 of its file in hexadecimal digits.
    package var digits: String { Checksum.digits(checksum) }

    /// Refuses too many photos, the same one twice, and one that was not prepared.
    static func validate(_ photos: [Photo], _ name: String) throws(Refusal) {
        guard photos.count <= mostTogether else {
            throw Refusal.invalid(
                "\(name): \(photos.count) photos; at most \(mostTogether) go together"
            ).because(.photoTogether)
        }
        guard Set(photos.map(\.checksum)).count == photos.count else {
            throw Refusal.invalid("\(name): the same photo is there twice; give it once")
                .because(.photoTwice)
        }
        for photo in photos {
            guard photo.checksum.count == 32, 1...mostBytes ~= photo.size,
                1...longestSide ~= photo.width, 1...longestSide ~= photo.height
            else {
                throw Refusal.invalid("\(name): the photo was not prepared; add it again")
                    .because(.photoWrong)
            }
        }
    }
}

extension ShiftState {
    /// The photos that its operations name, each once, in that order.
    package var photos: [Photo] {
        var known: Set<Photo> = []
        return (log + appendix).flatMap(\.photos).filter { known.insert($0).inserted }
    }
}

extension ShiftOperation {
    /// The photos that it names, of answers and of to-dos.
    package var photos: [Photo] {
        switch change {
        case .mark(let mark): mark.answer?.photos ?? []
        case .addTodo(let todo): todo.photos
        case .begun(let begun): begun.todos.flatMap(\.photos)
        case .carry(let carry): carry.todo.photos
        default: []
        }
    }
}

extension Answer {
    /// The photos of the answer; none for any other.
    package var photos: [Photo] {
        if case .photos(let photos) = value { photos.photos } else { [] }
    }
}

extension CarriedTodo {
    /// The photos that show what to do.
    package var photos: [Photo] { content.photos }
}
