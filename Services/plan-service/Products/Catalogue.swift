import Messages
import ServiceRuntime

/// The handlers that import, find and read the assistive products of an organisation's catalogue.
///
/// The catalogue is always that of the sender's organisation.
enum Catalogue {
    static var handlers: [MessageHandler] {
        [
            .command(put, .role(minimum: .administrator, at: .organisation)),
            .query(find, .member),
            .query(read, .member),
        ]
    }

    /// The maximum number of products in one message.
    static let mostProducts = 1_000

    static func put(_ command: PutProducts, in transaction: Transaction) throws -> ProductsPut {
        guard (1...mostProducts).contains(command.products.count) else {
            throw Refusal.invalid(
                "send 1 to \(mostProducts) products at a time, not \(command.products.count)")
        }
        for product in command.products { try product.validate() }
        let organisation = transaction.principal.organisation
        let before = try OrganisationLimits.products(of: organisation, transaction.db)
        var put = ProductsPut()
        for product in command.products {
            let row = ProductRow(organisation: organisation, product: product)
            switch try row.put(transaction.db) {
            case .added: put.added += 1
            case .changed: put.changed += 1
            case .unchanged: put.unchanged += 1
            case .deleted: put.deleted += 1
            }
        }
        try OrganisationLimits.requireRoomForProducts(
            of: organisation, had: before, transaction.db)
        return put
    }

    static func find(_ query: FindProducts, in transaction: Transaction) throws -> Products {
        guard query.isoCode.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Refusal.invalid(
                "“\(query.isoCode.prefix(40))” isn't an ISO 9999 code; give digits, e.g. 1222")
        }
        return try ProductSearch(query, of: transaction.principal.organisation)
            .found(transaction.db)
    }

    static func read(_ query: ReadProduct, in transaction: Transaction) throws -> Product {
        try ProductRow.required(
            query.product, of: transaction.principal.organisation, transaction.db
        ).product
    }
}
