import Bus
import Checksum
import Foundation
import Messages
import Pictures
import TestSupport
import TestThreads
import Testing

/// Photos on their way to and from pages: who may send and see them, and in which form.
@Suite(.waiting) struct PhotoRouteTests {
    private let lobby: Lobby
    private let shift: String

    init() throws {
        lobby = try Lobby()
        try lobby.openShift()
        shift = try lobby.shift()
    }

    /// Sends a photo as the page does.
    private func send(
        _ file: [UInt8], _ cookie: String, _ account: String, kind: String = "image/jpeg",
        from site: String = "same-origin", to other: String? = nil
    ) throws -> Lobby.Answer {
        try lobby.send(
            "POST", "/photos/\(other ?? shift)",
            [
                "Cookie: \(cookie)", "Steward-Account: \(account)", "Content-Type: \(kind)",
                "Content-Length: \(file.count)", "Sec-Fetch-Site: \(site)",
            ], bytes: file)
    }

    private func address(_ file: [UInt8]) -> String {
        "/photos/\(shift)/\(Checksum.digits(Checksum.of(file)))"
    }

    @Test func `anyone with a role may see photos of the open shift, and a display sends none`()
        throws
    {
        let owner = try CameraPhoto.prepared(0)
        let client = try lobby.system.client(of: .checklist)
        _ = try client.ask(KeepPhoto(shift: shift, file: owner), for: Photo.self)
        let roles = [Role.display, .crew, .shiftManager, .siteManager, .administrator]
        for (number, role) in zip(UInt8(1)..., roles) {
            let kari = try lobby.add("kari\(number)", role)
            let cookie = try lobby.logIn("kari\(number)")
            let own = try CameraPhoto.prepared(number)
            let maySend = role != .display
            #expect(try send(own, cookie, kari).status == (maySend ? 200 : 403), "\(role)")
            let answer = try lobby.ask("GET", address(owner), cookie: cookie)
            #expect(answer.status == 200, "\(role)")
            #expect(answer.bytes == owner, "\(role)")
            let there = try lobby.ask("GET", address(own), cookie: cookie)
            #expect(there.status == (maySend ? 200 : 404), "\(role)")
        }
    }

    @Test func `a photo is sent as a picture and as nothing else`() throws {
        let kari = try lobby.add("kari", .crew)
        let cookie = try lobby.logIn("kari")
        let file = try CameraPhoto.prepared()
        #expect(try send(file, cookie, kari).status == 200)
        let answer = try lobby.ask("GET", address(file), cookie: cookie, ["Accept-Encoding: gzip"])
        #expect(answer.bytes == file)
        for (name, value) in [
            ("Content-Type", "image/jpeg"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "sandbox; default-src 'none'"),
            ("Cache-Control", "private, max-age=31536000, immutable"), ("Vary", "Cookie"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            #expect(answer.headers.contains { $0.name == name && $0.value == value }, "\(name)")
        }
        #expect(answer.header("Content-Encoding") == nil)
        let head = try lobby.ask("HEAD", address(file), cookie: cookie)
        #expect(head.status == 200 && head.bytes.isEmpty)

        #expect(try lobby.ask("POST", "/logout", cookie: cookie, form: "").status == 303)
        #expect(try lobby.ask("GET", address(file), cookie: cookie).status == 401)
    }

    @Test func `no one else sees a photo, and a name that isn't a photo's leads nowhere`() throws {
        let kari = try lobby.add("kari", .crew)
        let cookie = try lobby.logIn("kari")
        let file = try CameraPhoto.prepared()
        #expect(try send(file, cookie, kari).status == 200)
        #expect(try lobby.ask("GET", address(file)).status == 401)
        _ = try lobby.addElsewhere("ole", organisation: "Other")
        let other = try lobby.logIn("ole")
        #expect([403, 404].contains(try lobby.ask("GET", address(file), cookie: other).status))
        let digits = Checksum.digits(Checksum.of(file))
        for name in [
            String(repeating: "0", count: 64), digits.uppercased(), String(digits.dropLast()),
            digits + "0", "x", "..%2f..%2fetc", String(digits.dropLast()) + "%00",
        ] {
            let answer = try lobby.ask("GET", "/photos/\(shift)/\(name)", cookie: cookie)
            #expect([400, 404].contains(answer.status), "\(name): \(answer.status)")
        }
        let elsewhere = "/photos/01a20724-d52d-7112-ad88-3525653e35da/\(digits)"
        #expect(try lobby.ask("GET", elsewhere, cookie: cookie).status == 404)
    }

    @Test func `only a prepared photo of at most 512 KiB is accepted, from its person`() throws {
        let kari = try lobby.add("kari", .crew)
        let ole = try lobby.add("ole", .crew)
        let cookie = try lobby.logIn("kari")
        let file = try CameraPhoto.prepared()
        #expect(try send(file, cookie, ole).status == 401)
        #expect(try send(file, "steward=" + String(repeating: "ab", count: 32), kari).status == 401)
        #expect(try send(file, cookie, kari, from: "cross-site").status == 403)
        #expect(try send(file, cookie, kari, kind: "text/plain").status == 400)
        #expect(try send([UInt8](repeating: 1, count: 512 << 10 + 1), cookie, kari).status == 413)
        for bad in [
            [], Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), try CameraPhoto.upright(),
            file + [0], Array(file.dropLast()),
        ] {
            let answer = try send(bad, cookie, kari)
            #expect(answer.status == 400 && answer.body.contains("\"invalid\""), "\(answer.body)")
        }
        let nowhere = "01a20724-d52d-7112-ad88-3525653e35da"
        #expect(try send(file, cookie, kari, to: nowhere).status == 404)
        #expect(try lobby.system.query(.checklist, "SELECT count(*) FROM photoFile") == [["0"]])

        // Sending it twice is the same as sending it once.
        for _ in 0..<2 {
            let answer = try send(file, cookie, kari)
            #expect(answer.status == 200)
            #expect(answer.body.contains(Checksum.digits(Checksum.of(file))))
        }
        #expect(try lobby.system.query(.checklist, "SELECT count(*) FROM photoFile") == [["1"]])
    }

    @Test func `an operation whose photo has not come is refused with that reason`() throws {
        let kari = try lobby.add("kari", .crew)
        let cookie = try lobby.logIn("kari")
        let picture = try Picture(prepared: try CameraPhoto.prepared(), limits: .record)
        let photo = Photo(
            checksum: picture.checksum, size: UInt32(picture.bytes.count),
            width: UInt32(picture.width), height: UInt32(picture.height))
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()
        let todo = ShiftOperation(
            id: ids.next(at: now).bytes, shift: shift, device: "web-1", deviceSequence: 1,
            deviceTime: now,
            change: .addTodo(
                AddTodo(
                    title: "Glass", area: "kitchen", priority: "immediate", photos: [photo])))
        let body = String(
            decoding: try JSONEncoder().encode(
                RecordOperations(operations: [todo], deviceHead: 1)), as: UTF8.self)
        func record() throws -> Lobby.Answer {
            try lobby.ask(
                "POST", "/operations", cookie: cookie, form: body, kind: "application/json",
                ["Steward-Account: \(kari)"])
        }
        let refused = try record()
        #expect(refused.status == 409 && refused.body.contains("\"photo.missing\""))
        #expect(try send(picture.bytes, cookie, kari).status == 200)
        #expect(try record().status == 200)
        #expect(try lobby.operations(of: shift).last?.change == todo.change)
    }
}
