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
            "Make a dated backup in the directory, and delete all but the newest so many.",
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
        let target = shelf?.directory(at: WallClock.milliseconds()) ?? path
        guard !FileManager.default.fileExists(atPath: target) else {
            throw Failure(.refused, "\(target) is there already", advice: "choose another name")
        }
        let folder = BackupFolder(path: target + ".part")
        try folder.make()
        let backups = try BackupRound(session, folder).run()
        try folder.finish(backups, as: target)
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
                .notRunning, "\(missing.joined(separator: " and ")) can't be asked",
                advice: "a backup needs all services; see steward status")
        }
        var waiting = Self.order(reports.compactMap(\.status))
        var backups: [ServiceName: Backup] = [:]
        for _ in 0..<Self.attempts {
            for (service, job) in try begin(waiting) {
                backups[service] = try fetch(service, job)
            }
            waiting =
                Self.behind(Array(backups.values)).isEmpty
                ? [] : Self.order(reports.compactMap(\.status))
            if waiting.isEmpty { break }
        }
        for service in Self.behind(Array(backups.values)) {
            session.printer.remark(
                "others have seen more of \(service.rawValue) than its copy has; once restored, "
                    + "they will ask it for its present state")
        }
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
    ///
    /// - Returns: the jobs.
    private func begin(_ services: [ServiceName]) throws -> [(ServiceName, String)] {
        let end = ContinuousClock.now + .milliseconds(Self.hold)
        for service in services { try hold(service, for: UInt32(Self.hold)) }
        let jobs = try services.map { service in
            (service, try session.ask(service, BackUp(), for: JobAccepted.self).jobId)
        }
        for (service, id) in jobs {
            while ContinuousClock.now < end {
                let job = try session.ask(service, ReadJob(jobId: id), for: Job.self)
                guard job.state == .queued else { break }
                poll(nil, 0, 20)
            }
        }
        // A service announces its copy just before the first read, which fixes the moment of the
        // copy.
        poll(nil, 0, Self.margin)
        for service in services { try hold(service, for: 0) }
        return jobs
    }

    private func hold(_ service: ServiceName, for milliseconds: UInt32) throws {
        _ = try session.ask(
            service, HoldFollowing(milliseconds: milliseconds), for: FollowingHeld.self)
    }

    private func fetch(_ service: ServiceName, _ id: String) throws -> Backup {
        let job = try JobProgress(session, of: service, jobID: id).follow()
        // The copy may have been made before the request to stop came.
        guard !Interruption.isWanted else {
            throw Failure(
                .interrupted, "the backup was stopped", advice: "make it again: steward backup")
        }
        guard job.state == .succeeded else {
            throw Failure(
                .refused, "\(service.rawValue) has made no copy: \(job.message.printable)")
        }
        let client = try session.client(service, isPatient: true)
        let backup = try client.ask(
            ReadBackup(jobId: job.id), for: Backup.self, deadline: Self.patience)
        defer { session.printer.endLive() }
        for file in backup.files { try fetch(file, of: backup, job.id, client) }
        _ = try client.ask(
            DropBackup(jobId: job.id), for: BackupDropped.self, deadline: Self.patience)
        return backup
    }

    private func fetch(
        _ file: Backup.File, of backup: Backup, _ job: String, _ client: Client
    ) throws {
        let writer = try folder.file(file.name, of: backup.service)
        while true {
            let piece = try client.ask(
                ReadBackupPiece(jobId: job, name: file.name, offset: writer.size),
                for: BackupPiece.self, deadline: Self.patience)
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
}
