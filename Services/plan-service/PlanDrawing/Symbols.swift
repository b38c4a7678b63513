import FloorPlan
import Foundation
import Messages
import Papers

/// The symbol of an element inside its outline, which makes it recognisable.
struct Symbol {
    private let sheet: Sheet
    private let element: Element
    private let place: Vector
    private let x: Vector
    private let y: Vector
    /// Half its width and half its depth.
    private let half: (width: Double, depth: Double)
    /// The lines inside the outline.
    private(set) var lines = Drawing.Path()
    /// Areas that are filled dark.
    private(set) var solid = Drawing.Path()

    init(_ element: Element, _ sheet: Sheet) {
        self.element = element
        self.sheet = sheet
        place = element.place
        x = Vector(angle: element.turn)
        y = x.left
        half = (Double(element.width) / 2, Double(element.depth) / 2)
        draw()
    }

    /// The outline as it is drawn: rounded if the thing is.
    var outline: Drawing.Path {
        switch element.kind {
        case .unrecognized, .unspecified, .bed, .shower, .kitchenBench, .cupboard, .appliance,
            .structure, .stairs, .aid, .bath, .toilet, .wheelchair:
            sheet.path(element.outline.corners, isClosed: true)
        case .table: rounded(0, 0, half.width, half.depth, radius: 60)
        case .seat: rounded(0, 0, half.width, half.depth, radius: 90)
        case .washbasin: rounded(0, 0, half.width, half.depth, radius: 80)
        }
    }

    private func at(_ u: Double, _ v: Double) -> Drawing.Point {
        sheet.point(place + x * u + y * v)
    }

    private mutating func line(_ points: (Double, Double)...) {
        lines = lines + Drawing.Path(points.map { at($0.0, $0.1) }, isClosed: false)
    }

    private mutating func rectangle(
        _ u: Double, _ v: Double, _ width: Double, _ depth: Double, radius: Double = 0
    ) {
        guard width > 0, depth > 0 else { return }
        lines = lines + rounded(u, v, width, depth, radius: radius)
    }

    private func ellipse(_ u: Double, _ v: Double, _ width: Double, _ depth: Double) -> Drawing.Path
    {
        var path = Drawing.Path()
        let (across, up) = (x * (width / sheet.scale), y * (depth / sheet.scale))
        // On paper, y points down.
        path.addEllipse(at(u, v), Vector(across.x, -across.y), Vector(up.x, -up.y))
        return path
    }

    /// A rectangle with rounded corners about a point, given by its half sizes.
    private func rounded(
        _ u: Double, _ v: Double, _ width: Double, _ depth: Double, radius: Double
    ) -> Drawing.Path {
        let radius = min(radius, width, depth)
        guard radius > 0 else {
            return Drawing.Path(
                [
                    at(u - width, v - depth), at(u + width, v - depth), at(u + width, v + depth),
                    at(u - width, v + depth),
                ], isClosed: true)
        }
        let arm = radius * (1 - 4.0 / 3 * tan(Double.pi / 8))
        var path = Drawing.Path([.move(at(u - width + radius, v - depth))])
        for (sx, sy, first) in [(1.0, -1.0, true), (1, 1, false), (-1, 1, true), (-1, -1, false)] {
            let (cx, cy) = (u + sx * width, v + sy * depth)
            let (begin, end): ((Double, Double), (Double, Double)) =
                first
                ? ((cx - sx * radius, cy), (cx, cy - sy * radius))
                : ((cx, cy - sy * radius), (cx - sx * radius, cy))
            let (out, into): ((Double, Double), (Double, Double)) =
                first
                ? ((cx - sx * arm, cy), (cx, cy - sy * arm))
                : ((cx, cy - sy * arm), (cx - sx * arm, cy))
            path.steps.append(.line(at(begin.0, begin.1)))
            path.steps.append(
                .curve(at(out.0, out.1), at(into.0, into.1), at(end.0, end.1)))
        }
        path.steps.append(.close)
        return path
    }

    private mutating func draw() {
        switch element.kind {
        case .bed: drawBed()
        case .toilet: drawToilet()
        case .washbasin: drawWashbasin()
        case .shower: drawShower()
        case .bath: drawBath()
        case .kitchenBench: drawBench()
        case .table:
            rectangle(0, 0, half.width - 50, half.depth - 50, radius: 40)
        case .seat: drawSeat()
        case .cupboard: drawCupboard()
        case .appliance: drawAppliance()
        case .wheelchair: drawWheelchair()
        case .aid: drawAid()
        case .structure:
            lines = sheet.hatching(element.outline.corners, angle: .pi / 4, spacing: 0.9)
        case .stairs: drawStairs()
        case .unspecified, .unrecognized: break
        }
    }

    private mutating func drawBed() {
        let (w, d) = half
        let pillow = min(w > 600 ? w / 2 : w, 450) - 50
        let depth = min(190, d * 0.2)
        for side in w > 600 ? [-w / 2, w / 2] : [0] {
            rectangle(side, d - 60 - depth, pillow, depth, radius: 70)
        }
        let fold = d - 120 - 2 * depth
        line((-w, fold), (w, fold))
        line((-w, fold - min(160, d * 0.2)), (w, fold))
    }

    private mutating func drawToilet() {
        let (w, d) = half
        let cistern = min(110, d * 0.25)
        rectangle(0, d - cistern, w, cistern, radius: 30)
        let bowl = d - cistern
        lines = lines + ellipse(0, -cistern, w * 0.92, bowl)
        lines = lines + ellipse(0, -cistern - bowl * 0.05, w * 0.62, bowl * 0.68)
    }

