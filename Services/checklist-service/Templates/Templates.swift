import Messages
import ServiceRuntime
import ShiftLog

/// The checklists for use in shifts.
enum TemplateHandling {
    static var handlers: [MessageHandler] {
        [
            .command(put, .role(minimum: .siteManager, at: .site)),
            .command(edit, .role(minimum: .siteManager, at: .site)),
            .command(remove, .role(minimum: .siteManager, at: .site)),
            .query(list, .role(minimum: .shiftManager, at: .site)),
            .query(read, .role(minimum: .shiftManager, at: .site)),
        ]
    }

    static func put(
        _ command: PutTemplate, in transaction: Transaction
    ) throws -> ChecklistTemplate {
        var template = command.template
        template.name = template.name.precomposedStringWithCanonicalMapping
        let organisation = try place(&template, in: transaction)
        let present = try TemplateRow.named(
            template.name, site: template.site, of: organisation, transaction.db)
        try validate(command.expectedVersion, present)
        template.id = present?.template.id ?? "\(transaction.id)"
        template.organisation = organisation
        if var same = present?.template, same.holdsTheSame(as: template) {
            guard same.removed else { return same }
            same.removed = false
            return try settle(same, isNew: false, in: transaction)
        }
        template.version = (present?.template.version ?? 0) + 1
        return try keep(template, in: transaction)
    }

    static func edit(
        _ command: EditTemplate, in transaction: Transaction
    ) throws -> ChecklistTemplate {
        let row = try required(command.template, command.site, for: .siteManager, in: transaction)
        guard !row.template.removed else {
            throw Refusal.conflict(
                "the checklist “\(row.template.name)” was removed; restore it first")
        }
        try validate(command.expectedVersion, row)
        guard let edit = command.edit else { throw Refusal.invalid("say what to change") }
        var template = try row.template.edited(edit)
        if template.holdsTheSame(as: row.template) { return template.withoutSections }
        let other = try TemplateRow.named(
            template.name, site: template.site, of: template.organisation, transaction.db)
        if let other, other.template.id != template.id, !other.template.removed {
            throw Refusal.conflict("there is a checklist “\(template.name)” already")
        }
        template.version += 1
        return try keep(template, in: transaction).withoutSections
    }

    static func remove(
        _ command: RemoveTemplate, in transaction: Transaction
    ) throws -> ChecklistTemplate {
        var template = try required(
            command.template, command.site, for: .siteManager, in: transaction
        ).template
        guard !template.removed else { return template.withoutSections }
        template.removed = true
        return try settle(template, isNew: false, in: transaction).withoutSections
    }

    static func list(
        _ query: ListTemplates, in transaction: Transaction
    ) throws -> Messages.Templates {
        let wanted =
            query.site.isEmpty
            ? nil : try transaction.site(query.site, for: .shiftManager)
        let organisation = wanted?.organisation ?? transaction.principal.organisation
        let sites = try wanted.map { [$0] } ?? transaction.sites(for: .shiftManager)
        let visible = Set([""] + sites.map(\.site.id))
        return try TemplateRow.page(
            of: organisation, after: query.after,
            limit: pageLimit(query.limit, usual: 200, most: 200), transaction.db
        ) { template in
            guard visible.contains(template.site), query.removedToo || !template.removed else {
                return nil
            }
            return template.withoutSections
        }
    }

    static func read(
        _ query: ReadTemplate, in transaction: Transaction
    ) throws -> ChecklistTemplate {
        let row = try required(query.template, query.site, for: .shiftManager, in: transaction)
        guard query.version > 0 else { return row.template }
        // As shifts have pinned it, even if the template was removed since.
        guard
            let kept = try TemplateRow.version(query.version, of: row.template.id, transaction.db)
        else {
            throw Refusal.notFound(
                "the checklist has no version \(query.version); it has 1 to \(row.template.version)"
            )
        }
        return kept.template
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try TemplateRow.each(in: transaction) { template in
            try receiver(TemplateChanged(template: template.withoutSections), template.id)
        }
    }

    // MARK: What the handlers share

    /// Finds where a template belongs, and refuses an asker who may not keep one there.
    private static func place(
        _ template: inout ChecklistTemplate, in transaction: Transaction
    ) throws -> String {
        guard template.site.isEmpty else {
            let row = try transaction.site(template.site, for: .siteManager)
            template.site = row.site.id
            return row.organisation
        }
        try transaction.require(.siteManager, at: "")
        return transaction.principal.organisation
    }

