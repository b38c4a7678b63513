import Bus
import Checksum
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Phones that tick while networks, services and the phones themselves fail. They run the pages'
/// scripts, with files in place of a browser's database. OFFLINE_HISTORIES=10000 makes a long run.
@Suite(.serialized, .waiting) struct OfflineHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["OFFLINE_HISTORIES"].flatMap { Int($0) } ?? 40
    private static let seed = environment["SEED"].flatMap { Int($0) } ?? 1
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../WebPages/offline.mjs").standardized.path
    /// The number of histories in one shift, because each phone folds what all of them did.
    private static let inShift = 100

    @Test func `what a phone has confirmed arrives once, whoever is killed`() throws {
        let lobby = try Lobby()
        let kari = try lobby.add("kari", .siteManager)
        try lobby.openShift()
        let cookie = try lobby.logIn("kari")
        let photo = lobby.system.path("photo.jpg")
        try Data(CameraPhoto.prepared()).write(to: URL(filePath: photo))
        var random = Seed(UInt64(Self.seed))
        var played = 0
        while played < Self.count {
            let histories = min(Self.inShift, Self.count - played)
            let folder = lobby.system.path("phones-\(played)")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            let words = [
                "/usr/bin/node", Self.script, "\(lobby.port)", cookie, kari, "Harbour", folder,
                photo, "\(Self.seed + played)", "\(histories)",
            ]
            let said = try play(words, lobby, &random)
            try compare(said, folder, lobby)
            played += histories
            guard played < Self.count else { break }
            try lobby.command("shift", "end", "--despite-open")
            try lobby.command("shift", "start", "day")
        }
    }

    /// Runs the phones to their end, while killing them and the services.
    ///
    /// - Returns: the ids of what they confirmed.
    private func play(
        _ words: [String], _ lobby: Lobby, _ random: inout Seed
    ) throws -> [String] {
        var runs: [Program] = []
        func run() throws -> Program {
            runs.append(
                try lobby.system.spawn(words, environment: lobby.system.environment()))
            return runs[runs.count - 1]
        }
        var phones = try run()
        while phones.isRunning {
            let wanted = confirmed(phones).count + Int.random(in: 0...12, using: &random)
            try eventually("they have gone on") {
                !phones.isRunning || confirmed(phones).count >= wanted
            }
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where phones.isRunning:
                phones.kill()
                phones = try run()
            case 1:
                lobby.killChecklists()
                try lobby.startChecklists()
            default: try lobby.restart()
            }
        }
        #expect(try phones.waitForEnd() == .exited(0), "\(phones.err.suffix(2000))")
        #expect(phones.out.hasSuffix("all was sent\n"))
        return runs.flatMap(confirmed)
    }

    /// The ids of what the phones have confirmed so far.
    private func confirmed(_ run: Program) -> [String] {
        run.out.split(separator: "\n").filter { $0.hasPrefix("kept ") }
            .map { String($0.dropFirst(5)) }
    }

    /// Compares what checklist-service has with what the phones made and confirmed.
    private func compare(_ said: [String], _ folder: String, _ lobby: Lobby) throws {
        let client = try lobby.system.client(of: .checklist)
        let site = ReadShift(site: "Harbour")
        let shift = try #require(try client.ask(site, for: ShiftSnapshot.self).shift)
        var recorded: [ShiftOperation] = []
        while true {
            let query = ReadOperations(shift: shift.id, after: recorded.last?.sequence ?? 0)
            let page = try client.ask(query, for: OperationPage.self)
            recorded += page.operations
            guard (recorded.last?.sequence ?? 0) < page.head, !page.operations.isEmpty else {
                break
            }
        }
        let ids = recorded.filter { $0.device.hasPrefix("web-") }
            .map { $0.id.map { String(format: "%02x", $0) }.joined() }
        for photo in recorded.flatMap(\.namedPhotos) {
            let query = ReadPhoto(shift: shift.id, checksum: photo.checksum)
            #expect(Checksum.of(try client.ask(query, for: PhotoFile.self).file) == photo.checksum)
        }
        #expect(!said.isEmpty)
        #expect(Set(ids).count == ids.count)
        #expect(Set(said).subtracting(ids) == [])
        let journals = try FileManager.default.contentsOfDirectory(atPath: folder).map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }.joined()
        #expect(ids.allSatisfy { journals.contains($0) })
        #expect(!journals.contains("\"kind\":\"refused\""))
    }
}

extension ShiftOperation {
    /// The photos that a phone's change refers to.
    fileprivate var namedPhotos: [Photo] {
        if case .addTodo(let todo) = change { todo.photos } else { [] }
    }
}
