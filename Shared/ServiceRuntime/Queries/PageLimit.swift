/// The maximum number of rows in an answer.
///
/// - Parameters:
///   - wanted: the number requested; 0 to leave it to the service.
///   - usual: the number when none was requested.
///   - most: the limit for any request.
public func pageLimit(_ wanted: UInt32, usual: Int, most: Int) -> Int {
    wanted == 0 ? usual : min(Int(wanted), most)
}
