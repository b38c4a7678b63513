import Texts

extension Headers {
    /// True when a value is slow to compare.
    public var areSlow: Bool { all.contains { $0.value.hasEndlessMarks } }
}

extension Request {
    /// True when the body may be decoded as JSON.
    public var mayBeJSON: Bool { MarkRun.permits(json: body) }
}
