import CZip
import Messages

/// A zip archive in memory, from which single entries are read.
struct ZipArchive {
    private let bytes: [UInt8]
    private let file: String

    /// - Throws: if it has the format for more entries than any plan has, whose list alone could
    ///   fill the memory.
    init(_ bytes: [UInt8], named file: String) throws(Refusal) {
        // The locator of that format is near the end (APPNOTE.TXT 4.3.15).
        let tail = bytes.suffix(66_000)
        let locator: [UInt8] = [0x50, 0x4b, 6, 7]
        guard !tail.indices.contains(where: { tail[$0...].starts(with: locator) }) else {
            throw .invalid(
                "\(file) is a zip of the form for over 65,534 entries, which no plan needs; save "
                    + "the home again")
        }
        self.bytes = bytes
        self.file = file
    }

    /// The bytes of an entry, unpacked up to ``PlanFile/largestText``.
    func entry(_ name: String) throws(Refusal) -> [UInt8] {
        try bytes.withUnsafeBytes { bytes -> Result<[UInt8], Refusal> in
            do throws(Refusal) {
                return .success(try read(name, from: bytes))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Opens the archive, reads an entry and closes both, all within the lifetime of `bytes`.
    private func read(
        _ name: String, from bytes: UnsafeRawBufferPointer
    ) throws(Refusal) -> [UInt8] {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, &error)
        guard let zip = zip_open_from_source(source, ZIP_RDONLY, &error) else {
            zip_source_free(source)
            throw .invalid(
                "\(file) is not a whole zip (\(Self.words(&error))); copy or save the whole file "
                    + "again")
        }
        defer { zip_discard(zip) }
        let index = zip_name_locate(zip, name, 0)
        guard index >= 0 else {
            throw .invalid(
                "\(file) has no entry \(name); save the home with Sweet Home 3D 5.3 or newer, or "
                    + PlanFile.formats)
        }
        guard let handle = zip_fopen_index(zip, UInt64(index), 0) else {
            throw .invalid(
                "\(file), entry \(name) can't be unpacked (\(Self.words(zip_get_error(zip)))); "
                    + "save it as a plain zip without a password")
        }
        defer { zip_fclose(handle) }
        return try read(handle, name)
    }

    private func read(_ handle: OpaquePointer, _ name: String) throws(Refusal) -> [UInt8] {
        var unpacked: [UInt8] = []
        let piece = 1 << 18
        while true {
            let before = unpacked.count
            unpacked.append(contentsOf: repeatElement(0, count: piece))
            let count = unpacked.withUnsafeMutableBytes {
                zip_fread(handle, $0.baseAddress.map { $0 + before }, UInt64(piece))
            }
            guard count >= 0 else {
                let reason = Self.words(zip_file_get_error(handle))
                throw .invalid(
                    "\(file), entry \(name) is damaged (\(reason)); copy or save it again")
            }
            unpacked.removeLast(piece - Int(count))
            if count == 0 { return unpacked }
            guard unpacked.count <= PlanFile.largestText else {
                throw .invalid(
                    "\(file), entry \(name) unpacks to more than "
                        + "\(PlanFile.largestText >> 20) MiB, which no plan needs")
            }
        }
    }

    /// libzip's description of an error.
    private static func words(_ error: UnsafeMutablePointer<zip_error_t>?) -> String {
        zip_error_strerror(error).map { String(cString: $0) } ?? "unknown"
    }
}
