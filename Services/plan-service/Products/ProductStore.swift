import Foundation
import GRDB
import Messages
import Texts

/// A product's row: the newest state that an organisation has put. A product that was removed from
/// its catalogue keeps its row, so that an older state doesn't bring it back.
struct ProductRow {
    let organisation: String
    let product: Product

    /// The outcome of putting a product.
    enum Outcome {
        case added
        case changed
        case unchanged
        case deleted
    }

    /// The order in which products are listed: available ones, then parts of other products, then
    /// those no longer supplied.
    private enum Standing: Int {
        case current
        case accessory
        case inactive
        case deleted

        init(_ product: Product) {
            switch product.state {
            case .deleted: self = .deleted
            case .inactive: self = .inactive
            default: self = product.accessory ? .accessory : .current
            }
        }
    }

    /// Makes the table and its index of words.
    static func makeTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE product (
                    key INTEGER NOT NULL PRIMARY KEY,
                    organisation TEXT NOT NULL, id TEXT NOT NULL, number TEXT NOT NULL,
                    supplierNumber TEXT NOT NULL, isoCode TEXT NOT NULL, name TEXT NOT NULL,
                    standing INTEGER NOT NULL, updated INTEGER NOT NULL, product BLOB NOT NULL,
                    UNIQUE (organisation, id)
                ) STRICT;
                CREATE INDEX productNumber ON product (organisation, number);
                CREATE INDEX productSupplierNumber ON product (organisation, supplierNumber);
                CREATE INDEX productClass ON product (organisation, isoCode, standing, name);
                CREATE INDEX productName ON product (organisation, standing, name);
                CREATE VIRTUAL TABLE productText USING fts5(
                    name, maker, number, class, tokenize = 'unicode61', prefix = '1 2 3'
                );
                """)
    }

    /// Adds to the index of words what a search is limited to, so that it need not look at the row
    /// of each match, and lets pages be read in the order of an index.
    static func indexScopes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE scopedText USING fts5(
                    name, maker, number, class, scope, tokenize = 'unicode61', prefix = '1 2 3'
                );
                INSERT INTO scopedText (rowid, name, maker, number, class, scope)
                    SELECT product.key, productText.name, maker, productText.number, class,
                        \(ProductScope.sql)
                    FROM productText JOIN product ON product.key = productText.rowid;
                DROP TABLE productText;
                ALTER TABLE scopedText RENAME TO productText;
                DROP INDEX productName;
                CREATE INDEX productName ON product (organisation, standing, name, id);
                """)
    }

    /// Saves a product if it is newer than its row.
    ///
    /// Of two states with the same time the later arrival counts, but nothing brings back a product
    /// that was removed at that time.
    func put(_ db: Database) throws -> Outcome {
        let bytes = Data(product.packed())
        let present = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT key, standing, updated, product FROM product
                    WHERE organisation = ? AND id = ?
                    """), arguments: [organisation, product.id])
        let isDeleted = product.state == .deleted
        guard let present else {
            try insert(bytes, db)
            return isDeleted ? .deleted : .added
        }
        let (updated, standing) = (present["updated"] as Int64, present["standing"] as Int)
        let wasDeleted = standing == Standing.deleted.rawValue
        let former: Data = present["product"]
        guard product.updated >= updated, former != bytes,
            !(product.updated == updated && wasDeleted && !isDeleted)
        else { return .unchanged }
        try replace(present["key"], bytes, db)
        try OrganisationLimits.growProduct(by: bytes.count - former.count, of: organisation, db)
        return isDeleted && !wasDeleted ? .deleted : isDeleted ? .unchanged : .changed
    }

    private func insert(_ bytes: Data, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO product (organisation, id, number, supplierNumber, isoCode, name,
                    standing, updated, product)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                organisation, product.id, product.number, product.supplierNumber, product.isoCode,
                foldedName, Standing(product).rawValue, product.updated, bytes,
            ])
        try index(db.lastInsertedRowID, db)
        try OrganisationLimits.addProduct(bytes: bytes.count, to: organisation, db)
    }

    private func replace(_ key: Int64, _ bytes: Data, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE product SET number = ?, supplierNumber = ?, isoCode = ?, name = ?,
                    standing = ?, updated = ?, product = ? WHERE key = ?
                """
        ).execute(
            arguments: [
                product.number, product.supplierNumber, product.isoCode, foldedName,
                Standing(product).rawValue, product.updated, bytes, key,
            ])
        try db.cachedStatement(sql: "DELETE FROM productText WHERE rowid = ?")
            .execute(arguments: [key])
        try index(key, db)
    }

    private func index(_ key: Int64, _ db: Database) throws {
        guard product.state != .deleted else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO productText (rowid, name, maker, number, class, scope)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                key, FoldedText.line(product.name + " " + product.title),
                FoldedText.line(product.maker),
                FoldedText.line(product.number + " " + product.supplierNumber),
                FoldedText.line("\(product.isoCode) \(product.isoTitle) \(product.classWords)"),
                ProductScope.words(
                    organisation, standing: Standing(product).rawValue, product.isoCode),
            ])
    }

    private var foldedName: String { FoldedText.line(product.name) }

    // MARK: Finding

    /// The product with an id or a number, or else with a supplier's number.
    ///
    /// - Throws: `Refusal` if there is none, or if several have the id or number. Of products with
    ///   the same number, those that are supplied no more don't count beside one that is.
    static func required(
        _ idOrNumber: String, of organisation: String, _ db: Database
    ) throws -> ProductRow {
        guard !idOrNumber.isEmpty else { throw Refusal.invalid("name the product, or its number") }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id = ?2 AS hasID, number = ?2 AS hasNumber, standing, product
                    FROM product
                    WHERE organisation = ?1 AND (id = ?2 OR number = ?2 OR supplierNumber = ?2)
                    ORDER BY hasID DESC, hasNumber DESC, standing, name LIMIT 50
                    """), arguments: [organisation, idOrNumber])
        let wanted = idOrNumber.prefix(100)
        let available = rows.filter { $0["standing"] != Standing.deleted.rawValue }
        guard let best = available.first else {
            throw Refusal.notFound(
                rows.isEmpty
                    ? "there is no product “\(wanted)” in the catalogue; find one by words"
                    : "the product “\(wanted)” was removed from its catalogue")
        }
        let (hasID, standing) = (best["hasID"] as Bool, best["standing"] as Int)
        func isNamed(_ row: Row) -> Bool { row["hasID"] as Bool || row["hasNumber"] as Bool }
        let meant = available.filter { row in
            // The id of one product may be the number of another, in whatever state.
            isNamed(row) == isNamed(best) && (hasID || row["standing"] as Int == standing)
        }
        guard meant.count == 1 else { throw try ambiguous(String(wanted), meant) }
        return ProductRow(
            organisation: organisation,
            product: try Product(stored: [UInt8](best["product"] as Data)))
    }

    /// The refusal of an id or number that several products have.
    private static func ambiguous(_ wanted: String, _ rows: [Row]) throws -> Refusal {
        let most = 5
        let named = try rows.prefix(most).map { row in
            let product = try Product(stored: [UInt8](row["product"] as Data))
            return "\(product.id.prefix(100)) “\(product.name.prefix(100))”"
        }
        let list = named.joined(separator: ", ") + (rows.count > most ? " and more" : "")
        return .conflict(
            "several products have the id or number “\(wanted)”: \(list); give an id that only one "
                + "of them has")
    }
}
