import Foundation
import Testing

@testable import Disk

struct DiskRoomTests {
    @Test func `what has no size, and what isn't there, is not called full`() {
        #expect(!DiskRoom.isLow(at: "/proc"))
        #expect(!DiskRoom.isLow(at: "/no such file"))
    }
}
