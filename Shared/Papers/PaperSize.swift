/// A sheet of ISO 216, in either orientation.
package enum PaperSize: String, CaseIterable, Hashable, Sendable {
    case a5
    case a4
    case a3
    case a2
    case a1
    case a0

    /// Millimetres.
    package var sides: (short: Double, long: Double) {
        switch self {
        case .a5: (148, 210)
        case .a4: (210, 297)
        case .a3: (297, 420)
        case .a2: (420, 594)
        case .a1: (594, 841)
        case .a0: (841, 1_189)
        }
    }
}
