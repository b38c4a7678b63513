/// How many rows an answer has at most.
///
/// - Parameters:
///   - wanted: how many were asked for; 0 when the asker leaves it to the service.
///   - usual: how many then.
///   - most: never more, whatever was asked for.
public func pageLimit(_ wanted: UInt32, usual: Int, most: Int) -> Int {
    wanted == 0 ? usual : min(Int(wanted), most)
}
