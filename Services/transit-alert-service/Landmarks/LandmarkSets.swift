import Foundation
import Messages
import ServiceRuntime

/// The sets of landmarks of an installation: imports them in parts, replaces them atomically, and
/// removes them.
enum Landmarks {
    /// The maximum number of sets, and of landmarks in a set: all that OpenStreetMap knows of a
    /// large city.
    static let mostSets = 20
    static let most = 200_000
    /// The maximum number of landmarks in one command.
    static let mostOfPart = 1_000
    /// The maximum number of types in a set.
    static let mostTypes = 100

    /// Everyone may see which sets there are; changing them is for the owner, as with timetables.
    static var handlers: [MessageHandler] {
        [.command(put, .owner), .command(remove, .owner), .query(list, .account)]
    }

    static func put(_ command: PutLandmarks, in transaction: Transaction) throws -> LandmarkSet {
        try validate(command)
        let sets = try LandmarkSet.all(transaction.db)
        guard sets.count < mostSets || sets.contains(where: { $0.name == command.set }) else {
            throw Refusal.conflict(
                "there are \(sets.count) sets of landmarks, and at most \(mostSets) are kept; "
                    + "remove one first")
        }
        var incoming = try IncomingLandmarks.of(
            command.set, id: command.importId, part: command.part, transaction.db)
        try incoming.add(command.landmarks, transaction.db)
        guard incoming.count <= most else {
            throw Refusal.invalid(
                "a set has at most \(most) landmarks; leave out types that nobody wants to hear "
                    + "about")
        }
        guard command.last else {
            try GoneLandmarks.rows.sweep(in: transaction)
            return LandmarkSet(name: command.set, landmarks: incoming.count)
        }
        let set = try incoming.finish(at: transaction.now, transaction.db)
        guard set.types.count <= mostTypes else {
            throw Refusal.invalid("a set has at most \(mostTypes) types of landmarks")
        }
        try GoneLandmarks.rows.sweep(in: transaction)
        transaction.afterCommit { LandmarkShelf.shared.forget() }
        return set
    }

    private static func validate(_ command: PutLandmarks) throws {
        try validateName(command.set, of: "a set")
        guard command.landmarks.count <= mostOfPart, !command.landmarks.isEmpty else {
            throw Refusal.invalid(
                "\(command.landmarks.count) landmarks; send 1 to \(mostOfPart) at a time")
        }
        guard !command.importId.isEmpty || (command.part == 0 && command.last) else {
            throw Refusal.invalid("an import in several parts needs an import_id")
        }
        for (index, landmark) in command.landmarks.enumerated() {
            guard let problem = problem(of: landmark) else { continue }
            throw Refusal.invalid("landmark \(index + 1) of part \(command.part): \(problem)")
        }
    }

    private static func problem(of landmark: Landmark) -> String? {
        guard !landmark.name.isEmpty else { return "it has no name" }
        guard LandmarkTypes.isName(landmark.type), landmark.type != LandmarkTypes.all else {
            return "“\(landmark.type)” isn't a type; write it in lowercase letters, digits and -"
        }
        guard
            landmark.link.isEmpty || landmark.link.hasPrefix("https://")
                || landmark.link.hasPrefix("http://")
        else { return "its link isn't an http or https address" }
        guard abs(Int(landmark.place.latitudeE7)) <= 900_000_000,
            abs(Int(landmark.place.longitudeE7)) <= 1_800_000_000
        else { return "its place is not on earth" }
        return nil
    }

    static func list(_: ListLandmarks, in transaction: Transaction) throws -> LandmarkSets {
        LandmarkSets(sets: try LandmarkSet.all(transaction.db))
    }

    static func remove(
        _ command: RemoveLandmarks, in transaction: Transaction
    ) throws -> LandmarkSets {
        guard try LandmarkSet.delete(command.set, transaction.db) else {
            let known = try LandmarkSet.all(transaction.db).map(\.name)
            throw Refusal.notFound(
                "there are no landmarks “\(command.set)”"
                    + (known.isEmpty
                        ? "" : "; the known ones are \(known.joined(separator: ", "))"))
        }
        try GoneLandmarks.rows.sweep(in: transaction)
        transaction.afterCommit { LandmarkShelf.shared.forget() }
        return try list(ListLandmarks(), in: transaction)
    }
}

extension LandmarkTypes {
    /// The word that means every type.
    static let all = "all"

    /// Whether a text can be the name of a type.
    static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// The types in their stored form: sorted, or `all` alone.
    ///
    /// - Throws: a `Refusal` when one isn't a valid name.
    func kept() throws(Refusal) -> [String] {
        for type in types where !Self.isName(type) {
            throw .invalid("“\(type)” isn't a type of landmarks; write it in lowercase letters")
        }
        return types.contains(Self.all) ? [Self.all] : types.sorted()
    }
}
