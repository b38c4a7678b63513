import Messages
import Testing

@testable import ShiftLog

struct FoldTests {}
