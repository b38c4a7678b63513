import Messages

/// The words in the index of products that say whose a product is, its standing, and its class.
///
/// Nobody can type them: each begins with a letter that no language uses, followed by the UTF-8 of
/// an id or code in hexadecimal, which preserves prefixes.
enum ProductScope {
    /// The first letter of each of them.
    static let mark = "ʘ"

    /// The column `scope` of a product.
    static func words(_ organisation: String, standing: Int, _ isoCode: String) -> String {
        "\(owner(organisation, standing)) \(category(isoCode))"
    }

    /// The same for the rows of the table `product`, in SQL.
    static let sql = """
        '\(mark)o' || lower(hex(organisation)) || 's' || standing \
        || ' \(mark)c' || lower(hex(isoCode))
        """

    /// An FTS5 search for the products of an organisation whose standing is at most this, and whose
    /// class begins with `isoCode`.
    static func expression(
        _ organisation: String, standing: Int, isoCode: String
    ) -> String {
        let owners = (0...standing).map { "\"\(owner(organisation, $0))\"" }
        let whose = "{scope} : (\(owners.joined(separator: " OR ")))"
        return isoCode.isEmpty ? whose : "\(whose) AND {scope} : \"\(category(isoCode))\"*"
    }

    private static func owner(_ organisation: String, _ standing: Int) -> String {
        "\(mark)o\(hexText(organisation.utf8))s\(standing)"
    }

    private static func category(_ isoCode: String) -> String { "\(mark)c\(hexText(isoCode.utf8))" }
}
