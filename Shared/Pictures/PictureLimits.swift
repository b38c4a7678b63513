/// How much of a stranger's picture is read, and what it becomes.
public struct PictureLimits: Hashable, Sendable {
    /// The largest file that is read, in bytes.
    public var fileBytes: Int
    /// The most pixels that are decoded: width times height as the file's header has them. Decoding
    /// takes up to 12 bytes of memory for each.
    public var pixels: Int
    /// How long the longer side of the prepared picture is at most, in pixels.
    public var edge: Int
    /// The largest prepared file, in bytes.
    public var preparedBytes: Int

    /// - Parameters:
    ///   - fileBytes: the largest file that is read.
    ///   - pixels: the most pixels that are decoded.
    ///   - edge: the longer side of the prepared picture, from 16 to 8,192 pixels.
    ///   - preparedBytes: the largest prepared file.
    public init(fileBytes: Int, pixels: Int, edge: Int, preparedBytes: Int) {
        self.fileBytes = max(0, fileBytes)
        self.pixels = max(0, pixels)
        self.edge = min(max(16, edge), 8_192)
        self.preparedBytes = max(0, preparedBytes)
    }

    /// For pictures that people add to their things: files up to 20 MiB and 50 megapixels, as the
    /// cameras of telephones make them, become at most 1,024 pixels and 512 KiB, which fits into a
    /// message.
    public static let personal = PictureLimits(
        fileBytes: 20 << 20, pixels: 50_000_000, edge: 1_024, preparedBytes: 512 << 10)
}
