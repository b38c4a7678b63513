import Messages

/// How large something is whose size its catalogue doesn't give: between half of what was guessed
/// from its class or another measure, and twice as much.
package enum GuessedSize: Sendable {
    case least, most
}

extension Element {
    /// True if its size is a guess. A wheelchair is in nobody's way, and a ramp of unknown size
    /// makes up for no threshold: see ``RampDoubt/size``.
    package var isGuessed: Bool {
        product?.sizeEstimated == true && kind != .wheelchair && aidRole != .ramp
    }

    /// The same as small or as large as it may be, in its place.
    package func sized(_ size: GuessedSize) -> Element {
        guard isGuessed else { return self }
        func sized(_ length: UInt32) -> UInt32 {
            switch size {
            case .least: max(length / 2, 1)
            case .most: UInt32(clamping: 2 * UInt64(length))
            }
        }
        var element = self
        (element.width, element.depth) = (sized(width), sized(depth))
        return element
    }
}

extension PlanItem {
    /// True if it is an element whose size is a guess.
    package var isGuessed: Bool {
        guard case .element(let element) = item else { return false }
        return element.isGuessed
    }

    /// The same as small or as large as it may be.
    package func sized(_ size: GuessedSize) -> PlanItem {
        guard case .element(let element) = item, element.isGuessed else { return self }
        return PlanItem(item: .element(element.sized(size)))
    }
}

extension FloorPlan {
    /// True if the size of something is a guess.
    package var hasGuesses: Bool { elements.values.contains(where: \.isGuessed) }

    /// The plan with all such things as small or as large as they may be.
    package func sized(_ size: GuessedSize) -> FloorPlan {
        var plan = self
        for element in elements.values where element.isGuessed {
            plan.apply(ItemChange(after: PlanItem(item: .element(element.sized(size)))))
        }
        return plan
    }
}
