/// The limits on a picture from outside and on its prepared form.
public struct PictureLimits: Hashable, Sendable {
    /// The maximum size of a file that is read, in bytes.
    public var fileBytes: Int
    /// The maximum number of pixels that are decoded: width times height in the file's header.
    /// Decoding uses up to 12 bytes of memory for each.
    public var pixels: Int
    /// The maximum longer side of the prepared picture in pixels.
    public var edge: Int
    /// The maximum size of a prepared file, in bytes.
    public var preparedBytes: Int

    /// - Parameters:
    ///   - fileBytes: the maximum size of a file in bytes.
    ///   - pixels: the maximum number of pixels that are decoded.
    ///   - edge: the maximum longer side of the prepared picture, from 16 to 8,192 pixels.
    ///   - preparedBytes: the maximum size of a prepared file in bytes.
    public init(fileBytes: Int, pixels: Int, edge: Int, preparedBytes: Int) {
        self.fileBytes = max(0, fileBytes)
        self.pixels = max(0, pixels)
        self.edge = min(max(16, edge), 8_192)
        self.preparedBytes = max(0, preparedBytes)
    }

    /// The limits for pictures that people add to their own items: files of up to 20 MiB and 50
    /// megapixels, enough for phone cameras, become at most 1,024 pixels and 512 KiB, which fits
    /// into a message.
    public static let personal = PictureLimits(
        fileBytes: 20 << 20, pixels: 50_000_000, edge: 1_024, preparedBytes: 512 << 10)

    /// The limits for photos on papers, where they are as wide as a finger is long: they become at
    /// most 640 pixels and 80 KiB, so that sixty of them fit into a mail.
    public static let paper = PictureLimits(
        fileBytes: 512 << 10, pixels: 1_600 * 1_600, edge: 640, preparedBytes: 80 << 10)

    /// The limits for photos that record how something was: they become at most 1,600 pixels, on
    /// which the figures of a thermometer can still be read, and 512 KiB.
    public static let record = PictureLimits(
        fileBytes: 20 << 20, pixels: 50_000_000, edge: 1_600, preparedBytes: 512 << 10)
}
