import Checksum
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests of photos as answers and with to-dos, at the command line against the running services.
@Suite(.serialized, .waiting) struct ShiftPhotoTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../PicturesTests/Fixtures").standardized.path
    private static let list = """
        checklist: Evidence
        kind: during
        crew: tick
        sections:
          - section: Cold store
            area: kitchen
            tasks:
              - task: Delivery as it came
                id: delivery
                answer: photo
              - task: Dishwasher
                id: dishwasher
        """

    /// A restaurant with a shift that has such a list.
    private func restaurant() throws -> Restaurant {
        let restaurant = try Restaurant(at: "12:00")
        let path = restaurant.system.path("evidence.yaml")
        try Self.list.write(toFile: path, atomically: true, encoding: .utf8)
        try restaurant.run("template import '\(path)'")
        #expect(try restaurant.run("template show Evidence").contains("asks for a photo"))
        #expect(try restaurant.run("template export Evidence").contains("answer: photo"))
        try restaurant.run("shift start day")
        return restaurant
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// Saves the photos of a command in a fresh folder, and returns their files in order.
    private func saved(
        _ line: String, _ restaurant: Restaurant, device: String? = nil
    ) throws -> [[UInt8]] {
        let folder = restaurant.system.path("saved \(UUID())")
        return try restaurant.rows("\(line) -o '\(folder)'", device: device).map { row in
            let file = try bytes(try #require(row["path"] as? String))
            #expect(row["sha256"] as? String == Checksum.digits(Checksum.of(file)))
            return file
        }
    }

    private func answer(_ restaurant: Restaurant, device: String? = nil) throws -> String {
        let all = try restaurant.rows("checklist show Evidence", device: device)
        let task = all.first { $0["task"] as? String == "delivery" }
        return task?["answer"] as? String ?? ""
    }

    private func kept(_ restaurant: Restaurant) throws -> Int {
        try restaurant.system.query(.checklist, "SELECT checksum FROM photoFile").count
    }

    @Test
    func `a photo answer has no hidden data, and is in every form of the archive`()
        throws
    {
        let restaurant = try restaurant()
        let file = Self.fixtures + "/secret.jpg"
        #expect(Data(try bytes(file)).range(of: Data("SECRET".utf8)) != nil)
        let asked = try restaurant.say("checklist tick delivery")
        #expect(asked.end == .exited(1) && asked.err.contains("asks for a photo"), "\(asked.err)")
        let typed = try restaurant.say("checklist tick delivery --answer \(file)")
        #expect(typed.end == .exited(1) && typed.err.contains("--photo FILE"), "\(typed.err)")
        let said = try restaurant.run(
            "checklist tick delivery --photo \(file) --photo \(Self.fixtures)/rgb.png")
        #expect(said.contains("Delivery as it came: photo "), "\(said)")

        let photos = try saved("checklist photo delivery", restaurant)
        #expect(photos.count == 2 && photos[0].starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(photos[1].starts(with: [0x89, 0x50, 0x4E, 0x47]))
        for hidden in ["SECRET", "Exif"] {
            #expect(Data(photos[0]).range(of: Data(hidden.utf8)) == nil)
        }
        #expect(try saved("checklist photo delivery", restaurant, device: "tablet") == photos)
        try restaurant.run("shift end --despite-open")

        let id = try restaurant.endedShift()
        #expect(try restaurant.run("archive verify --photos").contains("is whole"))
        #expect(try saved("archive photos \(id)", restaurant) == photos)
        let digits = photos.map { Checksum.digits(Checksum.of($0)) }
        let record = try restaurant.run("archive export \(id) --json")
        for sum in digits { #expect(record.contains(sum)) }
        for form in ["", "--html", "--csv"] {
            let text = try restaurant.run("archive export \(id) \(form)")
            for sum in digits { #expect(text.contains("photo \(sum.prefix(12))"), "\(form)") }
        }
        #expect(try restaurant.run("archive show \(id)").contains("photo \(digits[0].prefix(12))"))
        let page = try restaurant.run("archive export \(id) --html")
        #expect(page.components(separatedBy: "<img ").count == 3)
        let path = restaurant.system.path("shift.pdf")
        try restaurant.run("archive export \(id) --pdf -o '\(path)'")
        #expect(Data(try bytes(path)).range(of: Data("/DCTDecode".utf8)) != nil)
    }

    @Test func `papers show photos that are on the device, and name others without a network`()
        throws
    {
        let restaurant = try restaurant()
        let add = "todo add 'Glass is cracked' --area kitchen --photo \(Self.fixtures)/secret.jpg"
        try restaurant.run(add)
        try restaurant.run("shift prepare", device: "tablet")
        restaurant.killService()
        let own = try restaurant.say("todo print --html")
        #expect(own.out.contains("<img "), "\(own.err)")
        let other = try restaurant.say("todo print --html", device: "tablet")
        #expect(other.end == .exited(0) && !other.out.contains("<img "))
        #expect(other.out.contains("Glass is cracked") && other.err.contains("only named"))
    }

    @Test func `an issue is reported with a photo, which stays with its to-do from shift to shift`()
        throws
    {
        let restaurant = try restaurant()
        try restaurant.run("site change Harbour --add-area kitchen")
        try restaurant.signUp("cleo", .crew, at: "Harbour", area: "kitchen")
        try restaurant.run(
            "todo add 'Glass is cracked' --area kitchen --photo \(Self.fixtures)/baseline.jpg",
            device: "cleo")
        let todo = try #require(try restaurant.rows("todo list").first)
        let number = try #require(todo["number"] as? Int)
        let sums = try #require(todo["photos"] as? [String])
        #expect(sums.count == 1 && sums[0].count == 64)
        let photos = try saved("todo photo \(number)", restaurant)
        #expect(photos.map { Checksum.digits(Checksum.of($0)) } == sums)
        #expect(try restaurant.run("todo list").contains("photo \(sums[0].prefix(12))"))
        #expect(try restaurant.run("todo print").contains("photo \(sums[0].prefix(12))"))
        try restaurant.run("shift end --despite-open")

        #expect(try saved("todo photo \(number)", restaurant) == photos)
        try restaurant.run(
            "todo add 'Between the shifts' --area kitchen --photo \(Self.fixtures)/rgb.png")
        #expect(try saved("todo photo 'Between the shifts'", restaurant).count == 1)
        try restaurant.run("shift start evening")
        #expect(try saved("todo photo \(number)", restaurant, device: "tablet") == photos)
        #expect(try saved("todo photo 'Between the shifts'", restaurant).count == 1)
        #expect(try kept(restaurant) == 2)
        #expect(try restaurant.run("archive verify --photos").contains("is whole"))
    }

    @Test func `a photo taken offline is sent once, whether the device or the service is killed`()
        throws
    {
        let restaurant = try restaurant()
        try restaurant.run("shift prepare", device: "tablet")
        var seed = Seed(16)
        let camera = try (0..<3).map { number in
            let path = restaurant.system.path("camera-\(number).jpg")
            try Data(try NoisePhoto.camera(&seed, width: 1_200, height: 900))
                .write(to: URL(filePath: path))
            return path
        }
        restaurant.killService()
        let first = try restaurant.say(
            "checklist tick delivery --photo \(camera[0])", device: "tablet")
        #expect(first.end == .exited(0) && first.err.contains("1 waiting"), "\(first.err)")
        try restaurant.run("todo add Dent --area kitchen --photo \(camera[1])", device: "tablet")
        let apart = try saved("checklist photo delivery", restaurant, device: "tablet")
        #expect(apart.count == 1 && apart[0].count <= 512 << 10)

        for round in 0..<8 {
            try restaurant.startService()
            let device = try restaurant.begin("shift status", device: "tablet")
            let moment = ContinuousClock.now + .milliseconds(20 * round)
            while ContinuousClock.now < moment {}
            if round % 2 == 0 { device.kill() }
            restaurant.killService()
            device.kill()
        }
        try restaurant.startService()
        #expect(try restaurant.answer("shift status", device: "tablet")["waiting"] as? Int == 0)
        #expect(try saved("checklist photo delivery", restaurant) == apart)
        #expect(try saved("todo photo Dent", restaurant).count == 1)
        #expect(try restaurant.rows("todo list").count == 1)
        #expect(try kept(restaurant) == 2)

        // The same photo again, and one more.
        try restaurant.run(
            "checklist tick delivery --photo \(camera[0]) --photo \(camera[2])", device: "tablet")
        #expect(try kept(restaurant) == 3)
        #expect(try saved("checklist photo delivery", restaurant).first == apart.first)
    }

    @Test func `a photo that can't be read now waits with its operation, and is sent later`() throws
    {
        let restaurant = try restaurant()
        try restaurant.run("shift prepare", device: "tablet")
        restaurant.killService()
        try restaurant.run(
            "checklist tick delivery --photo \(Self.fixtures)/rgb.png", device: "tablet")
        let root = restaurant.system.path("")
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }
        let name = try #require(files?.first { $0.contains(".photos/") })
        let path = root + "/" + name
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        // A folder in the file's place can be opened, but not read.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try restaurant.startService()

        let said = try restaurant.say("shift status", device: "tablet")
        #expect(said.end == .exited(0) && said.err.contains("1 waiting"), "\(said.err)")
        #expect(said.err.contains("can't be read"), "\(said.err)")
        #expect(try answer(restaurant) == "")

        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        #expect(try restaurant.answer("shift status", device: "tablet")["waiting"] as? Int == 0)
        #expect(try saved("checklist photo delivery", restaurant).count == 1)
        #expect(try kept(restaurant) == 1)
    }

    @Test func `what isn't a photo is refused by name with the fix, and changes nothing`() throws {
        let restaurant = try restaurant()
        let large = restaurant.system.path("large.jpg")
        try Data().write(to: URL(filePath: large))
        try FileHandle(forWritingTo: URL(filePath: large)).truncate(atOffset: 1 << 30)
        let text = restaurant.system.path("text.jpg")
        try "not a photo".write(toFile: text, atomically: true, encoding: .utf8)
        let whole = try bytes(Self.fixtures + "/baseline.jpg")
        let cut = restaurant.system.path("cut.jpg")
        try Data(whole.prefix(whole.count / 2)).write(to: URL(filePath: cut))
        let bomb = restaurant.system.path("bomb.jpg")
        var file = whole
        let frame = try #require(Data(file).range(of: Data([0xFF, 0xC0])))
        file.replaceSubrange(
            (frame.lowerBound + 5)..<(frame.lowerBound + 9), with: [0xFF, 0xDC, 0xFF, 0xDC])
        try Data(file).write(to: URL(filePath: bomb))
        let nowhere = restaurant.system.path("nowhere.jpg")
        for (path, reason) in [
            (large, "more than 20 MiB; save the picture smaller"),
            ("/dev/zero", "more than 20 MiB"), ("/dev/null", "the file is empty"),
            (text, "isn't a picture in PNG or JPEG; save"), (cut, "damaged or cut off"),
            (bomb, "at most 50 million are read; save it smaller"), (nowhere, "can't be read"),
        ] {
            for line in ["checklist tick delivery", "todo add Leak --area kitchen"] {
                let said = try restaurant.say("\(line) --photo \(path)")
                #expect(said.end != .exited(0) && said.err.contains(reason), "\(said.err)")
                #expect(said.err.contains(path), "\(said.err)")
            }
        }
        let rgb = "--photo \(Self.fixtures)/rgb.png"
        let twice = try restaurant.say("checklist tick delivery \(rgb) \(rgb)")
        #expect(twice.end == .exited(1) && twice.err.contains("give it once"), "\(twice.err)")
        let many = Array(repeating: rgb, count: 6).joined(separator: " ")
        #expect(try restaurant.say("checklist tick delivery \(many)").end == .exited(64))
        let other = try restaurant.say("checklist tick dishwasher \(rgb)")
        #expect(other.end == .exited(1) && other.err.contains("asks for no answer"))

        #expect(try answer(restaurant) == "")
        #expect(try restaurant.rows("todo list").isEmpty)
        #expect(try kept(restaurant) == 0)
    }
}
