extension Range<Int> {
    /// The first number for which a condition holds, or the upper bound if there is none. The
    /// condition must hold for every number after it as well. The search halves the range.
    @inlinable
    public func bisect(_ holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Array {
    /// The index of the first element for which a condition holds, or the count if there is none.
    /// The condition must hold for every element after it as well. The search halves the array.
    @inlinable
    public func bisect(_ holds: (Element) -> Bool) -> Int {
        (0..<count).bisect { holds(self[$0]) }
    }
}
