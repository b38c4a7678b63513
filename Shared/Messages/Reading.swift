internal import CProtobufC

// The functions that the generated `init(c:)` calls. They are safe: protobuf-c has checked every
// length against the bytes received, and everything is copied before the arena is freed.

@inline(__always)
func readString(
    _ text: ProtobufCBinaryData, _ field: StaticString, _ check: FieldCheck, bytes: Int = .max,
    isASCII: Bool = false
) throws(ProtobufError) -> String {
    if text.len == 0 { return "" }
    try check.bytes(text.len, field, most: bytes)
    let utf8 = UnsafeBufferPointer<UInt8>(start: text.data, count: text.len)
    // Not String(validating:as:), which is unspecialized and costs 80 ns more for each string.
    guard let valid = try? UTF8Span(validating: utf8.span) else {
        throw .invalidUTF8(field: field.description)
    }
    let string = String(copying: valid)
    guard check.isOn, !valid.isKnownASCII else { return string }
    if isASCII, utf8.contains(where: { $0 >= 0x80 }) { throw .notASCII(field: field.description) }
    if string.hasEndlessMarks { throw .tooManyMarks(field: field.description) }
    return string
}

@inline(__always)
func readBytes(
    _ bytes: ProtobufCBinaryData, _ field: StaticString, _ check: FieldCheck, bytes most: Int = .max
) throws(ProtobufError) -> [UInt8] {
    try check.bytes(bytes.len, field, most: most)
    return [UInt8](UnsafeBufferPointer(start: bytes.data, count: bytes.len))
}

@inline(__always)
func readNumber<T: FixedWidthInteger>(
    _ number: T, _ field: StaticString, _ check: FieldCheck, _ range: ClosedRange<T>
) throws(ProtobufError) -> T {
    guard !check.isOn || range.contains(number) else {
        throw .outOfRange(
            field: field.description, value: "\(number)",
            range: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
}

@inline(__always)
func readFinite<T: BinaryFloatingPoint>(
    _ number: T, _ field: StaticString, _ check: FieldCheck
) throws(ProtobufError) -> T {
    guard !check.isOn || number.isFinite else {
        throw .outOfRange(field: field.description, value: "\(number)", range: "a finite number")
    }
    return number
}

/// protoc-c's enums are unsigned unless a value is negative; on the wire they are always signed.
@inline(__always)
func readEnum<E: ProtobufEnum>(_ number: some FixedWidthInteger) -> E {
    E(rawValue: Int32(truncatingIfNeeded: number))
}

@inline(__always)
func readOptional<M: CBridged>(
    _ c: UnsafeMutablePointer<M.CStruct>?, _ check: FieldCheck
) throws(ProtobufError) -> M? {
    guard let c else { return nil }
    return try M(c: c, check)
}

@inline(__always)
func readRequired<M: CBridged>(
    _ c: UnsafeMutablePointer<M.CStruct>?, _ field: StaticString, _ check: FieldCheck
) throws(ProtobufError) -> M {
    guard let c else {
        if check.isOn { throw .missing(field: field.description) }
        return M()
    }
    return try M(c: c, check)
}

/// Reads a message. protobuf-c may leave one out of a map entry, which means the default.
@inline(__always)
func readMessage<M: CBridged>(
    _ c: UnsafeMutablePointer<M.CStruct>?, _ check: FieldCheck
) throws(ProtobufError) -> M {
    guard let c else { return M() }
    return try M(c: c, check)
}

func readScalars<T: BitwiseCopyable>(_ start: UnsafeMutablePointer<T>?, _ count: Int) -> [T] {
    [T](UnsafeBufferPointer(start: start, count: count))
}

func readMessages<M: CBridged>(
    _ start: UnsafeMutablePointer<UnsafeMutablePointer<M.CStruct>?>?, _ count: Int,
    _ check: FieldCheck
) throws(ProtobufError) -> [M] {
    try readEach(start, count) { c throws(ProtobufError) in try readMessage(c, check) }
}

@inline(__always)
func readEach<C, T>(
    _ start: UnsafeMutablePointer<C>?, _ count: Int,
    _ read: (C) throws(ProtobufError) -> T
) throws(ProtobufError) -> [T] {
    var result = [T]()
    result.reserveCapacity(count)
    for c in UnsafeBufferPointer(start: start, count: count) { result.append(try read(c)) }
    return result
}

@inline(__always)
func readMap<Entry, Key: Hashable, Value>(
    _ start: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>?, _ count: Int,
    _ read: (UnsafeMutablePointer<Entry>) throws(ProtobufError) -> (Key, Value)
) throws(ProtobufError) -> [Key: Value] {
    var result = [Key: Value](minimumCapacity: count)
    for case let entry? in UnsafeBufferPointer(start: start, count: count) {
        let (key, value) = try read(entry)
        result[key] = value
    }
    return result
}
