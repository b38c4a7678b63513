import Foundation
import Synchronization

/// What the process is doing, in a small file beside the store: when it dies, the next process
/// reads what it died of. What is written is there whatever becomes of the process, without a
/// flush of the disk; only a machine that fails takes it along, and that was no one's doing.
final class CrashRecord: Sendable {
    /// Who does something. Each has a place of its own in the file.
    struct Place {
        static let loop = Place(number: 1)
        static let job = Place(number: 2)
        private static let firstOfWorkers = 3
        fileprivate let number: Int

        /// The place of a worker, by its number in the process, from 0 on.
        static func worker(_ number: Int) -> Place { Place(number: firstOfWorkers + number) }
    }

    /// What the former process did when it ended.
    struct Finding {
        let act: String
        /// True when the thread that did it failed by itself: it was not killed from outside.
        let isFault: Bool
    }

    /// The bytes of a place: the thread, the length of the text, the text.
    private static let placeSize = 1024
    private static let textSize = placeSize - 16
    private static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

    private let file: Int32

    /// Opens the file, and makes it when it is not there.
    init(path: String) throws(Outage) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Outage(
                exitCode: Outage.storage,
                "the file \(path) can't be written (\(String(cString: strerror(errno)))); make its "
                    + "directory writable for this account")
        }
    }

    deinit { close(file) }

    /// Notes what the calling thread is about to do.
    func note(_ act: String, in place: Place) {
        let text = Array(act.utf8.prefix(Self.textSize))
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: UInt64(pthread_self()), as: UInt64.self)
            $0.storeBytes(of: UInt64(text.count), toByteOffset: 8, as: UInt64.self)
        }
        bytes += text
        // When it can't be written, a crash is counted for what was noted before, or not at all.
        pwrite(file, bytes, bytes.count, off_t(place.number * Self.placeSize))
    }

    /// Notes that nothing is done any more.
    func clear(_ place: Place) {
        let nothing = [UInt8](repeating: 0, count: 16)
        pwrite(file, nothing, nothing.count, off_t(place.number * Self.placeSize))
    }

    /// What the former process was doing.
    func findings() -> [Finding] {
        let fault = number(at: 0)
        let size = max(0, Int(lseek(file, 0, SEEK_END)))
        return (0..<size / Self.placeSize + 1).dropFirst().compactMap { place in
            let start = place * Self.placeSize
            let count = number(at: start + 8)
            guard count > 0, count <= UInt64(Self.textSize) else { return nil }
            var text = [UInt8](repeating: 0, count: Int(count))
            guard pread(file, &text, text.count, off_t(start + 16)) == text.count else {
                return nil
            }
            return Finding(
                act: String(decoding: text, as: UTF8.self),
                isFault: fault != 0 && fault == number(at: start))
        }
    }

    /// Drops what was noted, and from now on notes which thread fails.
    func begin() {
        var nothing: UInt64 = 0
        if ftruncate(file, 0) != 0 { for place in [Place.loop, .job] { clear(place) } }
        pwrite(file, &nothing, 8, 0)
        faultFile.store(file, ordering: .relaxed)
        // A thread whose stack is full needs another one to say so.
        var stack = stack_t()
        stack.ss_size = 64 << 10
        stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
        sigaltstack(&stack, nil)
        var action = sigaction()
        // Afterwards the fault happens again, and ends the process as if no one had looked.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_ONSTACK
        action.__sigaction_handler.sa_handler = { _ in
            var thread = UInt64(pthread_self())
            pwrite(faultFile.load(ordering: .relaxed), &thread, 8, 0)
        }
        for number in Self.faults { sigaction(number, &action, nil) }
    }

    private func number(at offset: Int) -> UInt64 {
        var number: UInt64 = 0
        return pread(file, &number, 8, off_t(offset)) == 8 ? number : 0
    }
}

/// Where a thread that fails says so. A signal handler knows nothing but globals.
private let faultFile = Atomic<Int32>(-1)
