import Foundation

/// A file that is open for writing.
package enum OpenFile {
    /// Writes all bytes, from where the last ones ended. A disk that fills up takes a part of them
    /// first, and only then says that it is full.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - file: the descriptor of the file.
    /// - Returns: false if not all could be written; then `errno` says why.
    package static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Foundation.write(file, all.baseAddress?.advanced(by: written), all.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
