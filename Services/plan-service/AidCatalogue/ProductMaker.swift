import Foundation
import Messages

/// What is known of a series.
package struct CatalogueSeries: Hashable, Sendable {
    /// What it is called.
    package let title: String
    /// The class of its products; may be empty.
    package let isoCode: String
}

/// Makes products of what a catalogue tells.
struct ProductMaker {
    var series: [String: CatalogueSeries] = [:]
    private var labels: [String: SizeLabel?] = [:]

    /// Unicode scalars of a name; the rest is cut.
    private static let longestName = 300
    /// Bytes of an id or number. What is longer is none.
    private static let longestNumber = 200
    /// Labels that are remembered.
    private static let mostLabels = 5_000

    /// A product, a series, or why it is neither.
    mutating func entry(_ source: SourceProduct, line: Int, offset: Int) -> CatalogueEntry {
        if source.fault == nil, source.isSeries {
            if series.count < CatalogueReader.mostSeries {
                series[source.series] = CatalogueSeries(
                    title: Self.clean(source.title), isoCode: source.isoCode)
            }
            return .series
        }
        var source = source
        var product = Product()
        identify(&product, source)
        let names = [source.name, source.title, product.number, product.id]
        let name = names.map(Self.clean).first { !$0.isEmpty } ?? ""
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
                    line: line, offset: offset, name: Self.short(name, 100), reason: fault))
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
        product.number = Self.clean(source.number)
        product.supplierNumber = Self.clean(source.supplierNumber)
        product.maker = Self.clean(source.maker)
        product.id = Self.clean(source.id)
        // Suppliers' messages have no id: the supplier's own number is one within the supplier.
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
            own.flatMap { $0.title.isEmpty ? nil : $0.title } ?? Self.clean(source.title)
        if product.number.utf8.count > Self.longestNumber { product.number = "" }
        if product.supplierNumber.utf8.count > Self.longestNumber { product.supplierNumber = "" }
        product.accessory = source.isAccessory
        product.isoTitle = Self.clean(source.isoTitle)
        let code = source.isoCode.isEmpty ? own?.isoCode ?? "" : source.isoCode
        product.isoCode = code.filter { !$0.isWhitespace && $0 != "." }
        if !Self.isClass(product.isoCode) {
            product.notes.append("“\(Self.short(Self.clean(code), 40))” is no class of ISO 9999.")
            product.isoCode = ""
        }
        switch source.state.uppercased() {
        case "", "ACTIVE": product.state = .active
        case "DELETED": product.state = .deleted
        case "INACTIVE": product.state = .inactive
        default:
            product.state = .inactive
            product.notes.append(
                "The state “\(Self.short(Self.clean(source.state), 40))” is not known.")
        }
        let times = [source.updated, source.published, source.created].filter { !$0.isEmpty }
        if let time = times.lazy.compactMap(CatalogueTime.milliseconds).first {
            product.updated = max(0, time)
        } else if !times.isEmpty {
            product.notes.append(
                "When it was changed can't be read: “\(Self.short(Self.clean(times[0]), 40))”.")
        }
    }

    private static func isClass(_ code: String) -> Bool {
        (4...8).contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// What a label measures. Most labels come again and again.
    private mutating func label(_ key: String) -> SizeLabel? {
        if let known = labels[key] { return known }
        let label = SizeLabel(key)
        if labels.count < Self.mostLabels { labels[key] = .some(label) }
        return label
    }

    /// A text on one line, without control characters and blanks around it.
    static func clean(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 < 0x80 }
        if isPlain, text.utf8.first != 0x20, text.utf8.last != 0x20,
            text.utf8.count <= longestName
        {
            return text
        }
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || isControl($0)
        }.map { String($0) }
        return short(
            words.joined(separator: " ").precomposedStringWithCanonicalMapping, longestName)
    }

    /// So many scalars of a text, with `…` where it was cut: a letter may have any number of them.
    static func short(_ text: String, _ most: Int) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= most ? text : String(scalars.prefix(most)) + "…"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .lineSeparator
    }
}
