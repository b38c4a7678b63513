/// Makes schedules by placing one activity at a time, in the order of keys, each as early as its
/// predecessors and the resources allow (Kelley, "The critical-path method: resources planning and
/// scheduling", 1963).
///
/// It schedules in either direction of time. Backward, every relation of the network is reversed
/// and time is counted from the end of the project.
final class SerialScheduler {
    private let network: FlatNetwork
    private let count: Int
    private let width: Int
    /// The free amounts of the resources at each time.
    private let left: UnsafeMutablePointer<UInt64>
    private let order: UnsafeMutablePointer<Int32>
    private let buckets: UnsafeMutablePointer<Int32>
    private let durations: UnsafeMutablePointer<Int32>
    private let demands: UnsafeMutablePointer<UInt64>
    private let links: [Links]
    /// The number of buckets. Keys of a wider range are sorted by comparison.
    private let bucketCount: Int
    /// The time from which `left` is full.
    private var used = 0
    /// The number of schedules made so far.
    private(set) var made = 0

    /// The activities that each activity waits for in one direction.
    private struct Links {
        let first: UnsafeMutablePointer<Int32>
        let members: UnsafeMutablePointer<Int32>

        init(_ first: [Int32], _ members: [Int32]) {
            self.first = .allocate(capacity: max(1, first.count))
            self.first.initialize(from: first, count: first.count)
            self.members = .allocate(capacity: max(1, members.count))
            self.members.initialize(from: members, count: members.count)
        }

        func free() {
            first.deallocate()
            members.deallocate()
        }
    }

    init(_ network: FlatNetwork) {
        self.network = network
        count = network.count
        width = network.width
        left = .allocate(capacity: (network.time + 1) * network.width)
        for time in 0...network.time {
            for word in 0..<width {
                left[time * width + word] = network.capacities[word] | FlatNetwork.guards
            }
        }
        order = .allocate(capacity: max(1, count))
        bucketCount = max(4096, 8 * count)
        buckets = .allocate(capacity: bucketCount + 1)
        durations = .allocate(capacity: max(1, count))
        durations.initialize(from: network.durations, count: count)
        demands = .allocate(capacity: max(1, count * width))
        demands.initialize(from: network.demands, count: count * width)
        links = [
            Links(network.firstBefore, network.before), Links(network.firstAfter, network.after),
        ]
    }

    deinit {
        left.deallocate()
        order.deallocate()
        buckets.deallocate()
        durations.deallocate()
        demands.deallocate()
        for link in links { link.free() }
    }

    /// Makes a schedule in the order of the keys, lowest first. An activity always comes after
    /// those that it waits for: its key is raised if necessary.
    ///
    /// - Parameters:
    ///   - backward: whether time runs backward.
    ///   - keys: one for each activity, at least 0.
    ///   - starts: receives the time at which each activity begins, counted in that direction.
    /// - Returns: the time at which the last activity ends.
    func schedule(
        backward: Bool, keys: UnsafeMutablePointer<Int32>, starts: UnsafeMutablePointer<Int32>
    ) -> Int32 {
        let link = links[backward ? 1 : 0]
        let highest = raise(keys, link, backward: backward)
        sort(keys, highest, backward: backward)
        made += 1
        return width == 1 ? placeNarrow(link, starts) : placeWide(link, starts)
    }

    private func raise(
        _ keys: UnsafeMutablePointer<Int32>, _ link: Links, backward: Bool
    ) -> Int32 {
        var highest: Int32 = 0
        for step in 0..<count {
            let activity = backward ? count - 1 - step : step
            var key = keys[activity]
            for place in Int(link.first[activity])..<Int(link.first[activity + 1]) {
                key = max(key, keys[Int(link.members[place])])
            }
            keys[activity] = key
            highest = max(highest, key)
        }
        return highest
    }

    /// Sorts by key and, where keys are equal, in topological order.
    private func sort(_ keys: UnsafeMutablePointer<Int32>, _ highest: Int32, backward: Bool) {
        guard Int(highest) < bucketCount else {
            for step in 0..<count { order[step] = Int32(backward ? count - 1 - step : step) }
            var list = UnsafeMutableBufferPointer(start: order, count: count)
            list.sort {
                let (left, right) = (keys[Int($0)], keys[Int($1)])
                return left != right ? left < right : backward ? $0 > $1 : $0 < $1
            }
            return
        }
        buckets.update(repeating: 0, count: Int(highest) + 2)
        for activity in 0..<count { buckets[Int(keys[activity]) + 1] &+= 1 }
        for key in 0..<Int(highest) { buckets[key + 1] &+= buckets[key] }
        for step in 0..<count {
            let activity = backward ? count - 1 - step : step
            let key = Int(keys[activity])
            order[Int(buckets[key])] = Int32(activity)
            buckets[key] &+= 1
        }
    }

    private func placeNarrow(
        _ link: Links, _ starts: UnsafeMutablePointer<Int32>
    ) -> Int32 {
        let full = network.capacities[0] | FlatNetwork.guards
        left.update(repeating: full, count: used)
        var end: Int32 = 0
        for step in 0..<count {
            let activity = Int(order[step])
            let duration = Int(durations[activity])
            var start = earliest(activity, link, starts)
            let demand = demands[activity]
            if duration > 0, demand != 0 {
                // Check from the back, where a shortage postpones the start the most. The times up
                // to `seen` were checked before and have enough.
                var seen = start - 1
                var time = start + duration - 1
                while time > seen {
                    if (left[time] &- demand) & FlatNetwork.guards != FlatNetwork.guards {
                        seen = start + duration - 1
                        start = time + 1
                        time = start + duration - 1
                    } else {
                        time -= 1
                    }
                }
                for time in start..<start + duration { left[time] &-= demand }
            }
            starts[activity] = Int32(start)
            end = max(end, Int32(start + duration))
        }
        used = Int(end)
        return end
    }

    private func placeWide(_ link: Links, _ starts: UnsafeMutablePointer<Int32>) -> Int32 {
        for time in 0..<used {
            for word in 0..<width {
                left[time * width + word] = network.capacities[word] | FlatNetwork.guards
            }
        }
        var end: Int32 = 0
        for step in 0..<count {
            let activity = Int(order[step])
            let duration = Int(durations[activity])
            var start = earliest(activity, link, starts)
            var time = start + duration - 1
            while time >= start {
                if isShort(activity, at: time) {
                    start = time + 1
                    time = start + duration
                }
                time -= 1
            }
            for time in start..<start + duration {
                for word in 0..<width {
                    left[time * width + word] &-= demands[activity * width + word]
                }
            }
            starts[activity] = Int32(start)
            end = max(end, Int32(start + duration))
        }
        used = Int(end)
        return end
    }

    private func isShort(_ activity: Int, at time: Int) -> Bool {
        for word in 0..<width {
            let rest = left[time * width + word] &- demands[activity * width + word]
            if rest & FlatNetwork.guards != FlatNetwork.guards { return true }
        }
        return false
    }

    private func earliest(
        _ activity: Int, _ link: Links, _ starts: UnsafeMutablePointer<Int32>
    ) -> Int {
        var start: Int32 = 0
        for place in Int(link.first[activity])..<Int(link.first[activity + 1]) {
            let other = Int(link.members[place])
            start = max(start, starts[other] + durations[other])
        }
        return Int(start)
    }
}
