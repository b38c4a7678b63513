import Bus
import Foundation
import HTTPServer
import Messages
import Phrases
import ServiceRuntime

/// Shows people in browsers what the other services keep, and keeps the log-ins of those browsers.
///
/// Four threads: the loop of every service with the store, ``WebDesk`` with the clients of the
/// other services, ``DrawingTable``, and `HTTPServer` with the connections of browsers. They pass
/// work to each other through ``Inbox`` and `Reply`, and share nothing else.
@main struct WebService: Service {
    static let name = ServiceName.web
    static let tokenIssuer = ServiceName.account
    static let migrator = LogInStore.migrator
    static let belongings = LogInStore.belongings

    static var handlers: [MessageHandler] { LogIns.handlers }
    static var timers: [TimerHandler] { LogIns.timers }
    static var follows: [ServiceName: [EventHandler]] {
        [
            .account: [.init(LogIns.revoked), .init(LogIns.changed)],
            .checklist: [.init(advanced)],
            .plan: [.init(changed), .init(deleted)],
        ]
    }

    static func validate(_ settings: [String: String]) throws(ConfigurationError) {
        _ = try WebAddress(settings)
    }

    /// Does nothing. Web-service publishes only what it denied or put aside, and the runtime itself
    /// passes on what of that still matters.
    static func pass(_: Transaction, to _: SnapshotReceiver) {}

    static func prepare(_ transaction: Transaction) throws {
        try LogIns.prepare(transaction)
        let address = try WebAddress(transaction.settings)
        #if DEBUG
            if transaction.settings["LANG"] == PseudoEnglish.locale { PseudoEnglish.speak() }
        #endif
        var files = try WebFiles.shelf(transaction.settings)
        let configuration = try Bus.Configuration()
        let log = Log(
            service: name.rawValue, threshold: Log.Level(named: configuration.logLevel))
        do {
            try files.keep(
                in: "\(transaction.dataDirectory)/\(name.rawValue).files",
                at: transaction.retentionTime)
        } catch {
            // A full disk must not keep people from their pages.
            log.write(.warning, "former files not served", [.error: "\(error)"])
        }
        let door = Door(address: address, files: files, log: log)
        try door.open()
        let token = transaction.workerToken
        Thread.detachNewThread { DrawingTable.run(log: log) }
        Thread.detachNewThread {
            WebDesk.run(configuration, workerToken: token, inbox: DeskWork.inbox, log: log)
        }
    }

    private static func changed(
        _ event: PlanChanged, _: Envelope, in transaction: Transaction
    ) throws {
        refreshPages(of: event.plan.id, revision: event.plan.revision, in: transaction)
    }

    private static func deleted(
        _ event: PlanDeleted, _: Envelope, in transaction: Transaction
    ) throws {
        refreshPages(of: event.plan, revision: 0, in: transaction)
    }

    private static func refreshPages(
        of plan: String, revision: UInt64, in transaction: Transaction
    ) {
        transaction.afterCommit {
            DeskWork.inbox.put { $0.plans.changed(plan: plan, revision: revision) }
        }
    }

    /// A shift has advanced: the boards that show it ask for what is new.
    private static func advanced(
        _ event: ShiftAdvanced, _: Envelope, in transaction: Transaction
    ) throws {
        let (site, head) = (event.site, event.operations.last?.sequence ?? 0)
        transaction.afterCommit {
            DeskWork.inbox.put { $0.boards.advanced(site: site, head: head) }
        }
    }
}
