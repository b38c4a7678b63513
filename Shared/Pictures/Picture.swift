import Checksum

/// A picture that a person brought, prepared to be kept and shown: upright, not too large, and with
/// nothing in its file but what is seen. Where it was taken, with what and when, a small copy from
/// before it was cropped, remarks, and whatever follows the end of the picture are gone.
///
/// The same file gives the same bytes, with the same versions of libpng and libjpeg.
public struct Picture: Hashable, Sendable {
    /// The prepared file.
    public let bytes: [UInt8]
    public let format: PictureFormat
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    /// Prepares a picture from a file in PNG or JPEG.
    ///
    /// Everything about the file is judged by its content. What is too large is refused by its
    /// header, before anything is decoded. Turned and mirrored pictures are set upright (EXIF), and
    /// larger ones reduced to `limits.edge` by averaging. Colours become sRGB as far as a PNG says
    /// how they are meant (gAMA); colour profiles are dropped, the inks of a CMYK JPEG mixed. A PNG
    /// stays a PNG, unless it has no transparency and is too large as one; JPEG stays JPEG.
    ///
    /// - Parameter file: all bytes of the file. To read no more than needed from a disk, read
    ///   `limits.fileBytes + 1` bytes at most: one more than is allowed is refused.
    /// - Throws: what is wrong with the file. Nothing is kept then.
    public init(
        preparing file: [UInt8], limits: PictureLimits = .personal
    ) throws(PictureError) {
        guard !file.isEmpty else { throw .empty }
        guard file.count <= limits.fileBytes else { throw .fileTooLarge(limit: limits.fileBytes) }
        let format = try Self.format(of: file)
        let raster =
            switch format {
            case .png: try PNGFile.raster(of: file, limits: limits)
            case .jpeg: try JPEGFile.raster(of: file, limits: limits)
            }
        try self.init(raster, preferring: format, limits: limits)
    }

    /// A picture that was prepared before, as a store or a message has it. Its file is walked
    /// through without being decoded.
    ///
    /// - Throws: `PictureError.notPrepared` when the file has anything in it that a prepared one
    ///   hasn't, or is larger than `limits` allow.
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

    /// The SHA-256 of the prepared file, 32 bytes: its name wherever it is kept. The same picture
    /// is kept once.
    public var checksum: [UInt8] { Checksum.of(bytes) }

    /// The picture's pixels, to draw them.
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

    /// The smallest edge to which a picture is reduced to save bytes.
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
