import Foundation
import RedmineClient
import Testing

/// The key that protects log-ins in the store.
@Suite struct SealingKeyTests {
    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/seal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func `only the same key opens what it sealed, even after a restart`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = try SealingKey(at: folder + "/key")
        let sealed = key.sealed("418d242c é")
        #expect(sealed != key.sealed("418d242c é"))
        #expect(try SealingKey(at: folder + "/key").opened(sealed) == "418d242c é")
        #expect(try SealingKey(at: folder + "/other").opened(sealed) == nil)
        for place in sealed.indices {
            var altered = sealed
            altered[place] ^= 1
            #expect(key.opened(altered) == nil)
        }
        for count in 0..<sealed.count { #expect(key.opened(Array(sealed.prefix(count))) == nil) }
        #expect(key.opened(key.sealed("")) == "")
    }

    @Test func `only the owner may read the key file, and a damaged one is refused`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/key"
        // A file that a kill left half written is not used as a key.
        try Data("half".utf8).write(to: URL(filePath: path + ".new"))
        _ = try SealingKey(at: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 32)
        chmod(path, 0o640)
        #expect(throws: SealFault.self) { try SealingKey(at: path) }
        chmod(path, 0o600)
        try Data(repeating: 1, count: 33).write(to: URL(filePath: path))
        chmod(path, 0o600)
        #expect(throws: SealFault.self) { try SealingKey(at: path) }
        #expect(throws: SealFault.self) { try SealingKey(at: folder + "/none/key") }
    }
}
