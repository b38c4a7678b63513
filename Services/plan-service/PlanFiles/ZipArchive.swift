import CZip
import Messages

/// A zip archive in memory, of which single entries are read.
///
/// The handle of libzip is used by one thread and closed in `deinit`; `bytes` outlives it.
final class ZipArchive {
    private let file: String
    private let bytes: UnsafeMutableRawBufferPointer
    private let zip: OpaquePointer

    /// Opens an archive.
    init(_ bytes: [UInt8], named file: String) throws(Refusal) {
        guard !Self.isLarge(bytes) else {
            throw .invalid(
                "\(file) is a zip of the form for over 65,534 entries, which no plan needs; save "
                    + "the home again")
        }
        self.file = file
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        let source = zip_source_buffer_create(copy.baseAddress, UInt64(copy.count), 0, &error)
        guard let zip = zip_open_from_source(source, ZIP_RDONLY, &error) else {
            zip_source_free(source)
            let reason = String(cString: zip_error_strerror(&error))
            copy.deallocate()
            throw .invalid(
                "\(file) is not a whole zip (\(reason)); copy or save the whole file again")
        }
        self.zip = zip
        self.bytes = copy
    }

    deinit {
        zip_discard(zip)
        bytes.deallocate()
    }

    /// True when there is a locator of the large form near the end (APPNOTE.TXT 4.3.15).
    private static func isLarge(_ bytes: [UInt8]) -> Bool {
        let tail = bytes.suffix(66_000)
        let locator: [UInt8] = [0x50, 0x4b, 6, 7]
        return tail.indices.contains { tail[$0] == 0x50 && tail[$0...].starts(with: locator) }
    }

    /// The bytes of an entry, unpacked as far as ``PlanFile/largestText``.
    func entry(_ name: String) throws(Refusal) -> [UInt8] {
        let index = zip_name_locate(zip, name, 0)
        guard index >= 0 else {
            throw .invalid(
                "\(file) has no entry \(name); save the home with Sweet Home 3D 5.3 or newer, or "
                    + PlanFile.formats)
        }
        guard let handle = zip_fopen_index(zip, UInt64(index), 0) else {
            let reason = String(cString: zip_error_strerror(zip_get_error(zip)))
            throw .invalid(
                "\(file), entry \(name) can't be unpacked (\(reason)); save it as a plain zip "
                    + "without a password")
        }
        defer { zip_fclose(handle) }
        var unpacked: [UInt8] = []
        let piece = 1 << 18
        while true {
            let before = unpacked.count
            unpacked.append(contentsOf: repeatElement(0, count: piece))
            let count = unpacked.withUnsafeMutableBytes {
                zip_fread(handle, $0.baseAddress.map { $0 + before }, UInt64(piece))
            }
            guard count >= 0 else {
                let reason = String(cString: zip_error_strerror(zip_file_get_error(handle)))
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
}
