import CSodium
import Disk
import Foundation

/// Why a text can't be sealed or opened.
package struct SealFault: Error, CustomStringConvertible {
    package let description: String
}

/// The key with which a service seals what must not be read in its store or in a backup of it: 32
/// random bytes in a file that only the service's own account may read. The file isn't in any
/// backup.
package struct SealingKey: Sendable {
    private let bytes: [UInt8]
    private static let size = 32
    private static let nonceSize = 24
    private static let tagSize = 16

    /// Reads the key, and makes it first if there is none.
    ///
    /// - Parameter path: the file.
    /// - Throws: ``SealFault`` if the file can't be read or made, or others may read it.
    package init(at path: String) throws(SealFault) {
        guard sodium_init() >= 0 else { throw SealFault(description: "libsodium does not start") }
        if let bytes = try Self.read(path) {
            self.bytes = bytes
            return
        }
        var bytes = [UInt8](repeating: 0, count: Self.size)
        randombytes_buf(&bytes, bytes.count)
        // First written completely under another name: a kill leaves all of it or nothing.
        let fresh = path + ".new"
        unlink(fresh)
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.fault("make", fresh) }
        let isKept = OpenFile.write(bytes, to: file) && fsync(file) == 0
        close(file)
        // What is sealed with a key that is lost is lost too.
        guard isKept, rename(fresh, path) == 0, Folder.flushName(of: path) else {
            throw Self.fault("make", path)
        }
        self.bytes = bytes
    }

    private static func read(_ path: String) throws(SealFault) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw fault("read", path) }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw fault("read", path) }
        guard status.st_mode & 0o077 == 0 else {
            throw SealFault(
                description: "others may read \(path); deny them access: chmod 600 \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: size + 1)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        guard count == size else {
            throw SealFault(description: "\(path) isn't a key; delete it and log in again")
        }
        return Array(bytes.prefix(size))
    }

    private static func fault(_ what: String, _ path: String) -> SealFault {
        SealFault(description: "can't \(what) \(path): \(String(cString: strerror(errno)))")
    }

    /// Seals a text (XSalsa20 and Poly1305, with a fresh nonce in front).
    package func sealed(_ text: String) -> [UInt8] {
        let message = Array(text.utf8)
        var nonce = [UInt8](repeating: 0, count: Self.nonceSize)
        randombytes_buf(&nonce, nonce.count)
        var sealed = [UInt8](repeating: 0, count: message.count + Self.tagSize)
        crypto_secretbox_easy(&sealed, message, UInt64(message.count), nonce, bytes)
        return nonce + sealed
    }

    /// A mark by which a text is recognised, and which reveals nothing about it without the key
    /// (BLAKE2b with the key).
    package func mark(of text: String) -> [UInt8] {
        let message = Array(text.utf8)
        var mark = [UInt8](repeating: 0, count: Self.size)
        crypto_generichash(
            &mark, mark.count, message, UInt64(message.count), bytes, bytes.count)
        return mark
    }

    /// The text that was sealed; nil if it was sealed with another key or has been altered.
    package func opened(_ sealed: [UInt8]) -> String? {
        guard sealed.count >= Self.nonceSize + Self.tagSize else { return nil }
        let nonce = Array(sealed.prefix(Self.nonceSize))
        let box = Array(sealed.dropFirst(Self.nonceSize))
        var message = [UInt8](repeating: 0, count: box.count - Self.tagSize)
        guard crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, bytes) == 0 else {
            return nil
        }
        return String(validating: message, as: UTF8.self)
    }
}
