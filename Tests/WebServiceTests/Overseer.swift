import Bus
import Foundation
import Messages
import Synchronization
import TestSupport

/// Stands between web-service and the other services of an installation on a private bus, passes
/// every message on, and records what was sent in whose name.
final class Overseer {
    /// A message that web-service sent.
    struct Sent: Hashable, Sendable {
        let service: ServiceName
        let type: String
        let token: [UInt8]
    }

    private struct Tape: Sendable {
        var sent: [Sent] = []
        var fault: String?
        var heldBack: String?
        var isOver = false
    }

    private let tape = Shared()
    private let thread: Thread

    private final class Shared: Sendable {
        let tape = Mutex(Tape())
    }

    /// Begins to pass messages on.
    ///
    /// - Parameters:
    ///   - system: an installation whose services are running.
    ///   - folder: the bus for web-service, in the scratch directory.
    init(_ system: System, folder: String) throws {
        try system.makeFolder(folder)
        let others = ServiceName.allCases.filter { $0 != .web }
        // Events and alerts bypass it; commands and queries go through it.
        for service in others {
            for kind in [EndpointKind.events, .alerts] {
                let name = "\(service.rawValue).\(kind.rawValue)"
                try FileManager.default.createSymbolicLink(
                    atPath: system.path("\(folder)/\(name)"),
                    withDestinationPath: system.path("run/\(name)"))
            }
        }
        let (front, back) = (
            try system.connection(as: "overseer", bus: folder),
            try system.connection(as: "overseer")
        )
        let shared = tape
        thread = Thread {
            do {
                var doors: [Doorway] = []
                for service in others { doors.append(try Doorway(service, front, back)) }
                while !shared.tape.withLock({ $0.isOver }) {
                    var poller = Poller(doors.flatMap(\.sockets))
                    try poller.wait(milliseconds: 100)
                    for door in doors {
                        let sent = try door.pass(
                            except: shared.tape.withLock { $0.heldBack })
                        shared.tape.withLock { $0.sent += sent }
                    }
                }
            } catch {
                shared.tape.withLock { $0.fault = "\(error)" }
            }
        }
        thread.start()
    }

    deinit { tape.tape.withLock { $0.isOver = true } }

    /// Holds back the messages of a type from now on; with nil, passes on those that were held.
    func holdBack(_ type: String?) { tape.tape.withLock { $0.heldBack = type } }

    /// The messages sent so far, in order.
    ///
    /// - Throws: a ``Complaint`` if something could not be passed on.
    func sent() throws -> [Sent] {
        let (sent, fault) = tape.tape.withLock { ($0.sent, $0.fault) }
        if let fault { throw Complaint(fault) }
        return sent
    }
}

/// The commands endpoint of one service as web-service sees it.
private final class Doorway {
    private let service: ServiceName
    private let front: Socket
    private let back: Connection
    private var clients: [[UInt8]: Socket] = [:]
    private var held: [(client: [UInt8], message: [[UInt8]])] = []

    init(_ service: ServiceName, _ front: Connection, _ back: Connection) throws {
        (self.service, self.back) = (service, back)
        self.front = try front.bind(.router, as: service, .commands)
    }

    var sockets: [Socket] { [front] + clients.values }

    /// Passes on the messages that are waiting, in both directions.
    ///
    /// - Parameter type: the type of those that are held back; nil for none.
    /// - Returns: the messages that web-service sent.
    func pass(except type: String?) throws -> [Overseer.Sent] {
        var sent: [Overseer.Sent] = []
        if type == nil {
            for (client, message) in held { _ = try socket(of: client).send(message) }
            held = []
        }
        while let frames = try front.receive() {
            let (client, message) = (frames[0].bytes, frames.dropFirst().map(\.bytes))
            let envelope = try Envelope(unpacking: message.last ?? [])
            sent.append(.init(service: service, type: envelope.type, token: envelope.token))
            if envelope.type == type {
                held.append((client, message))
            } else {
                _ = try socket(of: client).send(message)
            }
        }
        for (client, socket) in clients {
            while let frames = try socket.receive() {
                _ = try front.send([client] + frames.map(\.bytes))
            }
        }
        return sent
    }

    private func socket(of client: [UInt8]) throws -> Socket {
        if let socket = clients[client] { return socket }
        let socket = try back.connect(.dealer, to: service, .commands)
        clients[client] = socket
        return socket
    }
}
