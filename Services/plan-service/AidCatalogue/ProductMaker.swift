import Foundation
import Messages

/// The facts known about a series.
package struct CatalogueSeries: Hashable, Sendable {
    /// Its title.
    package let title: String
    /// The class of its products; may be empty.
    package let isoCode: String
}

/// Makes products from the entries of a catalogue.
struct ProductMaker {
    var series: [String: CatalogueSeries] = [:]
    private var labels: [String: SizeLabel?] = [:]

    /// The maximum length of an id or number, in bytes. A product with a longer id is refused; a
    /// longer number is dropped.
    private static let longestNumber = 200
    /// The maximum number of labels remembered.
    private static let mostLabels = 5_000

    /// Turns a source into a product, a series, or the reason why it is neither.
    mutating func entry(_ source: SourceProduct, line: Int, offset: Int) -> CatalogueEntry {
        if source.fault == nil, source.isSeries {
            if series.count < CatalogueReader.mostSeries {
                series[source.series] = CatalogueSeries(
                    title: CatalogueText.clean(source.title), isoCode: source.isoCode)
            }
            return .series
        }
        var source = source
        var product = Product()
        identify(&product, source)
        let names = [source.name, source.title, product.number, product.id]
        let name = names.map(CatalogueText.clean).first { !$0.isEmpty } ?? ""
        if product.id.isEmpty { source.fault = source.fault ?? "it has no id and no number" }
        if product.id.utf8.count > Self.longestNumber { source.fault = "its id is too long" }
        if name.isEmpty || name == product.id, source.fault == nil,
            source.state.uppercased() != "DELETED"
        {
            source.fault = "it has no name"
        }
        if let fault = source.fault {
            return .refused(
                RefusedEntry(
                    line: line, offset: offset, name: CatalogueText.short(name, 100), reason: fault)
            )
        }
        describe(&product, source, name: name)
        guard product.state != .deleted else { return .product(product) }
        var sizes = SizeReading(isAccessory: product.accessory, class: AidClass.of(product.isoCode))
        for fact in source.facts {
            if let label = label(fact.key) { sizes.take(fact, label) }
        }
        sizes.settle(into: &product)
        return .product(product)
    }

    private func identify(_ product: inout Product, _ source: SourceProduct) {
        product.number = CatalogueText.clean(source.number)
        product.supplierNumber = CatalogueText.clean(source.supplierNumber)
        product.maker = CatalogueText.clean(source.maker)
        product.id = CatalogueText.clean(source.id)
        // Suppliers' messages have no id, but the supplier's own number identifies the product
        // there.
        if product.id.isEmpty { product.id = product.number }
        if product.id.isEmpty, !product.supplierNumber.isEmpty {
            product.id = [product.maker, product.supplierNumber].filter { !$0.isEmpty }
                .joined(separator: "/")
        }
    }

    private func describe(_ product: inout Product, _ source: SourceProduct, name: String) {
        let own = series[source.series]
        product.name = name
        product.title =
            own.flatMap { $0.title.isEmpty ? nil : $0.title } ?? CatalogueText.clean(source.title)
        if product.number.utf8.count > Self.longestNumber { product.number = "" }
        if product.supplierNumber.utf8.count > Self.longestNumber { product.supplierNumber = "" }
        product.accessory = source.isAccessory
        product.isoTitle = CatalogueText.clean(source.isoTitle)
        let code = source.isoCode.isEmpty ? own?.isoCode ?? "" : source.isoCode
        product.isoCode = code.filter { !$0.isWhitespace && $0 != "." }
        if !Self.isClass(product.isoCode) {
            product.notes.append(
                "“\(CatalogueText.short(CatalogueText.clean(code), 40))” isn't an ISO 9999 class.")
            product.isoCode = ""
        }
        switch source.state.uppercased() {
        case "", "ACTIVE": product.state = .active
        case "DELETED": product.state = .deleted
        case "INACTIVE": product.state = .inactive
        default:
            product.state = .inactive
            let state = CatalogueText.short(CatalogueText.clean(source.state), 40)
            product.notes.append("The state “\(state)” is not known.")
        }
        let times = [source.updated, source.published, source.created].filter { !$0.isEmpty }
        if let time = times.lazy.compactMap(CatalogueTime.milliseconds).first {
            product.updated = max(0, time)
        } else if !times.isEmpty {
            let time = CatalogueText.short(CatalogueText.clean(times[0]), 40)
            product.notes.append("The time of its last change can't be read: “\(time)”.")
        }
    }

    private static func isClass(_ code: String) -> Bool {
        (4...8).contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// What a label measures, remembered because most labels recur.
    private mutating func label(_ key: String) -> SizeLabel? {
        if let known = labels[key] { return known }
        let label = SizeLabel(key)
        if labels.count < Self.mostLabels { labels[key] = .some(label) }
        return label
    }
}
