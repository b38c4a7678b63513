import Foundation

/// The reader that libFuzzer feeds with bytes it makes up, guided by the code that they reach: a
/// reader of files or the unpacker of messages. `STEWARD_READER` names it; see
/// `Tests/Explorer/explore`. Whatever the bytes are, a reader returns or throws.
private let reader: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["STEWARD_READER"] ?? ""
    guard let reader = Readers.all[name] else {
        let names = Readers.all.keys.sorted().joined(separator: ", ")
        FileHandle.standardError.write(Data("STEWARD_READER is one of \(names)\n".utf8))
        exit(64)
    }
    return reader
}()

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    reader([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
