import Dates
import Messages
import Pictures
import RoutineDay
import ServiceRuntime

/// The pictures that people supply for their actions and routines. A picture is identified by its
/// content, so the same one is kept once.
enum OwnPictures {
    static var handlers: [MessageHandler] { [.query(read, .account)] }

    /// How long a picture that nothing shows is kept: 30 days in milliseconds, during which a
    /// deleted routine can be restored.
    private static let memory = RoutineHandling.memory
    private static let day: Int64 = 86_400_000

    static func read(_ query: ReadPicture, in transaction: Transaction) throws -> PersonalPicture {
        let person = try transaction.person(query.person, toChange: false).account
        guard
            let picture = try PersonalPicture.of(query.checksum, person, transaction.db)
        else { throw Refusal.notFound("there is no such picture; add it again") }
        return picture
    }

    /// Stores a person's picture and returns its checksum.
    ///
    /// - Throws: a `Refusal` if it was not prepared or has no licence, or there is no room for
    ///   more.
    static func keep(
        _ sent: PersonalPicture, of person: String, in transaction: Transaction
    ) throws -> [UInt8] {
        let picture: Picture
        do throws(PictureError) { picture = try Picture(prepared: sent.file) } catch {
            throw Refusal.invalid("\(error)")
        }
        let licence = sent.licence.tidied
        guard !licence.isEmpty else {
            throw Refusal.invalid(
                "say whose picture it is and how it may be used, such as “my own photo”")
        }
        try validateText(licence, "the licence of a picture", 1...500)
        let kept = PersonalPicture(
            checksum: picture.checksum, file: picture.bytes, licence: licence)
        // What can't be read may show any of them.
        _ = try transaction.sparingOthers("picture") { () -> Bool? in
            try forgetUnused(of: person, in: transaction)
            return true
        } putAside: { _ in
        }
        let isNew = try !PersonalPicture.isKept(kept.checksum, person, transaction.db)
        let count = try PersonalPicture.count(of: person, transaction.db)
        guard !isNew || count < RoutineLimits.pictures else {
            throw Refusal.conflict(
                "there are \(count) pictures already; one that nothing shows any more is forgotten "
                    + "after 30 days")
        }
        try kept.save(of: person, at: transaction.now, transaction.db)
        return kept.checksum
    }

    /// Refuses a picture that isn't kept; an empty checksum stands for none.
    static func require(
        _ checksum: [UInt8], of person: String, in transaction: Transaction
    ) throws {
        guard try checksum.isEmpty || PersonalPicture.isKept(checksum, person, transaction.db)
        else { throw Refusal.notFound("there is no such picture; add it again") }
    }

    /// Deletes the pictures that were added long ago and that nothing of the person shows.
    private static func forgetUnused(
        of person: String, in transaction: Transaction
    ) throws {
        let before = transaction.retentionTime - memory
        let old = try PersonalPicture.checksums(of: person, before: before, transaction.db)
        guard !old.isEmpty else { return }
        var used: Set<[UInt8]> = []
        let date = CivilDate(daysSince1970: Int(max(0, before) / day)).iso
        for own in try OwnAction.every(of: person, transaction.db) {
            used.insert(own.action?.picture ?? [])
        }
        for routine in try Routine.every(of: person, transaction.db) {
            used.formUnion(routine.actions.map(\.picture) + [routine.picture])
        }
        for one in try Day.every(of: person, from: date, until: "9999-12-31", transaction.db) {
            used.formUnion(one.items.map(\.picture))
            used.formUnion(one.places.compactMap { one[$0].action?.picture })
        }
        for checksum in old where !used.contains(checksum) {
            try PersonalPicture.delete(checksum, of: person, transaction.db)
        }
    }
}
