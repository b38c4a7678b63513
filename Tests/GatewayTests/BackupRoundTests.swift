import Bus
import Foundation
import Messages
import Speech
import Testing

@testable import Gateway

/// The order in which services are copied, and which copies don't belong together.
struct BackupRoundTests {
    private func status(_ service: ServiceName, follows: ServiceName...) -> ServiceStatus {
        ServiceStatus(
            service: service.rawValue,
            cursors: follows.map { ServiceStatus.Cursor(producer: $0.rawValue) })
    }

    @Test func `followers are copied before the services they follow`() {
        let order = BackupRound.order([
            status(.account), status(.transitAlert, follows: .account),
            status(.notifier, follows: .account, .transitAlert),
        ])

        #expect(
            order.filter { [.account, .transitAlert, .notifier].contains($0) }
                == [.notifier, .transitAlert, .account])
        #expect(Set(order) == Set(ServiceName.allCases))
    }

    @Test func `services that follow each other are copied all the same`() {
        let order = BackupRound.order([
            status(.account, follows: .notifier), status(.transitAlert, follows: .notifier),
            status(.notifier, follows: .account, .transitAlert),
        ])

        #expect(Set(order) == Set(ServiceName.allCases))
    }

    @Test func `a producer is behind if a follower has seen more of its events`() {
        let producer = Backup(service: "account-service", epoch: 5, head: 10)
        let follower = { (epoch: UInt64, sequence: UInt64) in
            Backup(
                service: "notifier",
                cursors: [
                    Backup.Position(
                        producer: "account-service", epoch: epoch, sequence: sequence)
                ])
        }

        #expect(BackupRound.behind([producer, follower(5, 10)]) == [])
        #expect(BackupRound.behind([producer, follower(5, 11)]) == [.account])
        #expect(BackupRound.behind([producer, follower(4, 11)]) == [])
    }
}

/// The directories of backups that are made at the same time, or never finished.
@Suite final class BackupFolderTests {
    private let place: URL
    private let shelf: BackupShelf

    init() throws {
        place = FileManager.default.temporaryDirectory.appending(path: "backups-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        shelf = BackupShelf(path: place.path)
    }

    deinit {
        do { try FileManager.default.removeItem(at: place) } catch { print(error) }
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `what interrupted backups left is deleted before there is a new one`() throws {
        let left = shelf.directory(at: 0) + ".part"
        try FileManager.default.createDirectory(
            atPath: left + "/notifier", withIntermediateDirectories: true)

        let (file, link) = (
            shelf.directory(at: 1000) + ".part", shelf.directory(at: 2000) + ".part"
        )
        try Data().write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)

        try shelf.clear()

        #expect(!isThere(left))
        // No backup is made in these.
        #expect(isThere(file) && isThere(link))
        try BackupShelf(path: place.path + "/none").clear()
    }

    @Test func `a backup that is being made is left alone by all others`() throws {
        let target = shelf.directory(at: 0)
        var folder = BackupFolder(path: target + ".part")
        try folder.make()
        let writer = try folder.file("store", of: "notifier")
        try writer.write([1])
        let (size, sum) = try writer.close()

        try shelf.clear()
        #expect(try shelf.prune(to: 1, made: "") == 0)
        let refused = #expect(throws: Failure.self) {
            var other = BackupFolder(path: folder.path)
            try other.make()
        }

        #expect(refused?.sentence.contains("another backup is being made") == true)
        let file = Backup.File(name: "store", size: size, sha256: sum)
        try folder.finish([Backup(service: "notifier", files: [file])], as: target)
        #expect(isThere(target + "/notifier/store"))
    }

    @Test func `each millisecond has a name of its own, and the names sort by time`() {
        let times = (0..<3000).map { 1_795_000_000_000 + Int64($0) }

        let names = times.map(shelf.directory)

        #expect(Set(names).count == names.count)
        #expect(names == names.sorted())
        #expect(shelf.directory(at: 7).hasSuffix("/1970-01-01T00-00-00.007Z"))
    }

    @Test func `backups that begin at the same moment have different names`() throws {
        var first: (folder: BackupFolder, target: String)? = try shelf.begin(at: 0)
        let second = try shelf.begin(at: 0)
        try first?.folder.finish([], as: shelf.directory(at: 0))
        first = nil

        let third = try shelf.begin(at: 0)

        #expect(
            [second.target, third.target] == [shelf.directory(at: 1), shelf.directory(at: 2)])
        #expect(isThere(shelf.directory(at: 0) + "/manifest.json"))
        try shelf.clear()
        #expect(isThere(second.folder.path) && isThere(third.folder.path))
    }

    @Test func `a backup is never made in a directory that somebody else has made`() throws {
        let path = place.path + "/new/monday.part"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        var folder = BackupFolder(path: path)

        let isMadeOverAnother = try folder.makeNew()
        rmdir(path)
        let isMade = try folder.makeNew()

        #expect(!isMadeOverAnother && isMade)
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o700)
    }

    @Test func `a backup that fails deletes only the directory that it has made`() throws {
        let path = place.path + "/monday.part"
        var folder = BackupFolder(path: path)
        try folder.make()
        try FileManager.default.moveItem(atPath: path, toPath: place.path + "/moved")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)

        folder.discard()
        #expect(isThere(path))

        rmdir(path)
        try FileManager.default.moveItem(atPath: place.path + "/moved", toPath: path)
        folder.discard()
        #expect(!isThere(path))
    }

    @Test func `when a backup ends, however it ends, what it left can be deleted`() throws {
        let left = shelf.directory(at: 0) + ".part"
        var interrupted: BackupFolder? = BackupFolder(path: left)
        try interrupted?.make()
        try shelf.clear()
        #expect(isThere(left))

        interrupted = nil
        // A program that another test is just starting has a copy of the mark until it begins.
        for _ in 0..<2_000 where isThere(left) {
            try shelf.clear()
            poll(nil, 0, 10)
        }

        #expect(!isThere(left))
        #expect(try !BackupFolder(path: left).delete())
    }

    @Test func `a backup of which a file has disappeared does not become complete`() throws {
        let target = shelf.directory(at: 0)
        var folder = BackupFolder(path: target + ".part")
        try folder.make()
        let writer = try folder.file("store", of: "notifier")
        try writer.write([1])
        let (size, sum) = try writer.close()
        try FileManager.default.removeItem(atPath: folder.path + "/notifier")

        let file = Backup.File(name: "store", size: size, sha256: sum)
        #expect(throws: Failure.self) {
            try folder.finish([Backup(service: "notifier", files: [file])], as: target)
        }

        #expect(!isThere(target))
    }
}
