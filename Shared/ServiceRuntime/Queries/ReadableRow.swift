import Foundation
import Messages

extension ProtobufMessage {
    /// The message in a row; nil if it can't be read.
    public static func readable(_ bytes: Data) -> Self? {
        do { return try Self(stored: [UInt8](bytes)) } catch { return nil }
    }
}
