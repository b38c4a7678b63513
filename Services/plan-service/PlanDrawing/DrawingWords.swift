import Messages
import Phrases

extension Words<DrawingPhrase> {
    /// The name of a kind of element.
    func name(of kind: ElementKind) -> String {
        say(family: "kind", "\(kind)") ?? say(.element)
    }

    /// The name of an element: its label, or else that of its product, or of its kind.
    func name(of element: Element) -> String {
        let name = element.label.written
        if !name.isEmpty { return name }
        let product = element.product?.name.written ?? ""
        return product.isEmpty ? self.name(of: element.kind) : product
    }

    /// The name of a use of rooms.
    func name(of use: RoomUse) -> String { say(family: "use", "\(use)") ?? say(.room) }

    /// A number with some decimals.
    func number(_ value: Double, decimals: Int) -> String {
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 1e15 else { return "∞" }
        return language.decimal(Int64(value < 0 ? -scaled : scaled), decimals: decimals)
    }

    /// A length of the plan without its unit: whole centimetres or millimetres.
    func length(_ millimetres: Double, _ unit: PictureOptions.Unit) -> String {
        number(unit == .centimetres ? millimetres / 10 : millimetres, decimals: 0)
    }

    /// A length that something is compared with. It is not rounded, because half a centimetre may
    /// decide.
    func exact(_ millimetres: UInt32, _ unit: PictureOptions.Unit) -> String {
        unit == .centimetres && millimetres % 10 != 0
            ? number(Double(millimetres) / 10, decimals: 1) : length(Double(millimetres), unit)
    }

    /// A length inside a room, never rounded up: a millimetre too little may decide.
    func inside(_ millimetres: Double, _ unit: PictureOptions.Unit) -> String {
        // A millionth of a millimetre is a rounding error of the square root.
        exact(UInt32(max(min(millimetres + 1e-6, 1e9), 0)), unit)
    }

    /// A width that isn't known exactly, rounded down so that nobody relies on more than there is.
    func roundedDown(_ millimetres: UInt32, _ unit: PictureOptions.Unit) -> String {
        length(
            Double(unit == .centimetres ? millimetres - millimetres % 10 : millimetres), unit)
    }

    func area(_ squareMetres: Double) -> String { "\(number(squareMetres, decimals: 1)) m²" }
}
