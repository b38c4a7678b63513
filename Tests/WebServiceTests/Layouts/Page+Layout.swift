import TestSupport
import Testing

extension Browser.Page {
    /// The widths of screens in CSS pixels: a phone or a desk at 400 %, a desk, and a wall.
    private static let widths = [320, 1280, 1920]

    /// On which screens the page would have to be scrolled sideways, by their widths.
    var widthsToScroll: [Int] {
        get throws {
            let size = try run("[innerWidth, innerHeight]").split(separator: ",")
                .compactMap { Int($0) }
            try #require(size.count == 2)
            let found = try Self.widths.filter { width in
                try resize(width: width, height: size[1])
                return try run("document.documentElement.scrollWidth <= innerWidth") != "true"
            }
            try resize(width: size[0], height: size[1])
            return found
        }
    }

    private func resize(width: Int, height: Int) throws {
        try setSize("\(width)x\(height)")
        try eventually("the window is \(width) pixels wide") {
            try run("innerWidth") == "\(width)"
        }
    }
}
