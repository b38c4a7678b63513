import Foundation
import Messages
import Synchronization

/// Records what the process is doing, in a small file next to the store, from which the next
/// process learns what this one died of. Writes survive the end of the process without a flush of
/// the disk. Only a failure of the machine loses them, and then no act was to blame.
final class CrashRecord: Sendable {
    /// A thread that does something. Each has its own place in the file.
    struct Place {
        static let loop = Place(number: 1)
        static let job = Place(number: 2)
        private static let firstOfWorkers = 3
        fileprivate let number: Int

        /// The place of a worker, by its number in the process, starting at 0.
        static func worker(_ number: Int) -> Place { Place(number: firstOfWorkers + number) }
    }

    /// What the previous process was doing when it ended.
    struct Finding {
        let act: String
        /// True when the thread itself failed, rather than being killed from outside.
        let isFault: Bool
    }

    /// The size of a place: the thread, the length of the text, the text.
    private static let placeSize = 1024
    private static let textSize = placeSize - 16
    private static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

    private let file: Int32

    /// Opens the file, and creates it if it does not exist.
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

    /// What is kept of an act: the whole, unless that is too long.
    static func cut(_ act: String) -> String { act.prefix(bytes: textSize) }

    /// Records what the calling thread is about to do.
    func note(_ act: String, in place: Place) {
        let text = Array(Self.cut(act).utf8)
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: UInt64(pthread_self()), as: UInt64.self)
            $0.storeBytes(of: UInt64(text.count), toByteOffset: 8, as: UInt64.self)
        }
        bytes += text
        // If this fails, a crash is counted for what was recorded before, or not at all.
        pwrite(file, bytes, bytes.count, off_t(place.number * Self.placeSize))
    }

    /// Records that nothing is being done.
    func clear(_ place: Place) {
        let nothing = [UInt8](repeating: 0, count: 16)
        pwrite(file, nothing, nothing.count, off_t(place.number * Self.placeSize))
    }

    /// What the previous process was doing.
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

    /// Deletes the old record, and from now on records which thread fails.
    func begin() {
        var nothing: UInt64 = 0
        if ftruncate(file, 0) != 0 { for place in [Place.loop, .job] { clear(place) } }
        pwrite(file, &nothing, 8, 0)
        faultFile.store(file, ordering: .relaxed)
        // A thread whose stack is full needs another one to run the handler.
        var stack = stack_t()
        stack.ss_size = 64 << 10
        stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
        sigaltstack(&stack, nil)
        var action = sigaction()
        // After the handler the fault happens again and ends the process as usual.
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

/// The file in which a failing thread records itself; a signal handler can only use globals.
private let faultFile = Atomic<Int32>(-1)
