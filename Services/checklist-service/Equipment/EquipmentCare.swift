import Messages
import ServiceRuntime
import Texts

/// The equipment of the sites: the state and history of each piece, and the places of spare parts.
enum EquipmentCare {
    static var handlers: [MessageHandler] {
        [
            .command(report, .role(minimum: .crew, at: .site)),
            .command(putPart, .role(minimum: .shiftManager, at: .site)),
            .command(removePart, .role(minimum: .shiftManager, at: .site)),
            .query(list, .role(minimum: .display, at: .site)),
            .query(findParts, .role(minimum: .crew, at: .site)),
        ]
    }

    static func report(_ command: ReportEquipment, in transaction: Transaction) throws -> Equipment
    {
        let row = try transaction.site(command.site, forAnyArea: .crew)
        let name = try Equipment.checked(command.name, "the name of a piece of equipment")
        guard command.area.isEmpty || row.areas.contains(command.area) else {
            throw Refusal.notFound(
                "the site has no area “\(command.area.prefix(100))”; it has "
                    + row.areas.joined(separator: ", ")
            ).because(.areaMissing, of: command.area)
        }
        let account = transaction.principal.account
        let isLeader = transaction.principal.holds(.shiftManager, at: row.site.id)
        let most = isLeader ? Equipment.mostNamedByLeader : Equipment.mostNamed
        let known = try Equipment.named(name, at: row.site.id, transaction.db)
        guard
            try known != nil
                || Equipment.count(namedBy: account, at: row.site.id, transaction.db) < most
        else {
            throw Refusal.conflict(
                "this account has named \(most) pieces of equipment here; report on one of those, "
                    + "or let somebody else name it"
            ).because(.equipmentLimit, ["most": "\(most)"])
        }
        var equipment =
            known ?? Equipment(id: "\(transaction.id)", site: row.site.id, name: name)
        let entry = EquipmentEntry(
            time: transaction.now, by: try transaction.askerName(), state: command.state,
            text: command.text)
        try equipment.enter(entry, area: command.area)
        try equipment.save(entry, namedBy: account, transaction.db)
        try transaction.publish(EquipmentChanged(equipment: equipment), subject: equipment.id)
        return equipment
    }

    static func list(
        _ query: ListEquipment, in transaction: Transaction
    ) throws -> EquipmentList {
        let row = try transaction.site(query.site, forAnyArea: .display)
        let words = FoldedText.name(query.text)
        var rest = try Equipment.all(at: row.site.id, transaction.db)[...]
        if !query.after.isEmpty {
            guard let last = rest.firstIndex(where: { $0.id == query.after }) else {
                throw Refusal.notFound("there is no equipment “\(query.after.prefix(100))”")
            }
            rest = rest[(last + 1)...]
        }
        let found = rest.filter {
            (!query.faultyOnly || $0.state != .working)
                && (words.isEmpty || FoldedText.name($0.name).contains(words))
        }
        let share = Equipment.bytesTold / max(1, found.count)
        var page = Page<Equipment>(limit: .max, bytes: Equipment.bytesOfPage)
        for var piece in found {
            piece.history = try piece.entries(bytes: share, transaction.db)
            guard page.add(piece, bytes: piece.packed().count) else {
                return EquipmentList(equipment: page.rows, next: page.rows.last?.id ?? "")
            }
        }
        return EquipmentList(equipment: page.rows)
    }

    static func putPart(_ command: PutSparePart, in transaction: Transaction) throws -> SparePart {
        var part = command.part
        part.site = try transaction.site(part.site, for: .shiftManager).site.id
        try part.validate()
        let others = try SparePart.all(at: part.site, transaction.db)
        if let other = others.first(where: { !part.number.isEmpty && $0.isNumbered(part.number) }),
            !other.isNamed(part.name)
        {
            throw Refusal.conflict("the number \(part.number) is that of “\(other.name)”")
        }
        let kept = others.first { $0.number == part.number && $0.isNamed(part.name) }
        guard kept != nil || others.count < SparePart.most else {
            throw Refusal.conflict(
                "the site has \(others.count) spare parts already; remove one that is not kept")
        }
        if let kept {
            if command.keepsCount { part.count = kept.count }
            if command.keepsFits { part.fits = kept.fits }
            try part.validate()
        }
        // An earlier version may have kept its number in another spelling.
        try kept?.delete(transaction.db)
        try part.save(transaction.db)
        return part
    }

    static func removePart(
        _ command: RemoveSparePart, in transaction: Transaction
    ) throws -> SparePart {
        let site = try transaction.site(command.site, for: .shiftManager).site.id
        let found = try SparePart.all(at: site, transaction.db).filter {
            $0.isNumbered(command.part) || $0.isNamed(command.part)
        }
        guard let part = found.first else {
            throw Refusal.notFound("there is no spare part “\(command.part.prefix(100))”")
        }
        guard found.count == 1 else {
            throw Refusal.conflict("several spare parts have this name; give the number")
        }
        try part.delete(transaction.db)
        return part
    }

    static func findParts(
        _ query: FindSpareParts, in transaction: Transaction
    ) throws -> SpareParts {
        let site = try transaction.site(query.site, forAnyArea: .crew).site.id
        let words = FoldedText.name(query.text).split(separator: " ")
        let found = try SparePart.all(at: site, transaction.db).filter { part in
            words.allSatisfy { part.searchText.contains($0) }
        }
        let parts = Page.first(of: found)
        return SpareParts(parts: parts, leftOut: UInt32(clamping: found.count - parts.count))
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try Equipment.each(in: transaction) { equipment in
            try receiver(EquipmentChanged(equipment: equipment), equipment.id)
        }
    }
}
