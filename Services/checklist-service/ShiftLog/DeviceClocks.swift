import Messages

extension ShiftOperation {
    /// When it was made, by the service's clock: as long before now as it had waited on the device.
    ///
    /// - Parameters:
    ///   - sentAt: the device's clock when it was sent, in milliseconds since 1970.
    ///   - now: the service's clock, in milliseconds since 1970.
    /// - Returns: milliseconds since 1970; 0 if the device didn't say, or a clock is impossible.
    fileprivate func made(sentAt: Int64, now: Int64) -> Int64 {
        guard sentAt != 0, MessageTime.range.contains(sentAt),
            MessageTime.range.contains(deviceTime)
        else { return 0 }
        return max(0, now - max(0, sentAt - deviceTime))
    }
}

extension ShiftState {
    /// When an operation that reaches the service now was made, for its `doneAt`. Nobody does
    /// something before the service had accepted what they had seen.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - sentAt: the device's clock when it was sent, in milliseconds since 1970; 0 if the device
    ///     didn't say.
    ///   - now: the service's clock, in milliseconds since 1970.
    /// - Returns: milliseconds since 1970; 0 if only the device's time is known.
    package func made(_ operation: ShiftOperation, sentAt: Int64, now: Int64) -> Int64 {
        let made = operation.made(sentAt: sentAt, now: now)
        let said = made == 0 ? operation.deviceTime : made
        // What was made before the shift comes from a wrong clock, and the service's time counts.
        guard said >= shift.started else { return made }
        let known = accepted(upTo: operation.seen)
        return known > said ? known : made
    }

    /// When the service accepted the newest operation up to a sequence, in milliseconds since 1970;
    /// 0 if there is none. The log is in their order.
    private func accepted(upTo sequence: UInt64) -> Int64 {
        var (low, high) = (0, log.count)
        while low < high {
            let middle = (low + high) / 2
            if log[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : log[low - 1].time
    }
}
