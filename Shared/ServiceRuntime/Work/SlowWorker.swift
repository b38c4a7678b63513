import Bus
import Foundation
import Messages
import Synchronization

/// A thread that does the work of slow commands or errands, one after another. It and the loop wake
/// each other through a pair of sockets; the work and its result are passed in memory.
final class SlowWorker {
    /// The work and the result, shared by both threads.
    private final class Desk: Sendable {
        let work = Mutex<(act: String, work: SlowCommandHandler.Work)?>(nil)
        let result = Mutex<Result<any Sendable, any Error>?>(nil)
    }

    /// Readable when the work is done.
    let socket: Socket
    private let desk = Desk()
    private let endpoint: String
    /// The command or the errand that it works for.
    private(set) var command: MessageID?

    /// Starts the thread, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - name: a name that no other worker of the process has.
    ///   - record: where it records what it does.
    ///   - place: its own place in the record.
    init(named name: String, noting record: CrashRecord, at place: CrashRecord.Place) throws {
        endpoint = "inproc://worker-\(name)"
        socket = try Socket(.pair, in: .shared)
        try socket.bind(endpoint)
        let (desk, endpoint) = (desk, endpoint)
        Thread.detachNewThread { Self.run(desk, endpoint, record, place) }
        // A message sent before the thread has connected is lost, and the work with it.
        while try socket.receive() == nil { try Poller.wait(for: socket, milliseconds: -1) }
    }

    /// Starts the work for a command or an errand.
    ///
    /// - Parameters:
    ///   - work: the work.
    ///   - command: the id of the command or errand.
    ///   - act: what is recorded while it works.
    func begin(
        _ work: @escaping SlowCommandHandler.Work, for command: MessageID, as act: String
    ) throws {
        self.command = command
        desk.work.withLock { $0 = (act, work) }
        try socket.send([[]])
    }

    /// The command whose work is done and its result; returned only once.
    func takeResult() throws -> (command: MessageID, result: Result<any Sendable, any Error>)? {
        guard try socket.receive() != nil, let command else { return nil }
        let result = desk.result.withLock { result in
            defer { result = nil }
            return result
        }
        self.command = nil
        return result.map { (command, $0) }
    }

    private static func run(
        _ desk: Desk, _ endpoint: String, _ record: CrashRecord, _ place: CrashRecord.Place
    ) {
        do {
            let socket = try Socket(.pair, in: .shared)
            try socket.connect(endpoint)
            try socket.send([[]])
            while true {
                try Poller.wait(for: socket, milliseconds: -1)
                guard try socket.receive() != nil else { continue }
                let work = desk.work.withLock { work in
                    defer { work = nil }
                    return work
                }
                guard let (act, work) = work else { continue }
                record.note(act, in: place)
                let result = Result { try work() }
                record.clear(place)
                desk.result.withLock { $0 = result }
                try socket.send([[]])
            }
        } catch {
            preconditionFailure("a worker lost its socket inside the process: \(error)")
        }
    }
}
