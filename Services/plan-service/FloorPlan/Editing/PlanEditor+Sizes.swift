import Messages

/// Sizes that were probably measured in centimetres and given in millimetres: allowed, but worth a
/// warning, because a chair that is ten times too small gets through every door.
extension PlanEditor {
    /// A warning for each thing, door or room that has become too small to be one.
    func tinySizes(of changes: [ItemChange]) -> [String] {
        var warnings: [String] = []
        for change in changes where warnings.count < Self.mostWarnings {
            guard let after = change.after, let size = after.tinySize,
                size != change.before?.tinySize
            else { continue }
            warnings.append("\(after.words) is only \(size); were centimetres meant?")
        }
        return warnings
    }
}

extension PlanItem {
    /// Its size if nothing of its kind is so small; nil for anything else.
    fileprivate var tinySize: String? {
        switch item {
        case .element(let element):
            guard max(element.width, element.depth) < element.kind.leastLength else { return nil }
            return "\(element.width) x \(element.depth) mm"
        case .opening(let opening):
            let isDoor = [.door, .slidingDoor, .passage].contains(opening.kind)
            return isDoor && opening.width < 300 ? "\(opening.width) mm wide" : nil
        case .room(let room):
            let area = room.polygon.area
            return area < 250_000 ? "\((area / 10_000).rounded() / 100) m²" : nil
        default: return nil
        }
    }
}

extension ElementKind {
    /// The longer side of the smallest that there is, in millimetres; 0 if it can be of any size.
    fileprivate var leastLength: UInt32 {
        switch self {
        case .bed, .toilet, .shower, .bath, .kitchenBench, .table, .seat, .wheelchair: 300
        case .washbasin, .cupboard, .appliance: 200
        default: 0
        }
    }
}