    private mutating func drawWashbasin() {
        let (w, d) = half
        lines = lines + ellipse(0, -d * 0.12, w * 0.78, d * 0.66)
        lines = lines + ellipse(0, -d * 0.05, 22, 22)
        rectangle(0, d * 0.74, 18, d * 0.2)
    }

    private mutating func drawShower() {
        let (w, d) = half
        let drain = min(60, w / 3, d / 3)
        let corner = drain * 0.5.squareRoot()
        for (sx, sy) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            line((sx * w, sy * d), (sx * corner, sy * corner))
        }
        lines = lines + ellipse(0, 0, drain, drain) + ellipse(0, 0, drain * 0.35, drain * 0.35)
    }

    private mutating func drawBath() {
        let (w, d) = half
        let edge = min(70, w / 4, d / 4)
        rectangle(0, 0, w - edge, d - edge, radius: min(w, d) * 0.5)
        let isWide = w > d
        lines = lines + ellipse(isWide ? w - edge - 160 : 0, isWide ? 0 : d - edge - 160, 30, 30)
    }

    private mutating func drawBench() {
        let (w, d) = half
        line((-w, d - min(40, d)), (w, d - min(40, d)))
        line((-w, -d + min(30, d)), (w, -d + min(30, d)))
        // The fronts are 600 mm wide.
        let count = max(1, Int((2 * w / 600).rounded()))
        for index in 1..<max(count, 2) where count > 1 {
            let u = -w + 2 * w * Double(index) / Double(count)
            line((u, -d), (u, -d + min(30, d)))
        }
    }

    private mutating func drawSeat() {
        let (w, d) = half
        let back = min(120, d * 0.3)
        line((-w, d - 2 * back), (w, d - 2 * back))
        guard w > 350 else { return }
        let arm = min(150, w * 0.3)
        line((-w + arm, -d), (-w + arm, d - 2 * back))
        line((w - arm, -d), (w - arm, d - 2 * back))
        let seats = Int(((2 * w - 2 * arm) / 600).rounded())
        guard seats > 1, seats < 100 else { return }
        for seat in 1..<seats {
            let u = -w + arm + (2 * w - 2 * arm) * Double(seat) / Double(seats)
            line((u, -d), (u, d - 2 * back))
        }
    }

    private mutating func drawCupboard() {
        let (w, d) = half
        line((-w, -d), (w, d))
        line((-w, -d + min(25, d)), (w, -d + min(25, d)))
        if w > 300 { line((0, -d), (0, -d + min(25, d))) }
    }

    private mutating func drawAppliance() {
        let (w, d) = half
        line((-w, -d + min(50, d)), (w, -d + min(50, d)))
        let radius = min(w, d) * 0.55
        lines = lines + ellipse(0, 0, radius, radius) + ellipse(0, 0, radius * 0.3, radius * 0.3)
    }

    /// Seen from above: two large wheels at the rear, two small ones in front of them, the seat
    /// with its back, and the foot rests.
    private mutating func drawWheelchair() {
        let (w, d) = half
        let tyre = min(30, w * 0.12)
        let wheel = min(300, d * 0.52)
        let rear = d - wheel
        for side in [-1.0, 1] {
            rectangle(side * (w - tyre), rear, tyre, wheel, radius: tyre)
            rectangle(side * (w * 0.72), -d * 0.45, tyre * 0.8, d * 0.13, radius: tyre)
            rectangle(side * w * 0.3, -d + d * 0.1, w * 0.22, d * 0.09, radius: 20)
            line((side * w * 0.55, -d * 0.25), (side * w * 0.35, -d * 0.82))
        }
        rectangle(0, d * 0.22, w * 0.7, d * 0.45, radius: 50)
        line((-w * 0.7, d * 0.5), (w * 0.7, d * 0.5))
        // The direction that it faces.
        let (tip, base) = (-d * 0.58, -d * 0.36)
        solid = Drawing.Path(
            [at(0, tip), at(w * 0.16, base), at(-w * 0.16, base)], isClosed: true)
    }

    private mutating func drawAid() {
        let (w, d) = half
        let arm = min(w, d, 400) * 0.5
        let wide = arm * 0.28
        rectangle(0, 0, w - min(40, w / 4), d - min(40, d / 4), radius: 40)
        lines =
            lines
            + Drawing.Path(
                [
                    (-wide, -arm), (wide, -arm), (wide, -wide), (arm, -wide), (arm, wide),
                    (wide, wide), (wide, arm), (-wide, arm), (-wide, wide), (-arm, wide),
                    (-arm, -wide), (-wide, -wide),
                ].map { at($0.0, $0.1) }, isClosed: true)
    }

    /// Treads along the depth, and an arrow that goes up from the front.
    private mutating func drawStairs() {
        let (w, d) = half
        let count = min(200, max(2, Int((2 * d / 260).rounded())))
        for tread in 1..<count {
            let v = -d + 2 * d * Double(tread) / Double(count)
            line((-w, v), (w, v))
        }
        let tip = min(150, d * 0.3)
        line((0, -d + min(60, d * 0.2)), (0, d - 60))
        line((-tip * 0.5, d - 60 - tip), (0, d - 60), (tip * 0.5, d - 60 - tip))
    }
}
