import Messages

extension Product {
    /// The product as an element of a plan, with a copy of its present state in the catalogue.
    ///
    /// The maximum of each size is used, because the product has to fit at that size.
    ///
    /// - Parameters:
    ///   - id: its id in the plan.
    ///   - centre: its centre.
    ///   - angle: its angle, in thousandths of a degree.
    /// - Throws: `Refusal` for a product without a place of its own in a plan, or without a known
    ///   size.
    package func element(
        id: String, centre: PlanPoint, angle: UInt32
    ) throws(Refusal) -> Element {
        let aidClass = AidClass.of(isoCode)
        guard state != .deleted else {
            throw .notFound("“\(name)” was removed from its catalogue")
        }
        guard !accessory else {
            throw .invalid(
                "“\(name)” is an accessory or a spare part, which has no place of its own; place "
                    + "the product that it belongs to")
        }
        guard aidClass?.hasNoFootprint != true || width?.most != nil && depth?.most != nil else {
            throw .invalid("“\(name)” is \(aidClass?.words ?? "") and doesn't stand on the floor")
        }
        guard let width = size(width), let depth = size(depth) else {
            throw .invalid(
                "“\(name)” has no size in its catalogue, and none is usual for its class "
                    + "\(isoCode); add an element with the size that you measure")
        }
        let kind = aidClass?.kind ?? .aid
        // A plan can't record a doubt, so an uncertain value counts as not stated.
        let circle = turningDiameter.flatMap { $0.guess.isEmpty ? $0.most : nil } ?? 0
        return Element(
            id: id, kind: kind, label: name, centre: centre, width: width.most, depth: depth.most,
            height: height?.most ?? 0, angle: angle,
            product: PlacedProduct(
                id: self.id, number: number, name: name, maker: maker, isoCode: isoCode,
                sizeEstimated: width.isGuess || depth.isGuess),
            wheelchair: kind == .wheelchair ? Wheelchair(turningDiameter: circle) : nil)
    }

    /// The size to plan with; if only the minimum is known, the minimum as an estimate.
    private func size(_ measure: ProductMeasure?) -> (most: UInt32, isGuess: Bool)? {
        guard let measure, let most = measure.most ?? measure.least else { return nil }
        return (most, !measure.guess.isEmpty || measure.most == nil)
    }
}
