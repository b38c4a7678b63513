import TestThreads
import Testing

/// Suites that start processes run one after the other, so that they do not starve each other.
@Suite(.serialized, .waiting) struct Wire {}
