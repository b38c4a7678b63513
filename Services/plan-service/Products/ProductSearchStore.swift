import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

/// Turns typed words into a search for products by words stored in the form of `FoldedText.line`.
enum ProductWords {
    /// An FTS5 search for texts that have a word beginning with each typed word, in any of these
    /// columns; nil without words.
    static func expression(_ typed: String, in columns: String) -> String? {
        let words = FoldedText.words(typed).prefix(mostWords).map { "\"\($0)\"*" }
        guard !words.isEmpty else { return nil }
        return "{\(columns)} : (\(words.joined(separator: " AND ")))"
    }

    /// The maximum number of words used in a search.
    static let mostWords = 16
}

/// A search for products in the catalogue of an organisation.
struct ProductSearch {
    private let query: FindProducts
    private let organisation: String
    /// The FTS5 search for the typed words among what the search is limited to; nil without words.
    private let words: String?

    /// The default and the maximum number of products listed.
    static let usualLimit = 20
    static let largestLimit = 500
    /// The maximum number of matches that are ranked.
    static let mostRanked = 2_000
    /// The maximum size of a list of products, bytes, so that it fits into one message.
    static let mostBytes = 768 << 10

    init(_ query: FindProducts, of organisation: String) {
        self.query = query
        self.organisation = organisation
        let typed = [
            ProductWords.expression(query.text, in: "name maker number class"),
            ProductWords.expression(query.maker, in: "maker"),
        ].compactMap { $0 }
        let scope = ProductScope.expression(
            organisation, standing: Self.standing(query), isoCode: query.isoCode)
        words = typed.isEmpty ? nil : (typed + [scope]).joined(separator: " AND ")
    }

    /// The matching products, best first.
    func found(_ db: Database) throws -> Products {
        let matching =
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM \(counted)"),
                arguments: words == nil || !query.number.isEmpty
                    ? arguments : ["words": words]) ?? 0
        let limit = pageLimit(query.limit, usual: Self.usualLimit, most: Self.largestLimit)
        let rows = try Data.fetchCursor(
            db.cachedStatement(sql: page(isBroad: matching > Self.mostRanked)),
            arguments: arguments + ["limit": limit, "from": Int64(query.from)])
        var products: [Product] = []
        var bytes = 0
        while let row = try rows.next() {
            bytes += row.count + 8
            guard products.isEmpty || bytes <= Self.mostBytes else { break }
            products.append(try Product(stored: [UInt8](row)))
        }
        return Products(products: products, matching: UInt64(matching))
    }

    /// The products of a page.
    ///
    /// In a broad search, such as for one letter, no match is much better than another, so the page
    /// is in order of names, which doesn't require examining all of them.
    private func page(isBroad: Bool) -> String {
        guard words != nil, !isBroad else {
            let among =
                words == nil
                ? ""
                : "AND key IN (SELECT rowid FROM productText WHERE productText MATCH :words)"
            return """
                SELECT product.product FROM product WHERE \(conditions) \(among)
                ORDER BY product.standing, product.name, product.id LIMIT :limit OFFSET :from
                """
        }
        return """
            SELECT product.product FROM \(source)
            ORDER BY product.standing, bm25(productText, 8, 2, 6, 3), length(product.name),
                product.id
            LIMIT :limit OFFSET :from
            """
    }

    /// What is counted. The index alone gives the number of matches, unless a product number is
    /// searched for.
    private var counted: String {
        words == nil || !query.number.isEmpty
            ? source : "productText WHERE productText MATCH :words"
    }

    private var source: String {
        words == nil
            ? "product WHERE \(conditions)"
            : """
            productText CROSS JOIN product ON product.key = productText.rowid
            WHERE productText MATCH :words AND \(conditions)
            """
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
    private static func standing(_ query: FindProducts) -> Int { query.inactiveToo ? 2 : 1 }

    private var arguments: StatementArguments {
        var arguments: StatementArguments = [
            "organisation": organisation, "standing": Self.standing(query),
        ]
        if let words { arguments += ["words": words] }
        if !query.isoCode.isEmpty {
            // In ASCII the colon follows the nine.
            arguments += ["class": query.isoCode, "classEnd": query.isoCode + ":"]
        }
        if !query.number.isEmpty { arguments += ["number": query.number] }
        return arguments
    }
}
