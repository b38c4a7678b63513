import CZeroMQ

extension Socket {
    static func set(
        _ socket: UnsafeMutableRawPointer, _ option: Int32, _ value: Int32
    ) throws(BusError) {
        var value = value
        if zmq_setsockopt(socket, option, &value, MemoryLayout<Int32>.size) != 0 {
            throw BusError("set socket option \(option)")
        }
    }

    static func set(
        _ socket: UnsafeMutableRawPointer, _ option: Int32, _ value: Int64
    ) throws(BusError) {
        var value = value
        if zmq_setsockopt(socket, option, &value, MemoryLayout<Int64>.size) != 0 {
            throw BusError("set socket option \(option)")
        }
    }

    static func set(
        _ socket: UnsafeMutableRawPointer, _ option: Int32, _ value: String
    ) throws(BusError) {
        try set(socket, option, Array(value.utf8))
    }

    static func set(
        _ socket: UnsafeMutableRawPointer, _ option: Int32, _ value: [UInt8]
    ) throws(BusError) {
        if zmq_setsockopt(socket, option, value, value.count) != 0 {
            throw BusError("set socket option \(option)")
        }
    }
}
