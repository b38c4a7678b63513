import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// What an administrator sees of the mails that tell people of their alerts.
struct MailSubjectTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        for source in [ServiceName.checklist, .transitAlert, .routine] {
            try notifier.run(at: Self.now) { transaction in
                let raised = AlertRaised(
                    key: "k", kind: "test", severity: .urgent, title: "Look", recipient: "ann",
                    organisation: "o")
                try AlertHandling.raise(
                    raised, from: source.rawValue, id: transaction.id, in: transaction)
                try keep(source.rawValue, as: "alert/\(transaction.id)/urgent", in: transaction)
            }
        }
        try notifier.run(at: Self.now) { transaction in
            try keep("erased", as: "alert/\(transaction.id)/urgent", in: transaction)
            try keep("test", as: "test/1", in: transaction)
        }
    }

    private func keep(_ subject: String, as key: String, in transaction: Transaction) throws {
        _ = try MailRequested(
            key: key, to: ["ann@example.org"], subject: subject, organisation: "o"
        ).keep(from: Notifier.name.rawValue, transaction.db)
        let mail = Mail(
            id: "\(transaction.makeID())", source: Notifier.name.rawValue, key: key,
            organisation: "o", to: "ann@example.org", subject: subject, state: .sent,
            requested: Self.now, changed: Self.now)
        try mail.save(transaction.db)
    }

    /// The subjects that somebody sees, in a list and one by one.
    private func subjects(_ asker: Principal) throws -> [[String]] {
        try notifier.run(at: Self.now + 1, as: asker) { transaction in
            let mails = try MailHandling.listMails(ListMails(), in: transaction).mails
            let read = try mails.map {
                try MailHandling.readMail(ReadMail(id: $0.id), in: transaction).subject
            }
            return [mails.map(\.subject).sorted(), read.sorted()]
        }
    }

    @Test func `a list of mails says whether there are older ones`() throws {
        let listed = try notifier.run(at: Self.now + 1, as: .machineOwner) { transaction in
            try [4, 5].map { try MailHandling.listMails(ListMails(limit: $0), in: transaction) }
        }
        #expect(listed.map(\.mails.count) == [4, 5])
        #expect(listed.map(\.more) == [true, false])
    }

    @Test func `only their recipients see the subjects of mails about their rides and days`() throws
    {
        let administrator = [Grant(role: .administrator)]
        let others = try subjects(.account("adam", organisation: "o", grants: administrator))
        let own = try subjects(.account("ann", organisation: "o", grants: administrator))

        let shown = ["", "", "", "checklist-service", "test"]
        #expect(others == [shown, shown])
        let all = ["", "checklist-service", "routine-service", "test", "transit-alert-service"]
        #expect(own == [all, all])
    }
}
