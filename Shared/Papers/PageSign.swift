import CCairo

/// Draws the signs of items. They need no font and differ in shape.
enum PageSign {
    /// Draws a sign in a square with this upper left corner; lengths are in points.
    static func draw(
        _ sign: Paper.Sign, x: Double, y: Double, side: Double, on context: OpaquePointer
    ) {
        let line = side * 0.08
        cairo_save(context)
        cairo_set_line_width(context, line)
        cairo_rectangle(context, x + line / 2, y + line / 2, side - line, side - line)
        colour(of: sign).use(on: context)
        if sign == .notOk { cairo_fill_preserve(context) }
        if sign == .notApplicable || sign == .uncertain {
            dash(context, [side * 0.12, side * 0.1])
        }
        cairo_stroke(context)
        dash(context, [])
        cairo_set_line_width(context, side * 0.13)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        if sign == .notOk { Colour.white.use(on: context) }
        for stroke in strokes(of: sign) {
            for (index, point) in stroke.enumerated() {
                let (x, y) = (x + point.x * side, y + point.y * side)
                if index == 0 { cairo_move_to(context, x, y) } else { cairo_line_to(context, x, y) }
            }
            cairo_stroke(context)
        }
        cairo_restore(context)
    }

    private static func colour(of sign: Paper.Sign) -> Colour {
        switch sign {
        case .open: .black
        case .ok: .green
        case .notOk, .notOkForPerson: .red
        case .notApplicable: .grey
        case .uncertain: .darkOrange
        }
    }

    /// The strokes of a sign in a square of side 1.
    private static func strokes(of sign: Paper.Sign) -> [[(x: Double, y: Double)]] {
        switch sign {
        case .open: []
        case .ok: [[(0.22, 0.52), (0.42, 0.74), (0.8, 0.26)]]
        case .notOk, .notOkForPerson:
            [[(0.26, 0.26), (0.74, 0.74)], [(0.74, 0.26), (0.26, 0.74)]]
        case .notApplicable: [[(0.26, 0.5), (0.74, 0.5)]]
        case .uncertain:
            [
                [(0.32, 0.36), (0.38, 0.24), (0.5, 0.2), (0.64, 0.26), (0.66, 0.4), (0.5, 0.52)]
                    + [(0.5, 0.62)],
                [(0.5, 0.79), (0.5, 0.8)],
            ]
        }
    }

    private static func dash(_ context: OpaquePointer, _ lengths: [Double]) {
        cairo_set_dash(context, lengths, Int32(lengths.count), 0)
    }
}
