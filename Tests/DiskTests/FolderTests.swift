import Foundation
import Testing

@testable import Disk

struct FolderTests {
    @Test func `a folder is flushed, and one that isn't there is reported`() {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(Folder.flush(folder))
        let isFlushed = Folder.flush(folder + "/nothing is here")
        let code = errno
        #expect(!isFlushed && code == ENOENT)
        #expect(!Folder.flush("/dev/null"))
    }

    @Test func `the name of a file is flushed, wherever the file is`() {
        #expect(Folder.flushName(of: "/etc/hostname"))
        #expect(Folder.flushName(of: "/a file of the root"))
        #expect(Folder.flushName(of: "a file of the current folder"))
        #expect(!Folder.flushName(of: "/no such folder/file"))
    }

    @Test func `a folder of a file system that can't flush it is as good as flushed`() {
        #expect(Folder.flush("/proc"))
    }
}
