/// The middle of some places. Places on either side of the date line are near each other.
struct MiddlePlace {
    private var first: Double?
    /// The sum of the degrees north, and of those east of the first place.
    private var north = 0.0
    private var east = 0.0
    private var count = 0
    private var isAcross = false

    /// Adds a place in degrees.
    mutating func add(latitude: Double, longitude: Double) {
        let first = first ?? longitude
        self.first = first
        var degrees = longitude - first
        if abs(degrees) > 180, max(abs(first), abs(longitude)) <= 180 {
            degrees -= degrees > 0 ? 360 : -360
            isAcross = true
        }
        north += latitude
        east += degrees
        count += 1
    }

    /// The middle in degrees; nil if there is no place.
    var place: (latitude: Double, longitude: Double)? {
        guard let first else { return nil }
        var longitude = first + east / Double(count)
        if isAcross, abs(longitude) > 180 { longitude -= longitude > 0 ? 360 : -360 }
        return (north / Double(count), longitude)
    }
}
