import Messages

/// What is still open in a shift and must be accepted to end it.
package struct OpenThings: Hashable, Sendable {
    /// A list with unmarked tasks.
    package struct UnfinishedList: Hashable, Sendable {
        /// The id of the template.
        package let list: String
        /// Its name in the site's language.
        package let name: String
        /// The tasks, in order.
        package let tasks: [TaskKey]
    }

    /// A device that has made more operations than it has sent.
    package struct UnsentDevice: Hashable, Sendable {
        /// The name of the device.
        package let device: String
        /// The number of missing operations.
        package let operations: UInt64
    }

    /// The unfinished lists, in order. Travel path lists are never finished and are left out.
    package let lists: [UnfinishedList]
    /// The to-dos that aren't done, in order.
    package let todos: [Todo]
    /// The tasks whose marks contradict each other, in order.
    package let reviews: [TaskKey]
    /// The travel path that is due now; nil when none is.
    package let travelPath: TravelPathSlot?
    /// The devices that haven't sent everything, ordered by name.
    package let devices: [UnsentDevice]

    /// True when nothing is open.
    package var isEmpty: Bool {
        lists.isEmpty && todos.isEmpty && reviews.isEmpty && travelPath == nil && devices.isEmpty
    }

    /// A summary for a person, e.g. `2 tasks of “Before the rush, day”, 1 to-do`.
    package var summary: String {
        var parts = lists.map { "\(Self.count($0.tasks.count, "task")) of “\($0.name)”" }
        if !todos.isEmpty { parts.append(Self.count(todos.count, "to-do")) }
        if !reviews.isEmpty {
            parts.append("\(Self.count(reviews.count, "task")) marked differently by two people")
        }
        if travelPath != nil { parts.append("the travel path that is due") }
        for device in devices {
            parts.append(
                "\(Self.count(Int(clamping: device.operations), "entry", "entries")) not yet sent "
                    + "by the device \(device.device)")
        }
        return parts.joined(separator: ", ")
    }

    /// The same for programs: the names of lists and devices, each with a number, and the numbers
    /// of what has no name.
    package var parts: [String: String] {
        var parts: [String: String] = [:]
        if !lists.isEmpty {
            parts["lists"] = lists.map { "\($0.name) (\($0.tasks.count))" }.joined(separator: ", ")
        }
        if !todos.isEmpty { parts["todos"] = "\(todos.count)" }
        if !reviews.isEmpty { parts["reviews"] = "\(reviews.count)" }
        if travelPath != nil { parts["travelPath"] = "1" }
        if !devices.isEmpty {
            parts["devices"] = devices.map { "\($0.device) (\($0.operations))" }
                .joined(separator: ", ")
        }
        return parts
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
}

extension ShiftState {
    /// What is open at a time.
    ///
    /// - Parameters:
    ///   - now: the time in milliseconds since 1970.
    ///   - deviceHeads: the number of the newest operation that each device says it has made.
    package func openThings(at now: Int64, deviceHeads: [String: UInt64] = [:]) -> OpenThings {
        let unfinished = lists.templates.enumerated().compactMap {
            list, template -> OpenThings.UnfinishedList? in
            let open = lists.tasks.indices.filter {
                lists.tasks[$0].list == list && lists.tasks[$0].isLeaf
                    && tasks[$0].state == .unchecked
            }
            guard !open.isEmpty, template.kind != .travelPath else { return nil }
            return OpenThings.UnfinishedList(
                list: template.id, name: template.name(in: language),
                tasks: open.map { lists.tasks[$0].key })
        }
        let unsent = deviceHeads.sorted { $0.key < $1.key }.compactMap { device, number in
            number > newestNumber(of: device)
                ? OpenThings.UnsentDevice(
                    device: device, operations: number - newestNumber(of: device)) : nil
        }
        return OpenThings(
            lists: unfinished, todos: todos.filter { $0.mark == .open },
            reviews: reviews.map(\.listed.key), travelPath: travelPathDue(at: now),
            devices: unsent)
    }
}
