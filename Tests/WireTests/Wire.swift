import TestThreads
import Testing

/// Suites that start processes run one after another, so that they don't starve each other.
@Suite(.serialized, .waiting) struct Wire {}
