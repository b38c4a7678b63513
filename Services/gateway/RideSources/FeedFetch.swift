import Foundation
import WebClient

/// Fetches a file by HTTP, or from this machine, again and again; what hasn't changed is not
/// fetched again (ETag, Last-Modified; for a file, its time and size).
///
/// Up to five redirections are followed. Proxies that the environment names are not used.
struct FeedFetch {
    /// Why nothing was fetched: a clause for a person.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// How many times a server may redirect.
    private static let redirections = 5

    private let place: String
    private let isFile: Bool
    private let largest: Int
    private let limits: WebExchange.Limits
    private var known = WebExchange.Version()

    /// - Parameters:
    ///   - place: a URL, or the path of a file.
    ///   - isFile: whether it is a path.
    ///   - largest: the maximum number of bytes.
    init(_ place: String, isFile: Bool, largest: Int) {
        (self.place, self.isFile, self.largest) = (place, isFile, largest)
        var limits = WebExchange.Limits(bytes: largest)
        (limits.connect, limits.whole) = (5_000, 15_000)
        self.limits = limits
    }

    /// The bytes; nil if they are the same as before.
    mutating func next() throws(Failure) -> [UInt8]? {
        try isFile ? read() : ask()
    }

    // MARK: Files

    private mutating func read() throws(Failure) -> [UInt8]? {
        // A pipe or a device would be read forever.
        let file = open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(description: "this is not a file")
        }
        let version = "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec) \(facts.st_size)"
        guard version != known.tag else { return nil }
        guard facts.st_size <= largest else { throw tooLarge }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var count = 0
        while count < bytes.count {
            let part = bytes[count...].withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress, $0.count)
            }
            guard part > 0 else { break }
            count += part
        }
        known.tag = version
        return Array(bytes.prefix(count))
    }

    private var tooLarge: Failure {
        Failure(description: "it has more than \(largest >> 20) MiB")
    }

    // MARK: HTTP

    private mutating func ask() throws(Failure) -> [UInt8]? {
        var place = place
        for _ in 0...Self.redirections {
            var exchange = WebExchange("GET", place, headers: known.conditions, limits: limits)
            exchange.mayBePacked = true
            switch exchange.perform() {
            case .failure(let reason, _): throw Failure(description: reason)
            case .outOfReach: throw Failure(description: "its address can't be reached")
            case .answer(let answer):
                if answer.isRedirection, let next = answer.redirect {
                    place = next
                    continue
                }
                if answer.code == 304 { return nil }
                guard answer.code == 200 else {
                    throw Failure(description: "the server answers with status \(answer.code)")
                }
                known = answer.version
                return answer.body
            }
        }
        throw Failure(description: "it redirects more than \(Self.redirections) times")
    }
}
