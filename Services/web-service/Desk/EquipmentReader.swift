import Bus
import Messages

/// Reads what doesn't work at a site. Several people may ask at the same time, each in their own
/// name.
final class EquipmentReader {
    /// The equipment that doesn't work, in order of names, each piece with its newest report.
    private(set) var faulty: [Equipment] = []
    /// When something new was last read, milliseconds since 1970.
    private(set) var changed: Int64 = 0
    /// How many times something new was read.
    private(set) var version = 0
    private let switchboard: Switchboard
    private let site: String

    /// The most pieces of equipment that are read; a site has far fewer that don't work.
    static let most = 2000

    init(_ switchboard: Switchboard, site: String) {
        (self.switchboard, self.site) = (switchboard, site)
    }

    /// Reads all of it.
    func read(by proof: Proof, then: @escaping ShiftReader.Outcome) {
        read(after: "", adding: [], proof, then: then)
    }

    private func read(
        after last: String, adding former: [Equipment], _ proof: Proof,
        then: @escaping ShiftReader.Outcome
    ) {
        let query = ListEquipment(site: site, faultyOnly: true, after: last)
        switchboard.ask(.checklist, query, for: EquipmentList.self, by: proof) { [self] in
            switch $0 {
            case .success(let page):
                let found = page.newest
                let all = former + found
                guard page.next.isEmpty || found.isEmpty || all.count >= Self.most else {
                    return read(after: page.next, adding: all, proof, then: then)
                }
                take(all)
                then(.success(()))
            case .failure(let error): then(.failure(error))
            }
        }
    }

    private func take(_ all: [Equipment]) {
        guard all != faulty else { return }
        (faulty, changed, version) = (all, switchboard.now, version + 1)
    }
}

extension EquipmentList {
    /// The equipment, each with its newest report.
    var newest: [Equipment] {
        equipment.map { piece in
            var piece = piece
            piece.history = Array(piece.history.prefix(1))
            return piece
        }
    }
}
