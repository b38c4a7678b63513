import Bus
import Messages
import ShiftLog
import Speech

/// A wall display's view of a site's open shift: it asks twice a second, and keeps what it has
/// while the service can't be reached. It only reads.
package final class BoardFeed {
    private enum Question: Hashable {
        case shift
        case operations
        case equipment
    }

    /// How often to ask the service.
    package static let interval: Duration = .milliseconds(500)
    /// How often to ask when there is no open shift or the service can't be reached.
    package static let pause: Duration = .seconds(2)
    /// How long without an answer until the display counts as outdated.
    package static let patience: Duration = .seconds(3)

    /// How often to ask which equipment doesn't work.
    package static let equipmentInterval: Duration = .seconds(5)

    /// The equipment that doesn't work properly, as last received, by name.
    package private(set) var faulty: [Equipment] = []
    /// The shift as last received; nil if none is open, or nothing was received yet.
    package private(set) var state: ShiftState?
    /// Why the service can't be reached; nil if it can.
    package private(set) var obstacle: Obstacle?
    /// When the service last answered, milliseconds since 1970; 0 for never.
    package private(set) var lastHeard: Int64 = 0
    private let access: any ServiceAccess
    private let client: Client
    private let site: String
    private var question: (id: MessageID, kind: Question)?
    private var next = ContinuousClock.now
    private var nextEquipment = ContinuousClock.now
    /// The pages of equipment that have come, until the last one, and after which piece the next
    /// one begins.
    private var pages: (equipment: [Equipment], after: String) = ([], "")
    /// True if the access token was renewed since the last good answer.
    private var hasRenewedProof = false

    /// A feed of a site.
    package init(_ access: any ServiceAccess, site: String) throws {
        self.access = access
        client = try access.client(.checklist)
        self.site = site
    }

    /// Asks if it is time, and reads the answer if it has come.
    ///
    /// - Throws: ``Failure`` if this account may not see the shift.
    package func turn() throws {
        if question == nil, ContinuousClock.now >= next {
            do { try ask() } catch { try stop(error) }
        }
        guard question != nil else { return }
        for answer in try client.receive(within: .zero) where answer.id == question?.id {
            let kind = question?.kind
            question = nil
            do {
                let envelope = try answer.result.get()
                switch kind {
                case .shift: try begin(Client.unpack(envelope, as: ShiftSnapshot.self))
                case .equipment: try take(Client.unpack(envelope, as: EquipmentList.self))
                default: try take(Client.unpack(envelope, as: OperationPage.self))
                }
                hear()
            } catch {
                try stop(error)
            }
        }
    }

    private func ask() throws {
        let deadline = Self.patience
        if ContinuousClock.now >= nextEquipment {
            nextEquipment = ContinuousClock.now + Self.equipmentInterval
            let query = ListEquipment(site: site, faultyOnly: true, after: pages.after)
            question = (try client.send(query, deadline: deadline), .equipment)
        } else if let state, state.isOpen {
            let query = ReadOperations(shift: state.shift.id, after: state.readAfter)
            question = (try client.send(query, deadline: deadline), .operations)
        } else {
            question = (try client.send(ReadShift(site: site), deadline: deadline), .shift)
        }
    }

    private func begin(_ snapshot: ShiftSnapshot) throws {
        do { state = try ShiftState(snapshot: snapshot) } catch {
            throw Failure(.broken, "the shift can't be read: \(error.message)")
        }
        next = ContinuousClock.now
    }

    private func take(_ page: OperationPage) {
        let before = state?.head ?? 0
        guard state?.follow(page) == true else {
            // A backup was restored: read everything again.
            state = nil
            next = ContinuousClock.now
            return
        }
        let head = state?.head ?? 0
        let isBehind = head < page.head && head > before
        next = ContinuousClock.now + (isBehind ? .zero : Self.interval)
    }

    private func take(_ page: EquipmentList) {
        pages = (pages.equipment + page.equipment, page.next)
        guard page.next.isEmpty else {
            nextEquipment = ContinuousClock.now
            return
        }
        (faulty, pages.equipment) = (pages.equipment, [])
    }

    private func hear() {
        (obstacle, lastHeard, hasRenewedProof) = (nil, WallClock.milliseconds(), false)
    }

    private func stop(_ error: any Error) throws {
        next = ContinuousClock.now + Self.pause
        pages = ([], "")
        if case ClientError.refused(let refusal) = error {
            if try renewsProof(after: refusal) {
                hasRenewedProof = true
                next = ContinuousClock.now
                return
            }
            // A conflict means that a backup was restored: read everything again.
            if [.notFound, .conflict].contains(refusal.code), !Failure.mayPass(error) {
                state = nil
                return hear()
            }
        }
        guard Failure.mayPass(error), let failure = Failure(error) else { throw error }
        obstacle = Obstacle(error, failure)
    }

    /// The token may have been revoked, or its rights changed: true if a new one should be tried.
    private func renewsProof(after refusal: Refusal) throws -> Bool {
        switch refusal.code {
        case .badToken: try access.renewProof(refused: client.token)
        case .forbidden where !hasRenewedProof: try access.renewProof(refused: client.token)
        default: false
        }
    }
}
