import Messages

extension Sequence {
    /// The messages for the first elements, as many as fit into this many bytes.
    ///
    /// A lazy `prefix(while:)` may ask its condition again about the same element, so one that
    /// counts bytes would count them twice.
    func messages<M: ProtobufMessage>(
        within bytes: Int, _ make: (Element) throws -> M
    ) rethrows -> [M] {
        var (left, made): (Int, [M]) = (bytes, [])
        for element in self {
            let message = try make(element)
            left -= message.packed().count
            guard left >= 0 else { break }
            made.append(message)
        }
        return made
    }
}
