import CZlib

/// Compression of what is sent (RFC 1952).
public enum Gzip {
    /// The bytes compressed as small as possible, without a time or a name; nil when that fails for
    /// lack of memory.
    public static func compressed(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for the header of gzip instead of zlib's own.
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var (input, output) = (
            bytes, [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 64)
        )
        let isDone = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(clamping: source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(clamping: target.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        return isDone ? Array(output[..<Int(stream.total_out)]) : nil
    }
}
