import Bisection
import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

/// Turns typed words into a search for products by words stored in the form of `FoldedText.line`.
enum ProductWords {
    /// An FTS5 search for texts that have a word beginning with each typed word; nil without words.
    ///
    /// - Parameters:
    ///   - typed: what was typed.
    ///   - column: the column of these words; nil for any but that of ``ProductScope``.
    static func expression(_ typed: String, in column: String? = nil) -> String? {
        let words = FoldedText.words(typed).prefix(mostWords)
        guard !words.isEmpty else { return nil }
        let all = words.map { "\"\($0)\"*" }.joined(separator: " AND ")
        // FTS5 is faster without a filter, which only words with this mark need.
        let mayMeetScope = words.contains { $0.hasPrefix(ProductScope.mark) }
        guard let columns = column ?? (mayMeetScope ? "name maker number class" : nil) else {
            return "(\(all))"
        }
        return "{\(columns)} : (\(all))"
    }

    /// The maximum number of words used in a search.
    static let mostWords = 16
}

/// A search for products in the catalogue of an organisation.
struct ProductSearch {
    private let query: FindProducts
    private let organisation: String
    /// The FTS5 search for the typed words; nil without words.
    private let typed: String?

    /// The default and the maximum number of products listed.
    static let usualLimit = 20
    static let largestLimit = 500
    /// The maximum number of matches that are ranked.
    static let mostRanked = 2_000
    /// The maximum size of a list of products, in bytes, so that it fits into one message.
    static let mostBytes = 768 << 10

    init(_ query: FindProducts, of organisation: String) {
        self.query = query
        self.organisation = organisation
        let words = [
            ProductWords.expression(query.text),
            ProductWords.expression(query.maker, in: "maker"),
        ].compactMap { $0 }
        typed = words.isEmpty ? nil : words.joined(separator: " AND ")
    }

    /// The matching products, best first.
    func found(_ db: Database) throws -> Products {
        guard let typed else { return try listed(db) }
        // To rank matches, FTS5 counts the products with each word of the search. Nearly all have
        // the words that say whose they are, so few matches are limited by their rows instead.
        if try isNarrow(typed, db) { return try ranked(by: typed, db) }
        let scope = ProductScope.expression(
            organisation, standing: standing, isoCode: query.isoCode)
        let scoped = "\(typed) AND \(scope)"
        guard query.number.isEmpty else { return try ranked(by: scoped, db) }
        let keys = try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT rowid FROM productText WHERE productText MATCH ? ORDER BY rowid"),
            arguments: [scoped])
        return keys.count > Self.mostRanked
            ? try named(keys, db) : try ranked(by: scoped, matching: keys.count, db)
    }

    /// True if few products of all organisations have these words.
    private func isNarrow(_ words: String, _ db: Database) throws -> Bool {
        let one = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM productText WHERE productText MATCH ? LIMIT 1 OFFSET ?"),
            arguments: [words, Self.mostRanked])
        return one == nil
    }

    // MARK: Pages

    /// Products searched for without words, in order of their names.
    private func listed(_ db: Database) throws -> Products {
        Products(
            products: try page(
                """
                SELECT product FROM product WHERE \(conditions)
                ORDER BY standing, name, id LIMIT :limit OFFSET :from
                """, arguments, db),
            matching: try count("product WHERE \(conditions)", arguments, db))
    }

    /// Products that match words, best first.
    ///
    /// - Parameters:
    ///   - words: the FTS5 search.
    ///   - matching: how many there are, if that is known.
    private func ranked(
        by words: String, matching: Int? = nil, _ db: Database
    ) throws -> Products {
        let source = """
            productText CROSS JOIN product ON product.key = productText.rowid
            WHERE productText MATCH :words AND \(conditions)
            """
        let arguments = arguments + ["words": words]
        return Products(
            products: try page(
                """
                SELECT product.product FROM \(source)
                ORDER BY product.standing, bm25(productText, 8, 2, 6, 3), length(product.name),
                    product.id
                LIMIT :limit OFFSET :from
                """, arguments, db),
            matching: try matching.map { UInt64($0) } ?? count(source, arguments, db))
    }

    /// The products of a broad search, such as for one letter, in order of their names: no match is
    /// much better than another, and few rows need to be read.
    ///
    /// - Parameter keys: their keys, ascending.
    private func named(_ keys: [Int64], _ db: Database) throws -> Products {
        let walked = try Int64.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT key FROM product WHERE organisation = ? AND standing <= ?
                    ORDER BY standing, name, id
                    """), arguments: [organisation, standing])
        var (wanted, passed): ([Int64], UInt64) = ([], 0)
        while wanted.count < limit, let key = try walked.next() {
            let place = keys.bisect { $0 >= key }
            guard place < keys.count, keys[place] == key else { continue }
            if passed < query.from { passed += 1 } else { wanted.append(key) }
        }
        let product = try db.cachedStatement(sql: "SELECT product FROM product WHERE key = ?")
        var page = Page<Product>(limit: limit, bytes: Self.mostBytes)
        for key in wanted {
            guard let row = try Data.fetchOne(product, arguments: [key]),
                page.add(try Product(stored: [UInt8](row)), bytes: row.count + 8)
            else { break }
        }
        return Products(products: page.rows, matching: UInt64(keys.count))
    }

    private func page(
        _ sql: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [Product] {
        let rows = try Data.fetchCursor(
            db.cachedStatement(sql: sql),
            arguments: arguments + ["limit": limit, "from": Int64(query.from)])
        var page = Page<Product>(limit: limit, bytes: Self.mostBytes)
        while let row = try rows.next(),
            page.add(try Product(stored: [UInt8](row)), bytes: row.count + 8)
        {}
        return page.rows
    }

    private func count(
        _ source: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> UInt64 {
        let count = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM \(source)"), arguments: arguments)
        return UInt64(count ?? 0)
    }

    // MARK: Conditions

    private var limit: Int {
        pageLimit(query.limit, usual: Self.usualLimit, most: Self.largestLimit)
    }

    private var conditions: String {
        var conditions = [
            "product.organisation = :organisation",
            "product.standing <= :standing",
        ]
        if !query.isoCode.isEmpty {
            conditions.append("product.isoCode >= :class AND product.isoCode < :classEnd")
        }
        if !query.number.isEmpty {
            conditions.append(
                """
                product.key IN (
                    SELECT key FROM product WHERE organisation = :organisation AND number = :number
                    UNION ALL SELECT key FROM product
                    WHERE organisation = :organisation AND supplierNumber = :number)
                """)
        }
        return conditions.joined(separator: " AND ")
    }

    /// The last standing that is listed.
    private var standing: Int { query.inactiveToo ? 2 : 1 }

    private var arguments: StatementArguments {
        var arguments: StatementArguments = ["organisation": organisation, "standing": standing]
        if !query.isoCode.isEmpty {
            // In ASCII the colon follows the nine.
            arguments += ["class": query.isoCode, "classEnd": query.isoCode + ":"]
        }
        if !query.number.isEmpty { arguments += ["number": query.number] }
        return arguments
    }
}
