import Bus
import Messages

/// Lists that services return page by page.
extension Session {
    /// All entries of a list that a service returns page by page.
    ///
    /// - Parameters:
    ///   - query: asks for the first page.
    ///   - after: the field of the query that names the entry before its page.
    ///   - deadline: how long each page may take.
    ///   - contents: returns the entries of a page, and what the next page follows; empty after the
    ///     last page.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func whole<Query: ProtobufMessage, Page: ProtobufMessage, Entry>(
        _ service: ServiceName, _ query: Query, _ after: WritableKeyPath<Query, String>,
        deadline: Duration = .seconds(10),
        _ contents: (Page) -> (entries: [Entry], next: String)
    ) throws -> [Entry] {
        var (query, entries) = (query, [Entry]())
        repeat {
            let page = contents(try ask(service, query, for: Page.self, deadline: deadline))
            entries += page.entries
            query[keyPath: after] = page.next
        } while !query[keyPath: after].isEmpty
        return entries
    }

    /// Something that a service returns in parts, with all its items. If someone changes it
    /// meanwhile, it is read again from its first part.
    ///
    /// - Parameters:
    ///   - revision: its revision.
    ///   - part: returns the part that begins at an item, and where the next part begins; 0 after
    ///     the last part.
    static func parts<Whole, Item>(
        _ revision: KeyPath<Whole, UInt64>,
        _ part: (_ from: UInt32) throws -> (whole: Whole, items: [Item], next: UInt32)
    ) rethrows -> (whole: Whole, items: [Item]) {
        var (first, items, from): (Whole?, [Item], UInt32) = (nil, [], 0)
        while true {
            let read = try part(from)
            if let known = first, known[keyPath: revision] != read.whole[keyPath: revision] {
                // The parts don't fit together.
                (first, items, from) = (nil, [], 0)
                continue
            }
            let whole = first ?? read.whole
            items += read.items
            guard read.next > 0 else { return (whole, items) }
            (first, from) = (whole, read.next)
        }
    }

    /// The organisations that the person may see, with their sites.
    ///
    /// - Parameter deadline: how long each page may take.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func organisations(deadline: Duration = .seconds(10)) throws -> [Organisation] {
        try whole(.account, ListOrganisations(), \.after, deadline: deadline) {
            (page: Organisations) in (page.organisations, page.next)
        }
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
        try whole(.account, query, \.after) { (page: Accounts) in (page.accounts, page.next) }
    }

    /// The templates of checklists that the person may see, in order of kind and name.
    ///
    /// - Parameter query: which.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func templates(_ query: ListTemplates) throws -> [ChecklistTemplate] {
        try whole(.checklist, query, \.after) { (page: Templates) in (page.templates, page.next) }
            .sorted { $0.kind.rawValue < $1.kind.rawValue }
    }

    /// Shifts that a query finds, newest first, up to its limit. An answer has as many as fit.
    ///
    /// - Parameter query: which, and the maximum number.
    /// - Returns: the shifts, and whether there are more.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func shifts(_ query: FindShifts) throws -> (shifts: [FoundShift], more: Bool) {
        let limit = Int(query.limit)
        var shifts: [FoundShift] = []
        var known: Set<String> = []
        var query = query
        // One more than wanted shows whether there are more.
        query.limit = UInt32(clamping: limit + 1)
        while shifts.count <= limit {
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
        return (Array(shifts.prefix(limit)), shifts.count > limit)
    }

    /// The equipment of a site, in order of names.
    ///
    /// - Parameter query: which.
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws.
    func equipment(_ query: ListEquipment) throws -> [Equipment] {
        try whole(.checklist, query, \.after) { (page: EquipmentList) in
            (page.equipment, page.next)
        }
    }
}
