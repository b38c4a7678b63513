import Messages

extension ShiftState {
    /// What a crew member may do with the tasks of their areas in a list: as set by the shift
    /// manager for them or for everyone, or else by the template.
    ///
    /// - Parameters:
    ///   - list: the id of the template.
    ///   - account: the name of the account; empty for everyone.
    package func crewMay(_ list: String, account: String = "") -> CrewMay {
        crewRights[CrewKey(list: list, account: account.lowercased())]
            ?? crewRights[CrewKey(list: list, account: "")]
            ?? lists.template(list)?.crew ?? .unspecified
    }

    /// True if a crew member in the area of the task may do this to it.
    package func crewMay(_ change: ShiftOperation.Change, account: String) -> Bool {
        switch change {
        case .mark(let mark):
            let may = crewMay(mark.list, account: account)
            guard may == .tick else { return may == .inspect }
            guard mark.notApplicable.isEmpty else { return false }
            return mark.finding != .notOk || mark.answer != nil
        case .note(let note): return crewMay(note.list, account: account) == .inspect
        default: return false
        }
    }

    mutating func letCrew(_ change: LetCrew) {
        guard let may = change.crewMay else { return }
        crewRights[CrewKey(list: change.list, account: change.account.lowercased())] = may
    }

    func validate(_ change: LetCrew) throws(Refusal) {
        guard lists.template(change.list) != nil else {
            throw Refusal.notFound("the shift doesn't use a list “\(change.list)”")
                .because(.listMissing)
        }
        guard change.crewMay != nil else {
            throw Refusal.invalid("crew members may do nothing, tick or inspect")
                .because(.operationUnknown)
        }
        try validateText(change.account, "the name of an account", 0...100)
    }
}

extension LetCrew {
    /// What they may do; nil for a number that this version doesn't know.
    package var crewMay: CrewMay? {
        switch may {
        case 0: .unspecified
        case 1: .tick
        case 2: .inspect
        default: nil
        }
    }
}
