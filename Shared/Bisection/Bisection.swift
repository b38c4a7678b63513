extension Range<Int> {
    /// The first number for which a condition holds that also holds for every number after it; the
    /// upper bound when it holds for none. Found by halving the range.
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
    /// The place of the first element for which a condition holds that also holds for every element
    /// after it; the count when it holds for none. Found by halving the array.
    @inlinable
    public func bisect(_ holds: (Element) -> Bool) -> Int {
        (0..<count).bisect { holds(self[$0]) }
    }
}