    /// Refuses a template that the sites using it couldn't work with. A list that a task opens may
    /// be added later.
    private static func validate(
        _ template: ChecklistTemplate, in transaction: Transaction
    ) throws {
        let sites = try SiteRow.all(of: .one(template.organisation), transaction.db).map(\.site)
            .filter { template.site.isEmpty || template.site == $0.id }
        var settings = SiteSettings.standard(for: template.site)
        let own = try sites.flatMap { try SiteSettings.of($0.id, transaction.db).priorities }
        settings.priorities = template.site.isEmpty ? settings.priorities + own : own
        let tasks = template.sections.flatMap(\.tasks)
        let rules = ChecklistRules(
            settings: settings, areas: Set(sites.flatMap(\.areas)),
            templates: Set(tasks.map(\.link)))
        try rules.validate(template)
        guard !tasks.isEmpty else { throw Refusal.invalid("the checklist has no task; add one") }
        let size = template.packed().count
        guard size <= TemplateRow.mostBytes else {
            throw Refusal.invalid(
                "the checklist has \(size) bytes, and at most \(TemplateRow.mostBytes) are kept")
        }
    }

    private static func keep(
        _ template: ChecklistTemplate, in transaction: Transaction
    ) throws -> ChecklistTemplate {
        var template = template
        template.removed = false
        template.changed = transaction.now
        template.changedBy = try transaction.askerName()
        try validate(template, in: transaction)
        try TemplateLimits.requireRoom(for: template, transaction.db)
        return try settle(template, isNew: true, in: transaction)
    }

    private static func settle(
        _ template: ChecklistTemplate, isNew: Bool, in transaction: Transaction
    ) throws -> ChecklistTemplate {
        try TemplateRow(template: template).save(isNew: isNew, transaction.db)
        try transaction.publish(
            TemplateChanged(template: template.withoutSections), subject: template.id)
        return template
    }

    private static func validate(_ expected: UInt32, _ present: TemplateRow?) throws(Refusal) {
        let version = present?.template.version ?? 0
        guard expected == 0 || expected == version else {
            throw .conflict(
                "it is now version \(version), and your change was made from version \(expected); "
                    + "read it again"
            ).because(.changedSince)
        }
    }

    /// The template with an id or a name: a site's own, or else that of the whole organisation.
    private static func required(
        _ idOrName: String, _ site: String, for role: Role, in transaction: Transaction
    ) throws -> TemplateRow {
        let principal = transaction.principal
        let place = try site.isEmpty ? nil : transaction.site(site, for: role)
        if let found = try TemplateRow.ofID(idOrName, of: principal.scope, transaction.db) {
            try require(role, for: found, in: transaction)
            return found
        }
        let organisation = place?.organisation ?? principal.organisation
        let named = try TemplateRow.entries(named: idOrName, of: organisation, transaction.db)
        let live = named.filter { !$0.isRemoved }
        let chosen = (live.isEmpty ? named : live).filter {
            place == nil || $0.site == place?.site.id || $0.site.isEmpty
        }
        let best = chosen.first { $0.site == place?.site.id } ?? chosen.first
        guard place != nil || chosen.count <= 1 else {
            throw Refusal.conflict("several sites have a checklist “\(idOrName)”; name the site")
        }
        guard let best,
            let row = try TemplateRow.ofID(best.id, of: principal.scope, transaction.db)
        else { throw Refusal.notFound("there is no checklist “\(idOrName.prefix(100))”") }
        try require(role, for: row, in: transaction)
        return row
    }

    /// Requires a role. To read a template for every site, it is enough to work at one of them.
    private static func require(
        _ role: Role, for row: TemplateRow, in transaction: Transaction
    ) throws {
        if row.template.site.isEmpty, role == .shiftManager { return }
        try transaction.require(role, at: row.template.site)
    }
}

extension ChecklistTemplate {
    /// The template in the form in which it is published: its sections are read on demand.
    var withoutSections: ChecklistTemplate {
        var template = self
        template.sections = []
        return template
    }

    /// True if both have the same content, no matter who made them and when.
    func holdsTheSame(as other: ChecklistTemplate) -> Bool {
        names == other.names && kind == other.kind && dayParts == other.dayParts
            && sections == other.sections && name == other.name && crew == other.crew
            && weekdays == other.weekdays
    }
}

extension Transaction {
    /// The name that people use for the asker.
    func askerName() throws -> String {
        try Person.ofID(principal.account, db)?.displayName ?? principal.name
    }
}
