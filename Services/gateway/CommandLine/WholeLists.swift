import Bus
import Messages

/// Lists that services return page by page.
extension Session {
    /// The organisations that the person may see, with their sites.
    ///
    /// - Parameter deadline: how long each page may take.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func organisations(deadline: Duration = .seconds(10)) throws -> [Organisation] {
        var organisations: [Organisation] = []
        var query = ListOrganisations()
        repeat {
            let page = try ask(.account, query, for: Organisations.self, deadline: deadline)
            organisations += page.organisations
            query.after = page.next
        } while !query.after.isEmpty
        return organisations
    }

    /// The sites that the person may see.
    ///
    /// - Parameter deadline: how long each page may take.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func sites(deadline: Duration = .seconds(10)) throws -> [Site] {
        try organisations(deadline: deadline).flatMap(\.sites)
    }

    /// The accounts that the person may see.
    ///
    /// - Parameter query: which.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func accounts(_ query: ListAccounts = ListAccounts()) throws -> [Account] {
        var accounts: [Account] = []
        var query = query
        repeat {
            let page = try ask(.account, query, for: Accounts.self)
            accounts += page.accounts
            query.after = page.next
        } while !query.after.isEmpty
        return accounts
    }

    /// The templates of checklists that the person may see, in order of kind and name.
    ///
    /// - Parameter query: which.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func templates(_ query: ListTemplates) throws -> [ChecklistTemplate] {
        var templates: [ChecklistTemplate] = []
        var query = query
        repeat {
            let page = try ask(.checklist, query, for: Templates.self)
            templates += page.templates
            query.after = page.next
        } while !query.after.isEmpty
        return templates.sorted { $0.kind.rawValue < $1.kind.rawValue }
    }

    /// Shifts that a query finds, newest first, up to its limit. An answer has as many as fit.
    ///
    /// - Parameter query: which, and the maximum number.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func shifts(_ query: FindShifts) throws -> [FoundShift] {
        var shifts: [FoundShift] = []
        var known: Set<String> = []
        var query = query
        while shifts.count < query.limit {
            let page = try ask(.checklist, query, for: FoundShifts.self).shifts
            let new = page.filter { found in
                let shift = found.shift ?? Shift()
                return known.insert("\(shift.id) \(shift.site) \(shift.started)").inserted
            }
            guard let last = new.last?.shift else { break }
            shifts += new
            // Others may have begun at the same moment.
            query.before = last.started + 1
        }
        return Array(shifts.prefix(Int(query.limit)))
    }

    /// The equipment of a site, in order of names.
    ///
    /// - Parameter query: which.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func equipment(_ query: ListEquipment) throws -> [Equipment] {
        var equipment: [Equipment] = []
        var query = query
        repeat {
            let page = try ask(.checklist, query, for: EquipmentList.self)
            equipment += page.equipment
            query.after = page.next
        } while !query.after.isEmpty
        return equipment
    }
}
