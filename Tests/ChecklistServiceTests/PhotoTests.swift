import Foundation
import Messages
import Pictures
import ShiftLog
import TestSupport
import Testing

extension Processes {
    @Suite struct PhotoTests {
        private static let day: Int64 = 24 * 60

        /// A small picture of one colour, as a device sends it.
        private func file(_ red: UInt8) throws -> [UInt8] {
            let pixel: [UInt8] = [red, 20, 30, 255]
            let pixels = [[UInt8]](repeating: pixel, count: 256).flatMap(\.self)
            let raster = try #require(Raster(width: 16, height: 16, pixels: pixels))
            return try Picture(preparing: raster.png(), limits: .record).bytes
        }

        /// A restaurant with an open shift.
        private func open() throws -> (restaurant: Restaurant, shift: Shift) {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            return (restaurant, try #require(try restaurant.start().shift))
        }

        private func keep(
            _ file: [UInt8], in shift: Shift, _ restaurant: Restaurant
        ) throws -> Photo {
            try restaurant.ask(KeepPhoto(shift: shift.id, file: file), for: Photo.self)
        }

        private func refusal(
            _ message: some ProtobufMessage, _ restaurant: Restaurant
        ) throws -> Refusal {
            let answer = try restaurant.answer(to: message)
            return try Refusal(unpacking: answer.data)
        }

        private func count(_ restaurant: Restaurant) throws -> Int {
            try restaurant.system.query(.checklist, "SELECT id FROM photoFile").count
        }

        private func todo(_ photos: [Photo], _ title: String = "Leak") -> ShiftOperation.Change {
            .addTodo(
                AddTodo(title: title, area: "kitchen", priority: "immediate", photos: photos))
        }

        @Test func `an operation waits for its photo, and is refused only if the photo is lost`()
            throws
        {
            let (restaurant, shift) = try open()
            let device = Device("phone", in: shift.id)
            let known = try keep(try file(1), in: shift, restaurant)
            var unknown = known
            unknown.checksum = [UInt8](repeating: 7, count: 32)
            let first = device.record([device.make(todo([unknown]))])
            let missing = try refusal(first, restaurant)
            #expect(missing.isBecause(.photoMissing) && missing.subject == unknown.digits)
            var lost = first
            lost.lostPhotos = [unknown.checksum]
            let outcome = try restaurant.ask(lost, for: OperationsRecorded.self).outcomes.first
            #expect(outcome?.kind == .refused && outcome?.refusal.contains("give it again") == true)

            var larger = known
            larger.size += 1
            let sent = device.record([device.make(todo([larger])), device.make(todo([known]))])
            let outcomes = try restaurant.ask(sent, for: OperationsRecorded.self).outcomes
            #expect(outcomes.map(\.kind) == [.refused, .takenIn])
        }

        @Test func `only prepared photos of a sensible size are kept, each once`() throws {
            let (restaurant, shift) = try open()
            let whole = try file(1)
            for bad in [[], Array("photo".utf8), Array(whole.dropLast()), whole + [0]] {
                let said = try refusal(
                    KeepPhoto(shift: shift.id, file: bad), restaurant)
                #expect(said.code == .invalid, "\(said.message)")
            }
            #expect(try count(restaurant) == 0)
            let photo = try keep(whole, in: shift, restaurant)
            #expect(try keep(whole, in: shift, restaurant) == photo)
            #expect(photo.width == 16 && photo.height == 16 && Int(photo.size) == whole.count)
            #expect(try count(restaurant) == 1)
            let kept = try restaurant.ask(ListPhotos(shift: shift.id), for: KeptPhotos.self)
            #expect(kept.photos == [Photo(checksum: photo.checksum, size: photo.size)])
            let read = try restaurant.ask(
                ReadPhoto(shift: shift.id, checksum: photo.checksum), for: PhotoFile.self)
            #expect(read.file == whole)
            let other = try refusal(
                ReadPhoto(shift: shift.id, checksum: [UInt8](repeating: 1, count: 32)), restaurant)
            #expect(other.code == .notFound)
        }

        @Test func `a photo that nothing names is deleted: after a day, or with the archive`()
            throws
        {
            let (restaurant, shift) = try open()
            let device = Device("phone", in: shift.id)
            let named = try keep(try file(1), in: shift, restaurant)
            _ = try keep(try file(2), in: shift, restaurant)
            let done = try keep(try file(3), in: shift, restaurant)
            let sent = device.record([
                device.make(todo([named])), device.make(todo([done], "Ice")),
            ])
            let ice = try #require(
                try restaurant.ask(sent, for: OperationsRecorded.self).outcomes.last?.operation)
            let id = try #require(MessageID(bytes: ice.id)).description
            _ = try restaurant.ask(
                device.record([device.make(.markTodo(MarkTodo(todo: id, mark: .done)))]),
                for: OperationsRecorded.self)
            #expect(try count(restaurant) == 3)

            try restaurant.pass(minutes: 2 * Self.day)
            try restaurant.passDay()
            try eventually("photos that nothing refers to are gone") { try count(restaurant) == 2 }
            _ = try restaurant.ask(
                EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            // The archive is kept for 800 days.
            try restaurant.pass(minutes: 802 * Self.day)
            try restaurant.passDay()
            try eventually("only the photo of the open to-do is left") {
                try count(restaurant) == 1
            }
            #expect(try restaurant.start().shift != nil)
            let left = try restaurant.system.query(.checklist, "SELECT hex(checksum) FROM photo")
            #expect(Set(left) == [[named.digits.uppercased()]])
        }

        @Test func `photos that nothing names are limited at each site, for however many shifts`()
            throws
        {
            let (restaurant, shift) = try open()
            let first = try file(1)
            _ = try keep(first, in: shift, restaurant)
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 2000
                )
                INSERT INTO photo SELECT 'shift ' || n, checksum, site, added, 0
                FROM photo, number
                """)
            try restaurant.restart()
            let said = try refusal(KeepPhoto(shift: shift.id, file: try file(2)), restaurant)
            #expect(said.code == .conflict && said.message.contains("after a day"))
            #expect(try keep(first, in: shift, restaurant).width == 16)
        }

        @Test func `a shift has at most 2,000 photos, named ones included`() throws {
            #expect(Photo.mostInShift == 2_000)
            let (restaurant, shift) = try open()
            let first = try file(1)
            _ = try keep(first, in: shift, restaurant)
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 2000
                )
                INSERT INTO photoFile (checksum, width, height, file)
                SELECT CAST('photo ' || n AS BLOB), width, height, file FROM photoFile, number;
                WITH RECURSIVE number (n) AS (
                    SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 2000
                )
                INSERT INTO photo (holder, checksum, site, added, state)
                SELECT holder, CAST('photo ' || n AS BLOB), site, added, 1 FROM photo, number
                """)
            try restaurant.restart()
            let said = try refusal(KeepPhoto(shift: shift.id, file: try file(2)), restaurant)
            #expect(said.isBecause(.photoLimit), "\(said.message)")
            #expect(try keep(first, in: shift, restaurant).width == 16)
        }

