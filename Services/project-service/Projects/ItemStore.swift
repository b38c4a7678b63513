import Foundation
import GRDB
import Messages
import ProjectLanguage
import ProjectRecord

/// The things in projects, one row for each.
enum ItemStore {
    /// The number of each kind in the store; parts are read in this order.
    static func number(of kind: ProjectItem.Kind) -> Int {
        switch kind {
        case .details: 0
        case .member: 1
        case .version: 2
        case .issue: 3
        case .relation: 4
        case .baseline: 5
        case .entry: 6
        }
    }

    /// A project with everything in it.
    static func record(
        of project: String, _ details: ProjectDetails, _ db: Database
    ) throws -> ProjectRecord {
        let rows = try Data.fetchCursor(
            db.cachedStatement(sql: "SELECT item FROM item WHERE project = ?"),
            arguments: [project])
        var items: [ProjectItem] = []
        while let row = try rows.next() {
            items.append(try ProjectThing(stored: [UInt8](row)).item(in: details))
        }
        return ProjectRecord(
            kept: details, items, lastNumbers: try lastNumbers(of: project, db))
    }

    /// A project with what can be read of it, for its alerts. A person who can't be read still has
    /// their account, with the days of the project and UTC; other things are missing.
    static func salvaged(
        of project: String, _ details: ProjectDetails, _ db: Database
    ) throws -> ProjectRecord {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT item.number, item, account FROM item LEFT JOIN memberAccount
                        ON memberAccount.project = item.project
                        AND memberAccount.number = item.number AND kind = ?
                    WHERE item.project = ?
                    """), arguments: [number(of: .member), project])
        var items: [ProjectItem] = []
        while let row = try rows.next() {
            if let item = readable(row["item"], in: details) {
                items.append(item)
            } else if let account = row["account"] as String? {
                var member = Member(id: row["number"], name: "", calendar: details.calendar)
                member.account = account
                items.append(.member(member))
            }
        }
        return ProjectRecord(
            kept: details, items, lastNumbers: try lastNumbers(of: project, db))
    }

    private static func readable(_ bytes: Data, in details: ProjectDetails) -> ProjectItem? {
        do { return try ProjectThing.readable(bytes)?.item(in: details) } catch { return nil }
    }

    private static func lastNumbers(
        of project: String, _ db: Database
    ) throws -> [ProjectItem.Kind: Int] {
        var numbers: [ProjectItem.Kind: Int] = [:]
        let kinds = Dictionary(
            uniqueKeysWithValues: ProjectItem.Kind.allCases.map { (number(of: $0), $0) })
        for row in try Row.fetchAll(
            db.cachedStatement(sql: "SELECT kind, number FROM lastNumber WHERE project = ?"),
            arguments: [project])
        {
            if let kind = kinds[row[0]] { numbers[kind] = row[1] }
        }
        return numbers
    }

    /// The numbers of the things of a kind in a project, even of those that can't be read.
    static func numbers(
        of kind: ProjectItem.Kind, in project: String, _ db: Database
    ) throws -> [Int] {
        try Int.fetchAll(
            db.cachedStatement(
                sql: "SELECT number FROM item WHERE project = ? AND kind = ? ORDER BY number"),
            arguments: [project, number(of: kind)])
    }

    /// The things in a project after the first `skipping`: as many as one message should carry.
    ///
    /// - Returns: the things, and whether more come after them.
    static func part(
        of project: String, skipping: Int, withTime: Bool, bytes: Int, _ db: Database
    ) throws -> (things: [ProjectThing], isLast: Bool) {
        let last = number(of: withTime ? .entry : .baseline)
        let rows = try Data.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT item FROM item WHERE project = ? AND kind <= ?
                    ORDER BY kind, number LIMIT -1 OFFSET ?
                    """),
            arguments: [project, last, skipping])
        var things: [ProjectThing] = []
        var size = 0
        while let row = try rows.next() {
            size += row.count
            if size > bytes, !things.isEmpty { return (things, false) }
            things.append(try ProjectThing(stored: [UInt8](row)))
        }
        return (things, true)
    }

    /// By how many bytes the things grow with changes.
    static func growth(of changes: [ProjectChange]) -> Int {
        changes.reduce(0) { sum, change in
            let sizes = [change.before, change.after].map { item in
                guard let item, item.key.kind != .details else { return 0 }
                return ProjectThing(item).packed().count
            }
            return sum + sizes[1] - sizes[0]
        }
    }

    /// Writes what changed. The details of a project are kept with the project itself.
    ///
    /// - Returns: by how many bytes the things have grown.
    static func save(
        _ changes: [ProjectChange], of project: String, _ db: Database
    ) throws -> Int {
        let remove = try db.cachedStatement(
            sql: "DELETE FROM item WHERE project = ? AND kind = ? AND number = ?")
        let put = try db.cachedStatement(
            sql: """
                INSERT INTO item (project, kind, number, item) VALUES (?, ?, ?, ?)
                ON CONFLICT (project, kind, number) DO UPDATE SET item = excluded.item
                """)
        let count = try db.cachedStatement(
            sql: """
                INSERT INTO lastNumber (project, kind, number) VALUES (?, ?, ?)
                ON CONFLICT (project, kind) DO UPDATE SET
                    number = max(number, excluded.number)
                """)
        var growth = 0
        for change in changes {
            guard let key = change.after?.key ?? change.before?.key, key.kind != .details
            else { continue }
            let kind = number(of: key.kind)
            if key.kind == .member {
                var account = ""
                if case .member(let member)? = change.after { account = member.account }
                try MemberAccount.save(account, of: key.id, in: project, db)
            }
            if let before = change.before { growth -= ProjectThing(before).packed().count }
            guard let after = change.after else {
                try remove.execute(arguments: [project, kind, key.id])
                continue
            }
            let packed = ProjectThing(after).packed()
            growth += packed.count
            try put.execute(arguments: [project, kind, key.id, Data(packed)])
            if change.before == nil { try count.execute(arguments: [project, kind, key.id]) }
        }
        return growth
    }
}
