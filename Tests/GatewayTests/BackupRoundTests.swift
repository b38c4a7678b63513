import Bus
import Messages
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
