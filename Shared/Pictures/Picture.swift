import Checksum

/// A person's picture, prepared to be kept and shown: upright, not too large, and with nothing in
/// its file but what is visible. The place, device and time of the photograph, a thumbnail from
/// before it was cropped, comments, and any bytes after the end of the picture are removed.
///
/// The same file gives the same bytes with the same versions of libpng and libjpeg.
public struct Picture: Hashable, Sendable {
    /// The prepared file.
    public let bytes: [UInt8]
    public let format: PictureFormat
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Prepares a picture from a file in PNG or JPEG.
    ///
    /// Only the content of the file counts. A picture that is too large is refused by its header,
    /// before anything is decoded. Turned and mirrored pictures are set upright (EXIF), and larger
    /// ones reduced to `limits.edge` by averaging. Colours are converted to sRGB if a PNG gives its
    /// gamma (gAMA); colour profiles are dropped, and the inks of a CMYK JPEG are mixed. A PNG
    /// stays a PNG, unless it is opaque and too large as one; JPEG stays JPEG.
    ///
    /// - Parameters:
    ///   - file: all bytes of the file. Reading `limits.fileBytes + 1` bytes from a disk is enough:
    ///     one byte too many is refused.
    ///   - limits: the limits on the file and on the prepared picture.
    ///   - preferred: the format of the prepared picture; nil for that of the file. What is not
    ///     opaque stays a PNG.
    /// - Throws: a `PictureError` with what is wrong with the file.
    public init(
        preparing file: [UInt8], limits: PictureLimits = .personal,
        preferring preferred: PictureFormat? = nil
    ) throws(PictureError) {
        guard !file.isEmpty else { throw .empty }
        guard file.count <= limits.fileBytes else { throw .fileTooLarge(limit: limits.fileBytes) }
        let format = try Self.format(of: file)
        let raster =
            switch format {
            case .png: try PNGFile.raster(of: file, limits: limits)
            case .jpeg: try JPEGFile.raster(of: file, limits: limits)
            }
        try self.init(raster, preferring: preferred ?? format, limits: limits)
    }

    /// Makes a picture from a file that was prepared before, e.g. from a store or a message. The
    /// file is scanned without being decoded.
    ///
    /// - Throws: `PictureError.notPrepared` when the file contains anything that a prepared one
    ///   does not, or is larger than `limits` allow.
    public init(
        prepared bytes: [UInt8], limits: PictureLimits = .personal
    ) throws(PictureError) {
        guard bytes.count <= limits.preparedBytes, let format = PictureFormat(bytes) else {
            throw .notPrepared
        }
        let size =
            switch format {
            case .png: PNGFile.sizeOfPrepared(bytes)
            case .jpeg: JPEGFile.sizeOfPrepared(bytes)
            }
        guard let size, 1...limits.edge ~= size.width, 1...limits.edge ~= size.height else {
            throw .notPrepared
        }
        self.bytes = bytes
        self.format = format
        (width, height) = size
    }

    /// The SHA-256 of the prepared file, 32 bytes. It is the file's name wherever it is kept, so
    /// the same picture is kept once.
    public var checksum: [UInt8] { Checksum.of(bytes) }

    /// Decodes the picture's pixels for drawing.
    ///
    /// - Throws: `PictureError.damaged` when the file can't be decoded.
    public func raster() throws(PictureError) -> Raster {
        var limits = PictureLimits.personal
        limits.pixels = width * height
        limits.edge = max(width, height)
        return switch format {
        case .png: try PNGFile.raster(of: bytes, limits: limits)
        case .jpeg: try JPEGFile.raster(of: bytes, limits: limits)
        }
    }

    private static func format(of file: [UInt8]) throws(PictureError) -> PictureFormat {
        guard let format = PictureFormat(file) else {
            throw .notAPicture(format: PictureFormat.other(file))
        }
        return format
    }

    /// The smallest longer side to which a picture is reduced to save bytes.
    private static let smallestEdge = 64

    private init(
        _ raster: Raster, preferring format: PictureFormat, limits: PictureLimits
    ) throws(PictureError) {
        var edge = limits.edge
        while true {
            let raster = raster.reduced(to: edge)
            let isOpaque = raster.isOpaque
            if format == .png || !isOpaque {
                let bytes = try PNGFile.bytes(of: raster)
                if bytes.count <= limits.preparedBytes {
                    self.bytes = bytes
                    self.format = .png
                    (width, height) = (raster.width, raster.height)
                    return
                }
            }
            if isOpaque {
                let bytes = try JPEGFile.bytes(of: raster)
                if bytes.count <= limits.preparedBytes {
                    self.bytes = bytes
                    self.format = .jpeg
                    (width, height) = (raster.width, raster.height)
                    return
                }
            }
            edge = edge * 3 / 4
            guard edge >= Self.smallestEdge else {
                throw .cannotBeReduced(limit: limits.preparedBytes)
            }
        }
    }
}
