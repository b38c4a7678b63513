import CSodium
import Foundation

/// SHA-256 (FIPS 180-4), for comparing copies.
public struct Checksum {
    private var state = crypto_hash_sha256_state()

    /// Makes the checksum of no bytes yet.
    public init() { crypto_hash_sha256_init(&state) }

    /// The checksum of the concatenated parts: 32 bytes.
    public static func of(_ parts: [UInt8]...) -> [UInt8] {
        var checksum = Checksum()
        for part in parts { checksum.add(part) }
        return checksum.bytes()
    }

    /// Adds more bytes.
    public mutating func add(_ bytes: [UInt8]) {
        crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// The checksum of all bytes, 32 bytes long. Call it once, at the end.
    public mutating func bytes() -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256_final(&state, &sum)
        return sum
    }

    /// The checksum of all bytes in hexadecimal digits. Call it once, at the end.
    public mutating func text() -> String { Self.digits(bytes()) }

    /// Bytes in hexadecimal digits.
    public static func digits(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// A checksum that only someone with the key can make: HMAC-SHA-256 (RFC 2104), 32 bytes.
    public static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
        var sum = [UInt8](repeating: 0, count: 32)
        crypto_auth_hmacsha256_final(&state, &sum)
        return sum
    }

    /// Reads a file in pieces of a mebibyte.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - piece: called with each piece; an error it throws stops the reading.
    /// - Returns: the file's size in bytes and its checksum.
    /// - Throws: the system's error when the file can't be read.
    public static func ofFile(
        _ path: String, _ piece: ([UInt8]) throws -> Void = { _ in }
    ) throws -> (size: UInt64, sum: String) {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { file.closeFile() }
        var checksum = Checksum()
        var size: UInt64 = 0
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty {
            let bytes = [UInt8](data)
            checksum.add(bytes)
            size += UInt64(bytes.count)
            try piece(bytes)
        }
        return (size, checksum.text())
    }
}
