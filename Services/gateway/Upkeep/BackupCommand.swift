import ArgumentParser
import Bus
import Checksum
import Foundation
import Messages
import Speech
import Terminal

/// `steward backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies everything that the services keep.",
        discussion: """
            The services keep running. The copy is a new directory, with a manifest and checksums \
            (sha256sum -c SHA256SUMS). It contains password hashes and signing keys: protect it \
            like a password. Keys of the bus are not included. steward restore restores it.
            """)

    @Argument(
        help: "The directory to create; it must not exist yet. With --keep, that of all backups.",
        completion: .directory)
    var directory: String
    @Option(
        help: ArgumentHelp(
            "Make a dated backup in the directory, and keep only this many of the newest.",
            valueName: "number"))
    var keep: Int?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard keep.map((1...BackupShelf.most).contains) ?? true else {
            throw ValidationError("--keep is a number from 1 to \(BackupShelf.most)")
        }
    }

    func run() throws {
        let session = try Session()
        let path = URL(filePath: directory).standardizedFileURL.path
        let shelf = keep.map { _ in BackupShelf(path: path) }
        do { try shelf?.clear() } catch {
            // What can't be deleted must not prevent a backup. It is reported after that.
        }
        let (folder, target) =
            try shelf?.begin(at: WallClock.milliseconds()) ?? Self.begin(path)
        let backups: [Backup]
        do {
            backups = try BackupRound(session, folder).run()
            try folder.finish(backups, as: target)
        } catch {
            folder.discard()
            throw error
        }
        let deleted = try shelf?.prune(to: keep ?? 1, made: target) ?? 0
        guard !output.json else { return try session.printer.json(.backups, backups) }
        var table = TextTable([
            .text("SERVICE"), .number("EVENTS"), .number("FILES"), .number("BYTES"),
        ])
        for backup in backups {
            table.add([
                .init(backup.service), "\(backup.head)", "\(backup.files.count)",
                "\(backup.files.reduce(0) { $0 + $1.size })",
            ])
        }
        session.printer.table(table)
        session.printer.remark("the backup is in \(target)")
        guard deleted > 0 else { return }
        session.printer.remark("deleted \(Wording.count(deleted, "older backup"))")
    }

    /// Begins a backup that has a name of its own.
    private static func begin(_ target: String) throws -> (folder: BackupFolder, target: String) {
        guard !FileManager.default.fileExists(atPath: target) else {
            throw Failure(.refused, "\(target) already exists", advice: "choose another name")
        }
        var folder = BackupFolder(path: target + ".part")
        try folder.make()
        return (folder, target)
    }
}

/// One backup of all services, each copied while it keeps running.
///
/// No copy may contain an event that its producer's copy lacks. So no service applies events of
/// others during the moment in which all copies begin. A restored follower asks for what it missed,
/// as after any pause. A service that is busy with another job and can't begin in that moment may
/// have to be copied again.
struct BackupRound {
    /// The maximum number of times that producers are copied again because a follower's copy is
    /// ahead.
    private static let attempts = 5
    /// How long services may be kept from applying each other's events, milliseconds.
    private static let hold = 5000
    /// How long a copy may take from its announcement to its first read, milliseconds.
    private static let margin: Int32 = 200
    /// How long to wait for a service that is busy or restarting, and for a piece.
    private static let patience: Duration = .seconds(60)
    /// How long to wait for an answer before seeing whether the person wants the backup to stop.
    private static let interval: Duration = .milliseconds(200)
    /// How long to wait in all for services to delete copies that are no longer wanted.
    private static let deletion: Duration = .seconds(3)

    /// A copy that a service was asked to make.
    private struct Copy {
        let service: ServiceName
        let job: String
        let client: Client
    }

    private let session: Session
    private let folder: BackupFolder

    /// A backup into a folder.
    init(_ session: Session, _ folder: BackupFolder) {
        self.session = session
        self.folder = folder
    }

    /// Makes the backup.
    ///
    /// - Returns: what was copied, in the order of the services.
    func run() throws -> [Backup] {
        let reports = try StatusCommand.ask(session, within: Self.patience)
        let missing = reports.filter { $0.status == nil }.map(\.service)
        guard missing.isEmpty else {
            throw Failure(
                .notRunning, "\(missing.listed) can't be asked",
                advice: "a backup needs all services; see steward status")
        }
        Interruption.watch()
        defer { Interruption.unwatch() }
        var copies: [Copy] = []
        do { return try fetchAll(reports.compactMap(\.status), &copies) } catch {
            drop(copies)
            try stopIfWanted()
            throw error
        }
    }

    /// Has all services copied, and fetches the copies.
    ///
    /// - Parameters:
    ///   - statuses: the states of the services.
    ///   - copies: all copies that were begun are added to it.
    private func fetchAll(_ statuses: [ServiceStatus], _ copies: inout [Copy]) throws -> [Backup] {
        var waiting = Self.order(statuses)
        var backups: [ServiceName: Backup] = [:]
        for _ in 0..<Self.attempts {
            let count = copies.count
            try begin(waiting, &copies)
            for copy in copies[count...] { backups[copy.service] = try fetch(copy) }
            waiting = Self.behind(Array(backups.values)).isEmpty ? [] : Self.order(statuses)
            if waiting.isEmpty { break }
        }
        for service in Self.behind(Array(backups.values)) {
            session.printer.remark(
                "others have seen more of \(service.rawValue) than its copy has; once restored, "
                    + "they will ask it for its present state")
        }
        try stopIfWanted()
        return ServiceName.allCases.compactMap { backups[$0] }
    }

