/// Why a picture was refused: what is wrong with the file, and how to fix it.
public enum PictureError: Error, Hashable, CustomStringConvertible, Sendable {
    /// The file has no bytes.
    case empty
    /// The file is larger than the limit in bytes.
    case fileTooLarge(limit: Int)
    /// The file is neither PNG nor JPEG; the name of its format if it is known.
    case notAPicture(format: String?)
    /// According to its header, the picture has more pixels than the limit.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The file is damaged or cut off; the reason is the message of the library that read it.
    case damaged(reason: String)
    /// Even a small version of it would be larger than the limit in bytes.
    case cannotBeReduced(limit: Int)
    /// The bytes are not those of a prepared picture.
    case notPrepared

    public var description: String {
        switch self {
        case .empty:
            "the file is empty; give a picture in PNG or JPEG"
        case .fileTooLarge(let limit):
            "the file has more than \(Self.size(limit)); save the picture smaller, and try again"
        case .notAPicture(let format?):
            "the file is \(format), which can't be read; save the picture as PNG or JPEG"
        case .notAPicture(nil):
            "the file isn't a picture in PNG or JPEG; save the picture as one of these"
        case .tooManyPixels(let width, let height, let limit):
            "the picture has \(width) x \(height) pixels, and at most \(limit / 1_000_000) million "
                + "are read; save it smaller, and try again"
        case .damaged(let reason):
            "the picture is damaged or cut off (\(reason)); open it in another program, "
                + "and save it again"
        case .cannotBeReduced(let limit):
            "the picture can't be made smaller than \(Self.size(limit)); choose another one"
        case .notPrepared:
            "the picture was not prepared; add it again"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}