        @Test func `a photo that is missing from the store is named by the archive's audit`() throws
        {
            let (restaurant, shift) = try open()
            let device = Device("phone", in: shift.id)
            let photo = try keep(try file(1), in: shift, restaurant)
            _ = try restaurant.ask(
                device.record([device.make(todo([photo]))]), for: OperationsRecorded.self)
            #expect(try fault(restaurant) == nil)

            try replace(with: "x", restaurant)
            #expect(try fault(restaurant)?.kind == .otherPhoto(name: photo.name))

            try replace(with: "", restaurant)
            let kept = try restaurant.ask(ListPhotos(shift: shift.id), for: KeptPhotos.self)
            #expect(kept.photos == [Photo(checksum: photo.checksum)])
            let missing = try #require(try fault(restaurant))
            #expect(missing.kind == .missingPhoto(name: photo.name))
            #expect(missing.description.hasSuffix("names the \(photo.name), which is missing"))
        }

        /// Replaces the files of all photos while the service is off.
        private func replace(with text: String, _ restaurant: Restaurant) throws {
            restaurant.kill()
            try restaurant.system.edit(
                .checklist, "UPDATE photoFile SET file = CAST('\(text)' AS BLOB)")
            try restaurant.restart()
        }

        /// The fault that an audit of the archive finds in the photos; nil when there is none.
        private func fault(_ restaurant: Restaurant) throws -> ArchiveFault? {
            let audit = try restaurant.audited(heads: [restaurant.head()])
            #expect(audit.photos.count == 1)
            do {
                try audit.verifyPhotos { photo, shift in
                    let kept = try restaurant.ask(ListPhotos(shift: shift), for: KeptPhotos.self)
                    return kept.photos.first { $0.checksum == photo.checksum }?.size
                }
                return nil
            } catch let fault as ArchiveFault { return fault }
        }
    }
}