    /// The order in which to copy services: followers first; among services that follow each other,
    /// those first that follow more services than follow them.
    static func order(_ statuses: [ServiceStatus]) -> [ServiceName] {
        var rest = ServiceName.allCases
        var order: [ServiceName] = []
        func follows(_ follower: ServiceName, _ producer: ServiceName) -> Bool {
            statuses.contains { status in
                status.service == follower.rawValue && follower != producer
                    && status.cursors.contains { $0.producer == producer.rawValue }
            }
        }
        func rank(_ service: ServiceName) -> (Int, Int) {
            let followers = rest.count { follows($0, service) }
            return (min(followers, 1), followers - rest.count { follows(service, $0) })
        }
        while let next = rest.min(by: { rank($0) < rank($1) }) {
            order.append(next)
            rest.removeAll { $0 == next }
        }
        return order
    }

    /// The producers whose copies lack events that a follower's copy has applied.
    static func behind(_ backups: [Backup]) -> [ServiceName] {
        backups.filter { producer in
            backups.contains { follower in
                follower.cursors.contains {
                    $0.producer == producer.service && $0.epoch == producer.epoch
                        && $0.sequence > producer.head
                }
            }
        }.compactMap { ServiceName(rawValue: $0.service) }
    }

    /// Begins all copies while no service applies events of others.
    private func begin(_ services: [ServiceName], _ copies: inout [Copy]) throws {
        let end = ContinuousClock.now + .milliseconds(Self.hold)
        let count = copies.count
        for service in services { try hold(service, for: UInt32(Self.hold)) }
        for service in services {
            let client = try session.client(service, isPatient: true)
            let job = try session.ask(service, BackUp(), for: JobAccepted.self).jobId
            copies.append(Copy(service: service, job: job, client: client))
        }
        for copy in copies[count...] {
            while ContinuousClock.now < end {
                let job = try session.ask(copy.service, ReadJob(jobId: copy.job), for: Job.self)
                guard job.state == .queued else { break }
                poll(nil, 0, 20)
            }
        }
        // A service announces its copy just before the first read, which fixes the moment of the
        // copy.
        poll(nil, 0, Self.margin)
        for service in services { try hold(service, for: 0) }
    }

    private func hold(_ service: ServiceName, for milliseconds: UInt32) throws {
        _ = try session.ask(
            service, HoldFollowing(milliseconds: milliseconds), for: FollowingHeld.self)
    }

    private func fetch(_ copy: Copy) throws -> Backup {
        try stopIfWanted()
        let job = try JobProgress(session, of: copy.service, jobID: copy.job).follow()
        try stopIfWanted()
        guard job.state == .succeeded else {
            throw Failure(
                .refused, "\(copy.service.rawValue) has made no copy: \(job.message.printable)")
        }
        let backup = try ask(copy.client, ReadBackup(jobId: job.id), for: Backup.self)
        defer { session.printer.endLive() }
        for file in backup.files { try fetch(file, of: backup, copy) }
        _ = try ask(copy.client, DropBackup(jobId: job.id), for: BackupDropped.self)
        return backup
    }

    private func fetch(_ file: Backup.File, of backup: Backup, _ copy: Copy) throws {
        let writer = try folder.file(file.name, of: backup.service)
        while true {
            let piece = try ask(
                copy.client,
                ReadBackupPiece(jobId: copy.job, name: file.name, offset: writer.size),
                for: BackupPiece.self)
            guard !piece.data.isEmpty else { break }
            try writer.write(piece.data)
            session.printer.live("\(backup.service)  \(file.name)  \(writer.size) of \(file.size)")
        }
        guard try writer.close() == (file.size, file.sha256) else {
            throw Failure(
                .broken, "\(file.name) of \(backup.service) came over damaged",
                advice: "make the backup again")
        }
    }

    /// Asks a service, and waits until it answers or the person wants the backup to stop.
    private func ask<R: ProtobufMessage>(
        _ client: Client, _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R {
        let id = try client.send(message, deadline: Self.patience)
        while true {
            try stopIfWanted()
            for answer in try client.receive(within: Self.interval) where answer.id == id {
                return try Client.unpack(answer.result.get(), as: R.self)
            }
        }
    }

    private func stopIfWanted() throws {
        guard !Interruption.isWanted else {
            throw Failure(
                .interrupted, "the backup was stopped", advice: "make it again: steward backup")
        }
    }

    /// Has services delete copies that nobody fetches any more: they contain password hashes and
    /// keys. One that can't be asked deletes its copy when it is started again.
    private func drop(_ copies: [Copy]) {
        let end = ContinuousClock.now + Self.deletion
        for copy in copies {
            copy.client.isPatient = false
            do {
                // The copy may still be under way.
                try copy.client.send(CancelJob(jobId: copy.job), deadline: Self.patience)
                try copy.client.send(DropBackup(jobId: copy.job), deadline: Self.patience)
            } catch { continue }
        }
        while ContinuousClock.now < end, copies.contains(where: { $0.client.inFlight > 0 }) {
            for copy in copies {
                do { _ = try copy.client.receive(within: .milliseconds(20)) } catch { continue }
            }
        }
    }
}
