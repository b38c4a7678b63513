/// How far the clocks of a ride's sources of positions are ahead of the time at which their
/// positions arrive, and which are far behind it.
///
/// No position is really later than its arrival. If one counted as later, no position of another
/// source would count until then, and the alarm would be late by as much. Subtracting the same time
/// from all times of a clock keeps its positions in order, and a position that comes twice stays
/// the same.
package struct SourceClocks: Hashable, Sendable, Codable {
    private struct Clock: Hashable, Sendable, Codable {
        let source: String
        /// In milliseconds, for a position that comes without any delay.
        var ahead: Int64
    }

    /// By how much positions of one clock may be delayed more than others, in milliseconds. A
    /// larger difference is that of another clock.
    package static let tolerance: Int64 = 10_000
    /// The maximum number of clocks that are kept.
    private static let most = 8

    /// The most recently used clock is the last.
    private var clocks: [Clock] = []
    /// The kinds of sources whose clocks were found far behind, the latest last; nil for none.
    private var behind: [String]?

    package init() {}

    /// The milliseconds to subtract from the times of a batch; 0 if its clock is not ahead.
    ///
    /// - Parameters:
    ///   - source: the kind of source that the batch is from. Several may be of the same kind.
    ///   - newest: the newest time of the batch, in milliseconds since 1970.
    ///   - now: when it arrived.
    package mutating func ahead(of source: String, _ newest: Int64, at now: Int64) -> Int64 {
        let ahead = newest - now
        let known = clocks.indices.filter {
            clocks[$0].source == source && abs(clocks[$0].ahead - ahead) <= Self.tolerance
        }
        let nearest = known.min {
            abs(clocks[$0].ahead - ahead) < abs(clocks[$1].ahead - ahead)
        }
        guard let nearest else {
            if ahead > 0 { keep(Clock(source: source, ahead: ahead)) }
            return max(0, ahead)
        }
        var clock = clocks.remove(at: nearest)
        clock.ahead = max(clock.ahead, ahead)
        keep(clock)
        return clock.ahead
    }

    /// Whether the clock of a kind of source was found far behind.
    package func isBehind(_ source: String) -> Bool { behind?.contains(source) ?? false }

    /// Notes whether the clock of a kind of source is far behind.
    package mutating func note(_ source: String, isBehind: Bool) {
        var sources = (behind ?? []).filter { $0 != source }
        if isBehind { sources.append(source) }
        behind = sources.isEmpty ? nil : Array(sources.suffix(Self.most))
    }

    private mutating func keep(_ clock: Clock) {
        if clocks.count == Self.most { clocks.removeFirst() }
        clocks.append(clock)
    }
}
