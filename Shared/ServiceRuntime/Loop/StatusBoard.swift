import Bus
import Foundation
import GRDB
import Messages

/// The status of a service and its counters.
final class StatusBoard {
    private let service: ServiceName
    private let started: Int64
    private var counters: [String: UInt64] = [:]
    /// When each follower last reported to this process; the store may have an earlier time.
    private var reports: [String: Int64] = [:]

    init(service: ServiceName, started: Int64) {
        self.service = service
        self.started = started
    }

    func count(_ name: String, by number: UInt64 = 1) { counters[name, default: 0] += number }

    func noteReport(of follower: String, at time: Int64) { reports[follower] = time }

    func read(
        _ transaction: Transaction, ledger: Ledger, followings: [Following], jobs: JobRunner
    ) throws -> ServiceStatus {
        let followers = try Row.fetchAll(
            transaction.db, sql: "SELECT * FROM follower ORDER BY name")
        return ServiceStatus(
            service: service.rawValue, version: stewardVersion, started: started,
            head: ledger.head, epoch: ledger.epoch,
            followers: followers.map { row in
                let (name, stored): (String, Int64) = (row["name"], row["reported"])
                return ServiceStatus.Follower(
                    name: name, sequence: UInt64(clamping: row["sequence"] as Int64),
                    reported: reports[name] ?? stored)
            },
            cursors: followings.map(\.status), deadLetters: try DeadLetter.count(transaction.db),
            runningJobs: jobs.runningCount, counters: counters,
            storeBytes: try Self.size(transaction.db),
            freeBytes: Self.free(in: transaction.dataDirectory))
    }

    private static func size(_ db: Database) throws -> UInt64 {
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        return UInt64(pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0))
    }

    /// The free space for an account without special rights in bytes; 0 when it is unknown.
    private static func free(in directory: String) -> UInt64 {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return 0 }
        return bytes(blocks: UInt64(status.f_bavail), of: UInt64(status.f_frsize))
    }

    /// The size of some blocks in bytes. A file system over a network may claim to have more than
    /// can be counted.
    static func bytes(blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, isBeyond) = blocks.multipliedReportingOverflow(by: size)
        return isBeyond ? .max : bytes
    }
}
