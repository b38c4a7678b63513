import GRDB

/// Counts how often each act was the last of a process: applying an event, firing a timer, running
/// a job. An act that has ended the process too often is put aside instead of being done again.
/// Acts that differ only beyond what the record keeps of them count as one.
///
/// Not Sendable: it belongs to the thread of the loop.
final class Suspects {
    /// The number of times an act may make the process fail.
    static let mostFaults: Int64 = 3
    /// The number of times the process may end during an act, including kills from outside: that is
    /// the usual way to stop it, but also the fate of a process that uses all the memory.
    static let mostDeaths: Int64 = 10
    /// How long a suspicion is kept: 30 days in milliseconds.
    static let memory: Int64 = 30 * 24 * 3600 * 1000

    private struct Count {
        var faults: Int64
        var deaths: Int64
    }

    let record: CrashRecord
    private var counts: [String: Count] = [:]
    private var told: Set<String> = []
    private var isNoted = false

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: suspects") { db in
            try db.execute(
                sql: """
                    CREATE TABLE suspect (
                        act TEXT NOT NULL PRIMARY KEY, faults INTEGER NOT NULL,
                        deaths INTEGER NOT NULL, time INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
    }

    /// Counts what the previous process was doing when it ended, before any of it is done again.
    init(_ record: CrashRecord, _ db: Database, at now: Int64, log: Log) throws {
        self.record = record
        for finding in record.findings() {
            try db.execute(
                sql: """
                    INSERT INTO suspect (act, faults, deaths, time) VALUES (?1, ?2, 1, ?3)
                    ON CONFLICT DO UPDATE SET faults = faults + ?2, deaths = deaths + 1, time = ?3
                    """,
                arguments: [finding.act, finding.isFault ? 1 : 0, now])
            guard finding.isFault else { continue }
            log.write(.error, "the process failed before", [.message: finding.act])
        }
        try db.execute(sql: "DELETE FROM suspect WHERE time < ?", arguments: [now - Self.memory])
        for row in try Row.fetchAll(db, sql: "SELECT act, faults, deaths FROM suspect") {
            counts[row["act"]] = Count(faults: row["faults"], deaths: row["deaths"])
        }
        record.begin()
    }

    /// Why an act must not be done again; nil when it may.
    func reason(against act: String) -> String? {
        guard let count = counts[CrashRecord.cut(act)] else { return nil }
        if count.faults >= Self.mostFaults {
            return "the process failed \(count.faults) times while it did this"
        }
        guard count.deaths >= Self.mostDeaths else { return nil }
        return "the process ended \(count.deaths) times while it did this"
    }

    /// True only the first time, for an act that is no longer done but asked for again and again.
    func isNews(_ act: String) -> Bool { told.insert(act).inserted }

    /// True when the process has failed in this act.
    func hasFailed(in act: String) -> Bool { (counts[CrashRecord.cut(act)]?.faults ?? 0) > 0 }

    /// Records what the loop is about to do.
    func begin(_ act: String) {
        record.note(act, in: .loop)
        isNoted = true
    }

    /// Records that the loop is not doing anything that could be blamed.
    func rest() {
        guard isNoted else { return }
        record.clear(.loop)
        isNoted = false
    }

    /// Deletes the suspicion, because the act was done or put aside.
    func clear(_ act: String, _ db: Database) throws {
        let act = CrashRecord.cut(act)
        guard counts.removeValue(forKey: act) != nil else { return }
        try db.execute(sql: "DELETE FROM suspect WHERE act = ?", arguments: [act])
    }
}
