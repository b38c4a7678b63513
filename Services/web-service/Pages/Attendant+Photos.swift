import Bus
import Checksum
import HTTPExchange
import Messages
import Pictures

/// The photos of shifts.
extension Attendant {
    /// Sends a photo of a shift to a person who may read the shift.
    func photo(_ person: Person) {
        guard let checksum = Self.checksum(visit.values["digits"] ?? "") else {
            return visit.send(.plain(.notFound))
        }
        guard let proof = person.proof(for: .checklist) else {
            return visit.send(.plain(.forbidden))
        }
        let query = ReadPhoto(shift: visit.values["shift"] ?? "", checksum: checksum)
        desk.switchboard.ask(.checklist, query, for: PhotoFile.self, by: proof) { result in
            switch result {
            case .success(let found): visit.send(Self.response(found.file, checksum))
            case .failure(.refused(let refusal)):
                visit.send(.plain(FaultPage.status(of: refusal)))
            case .failure: visit.send(.plain(.unavailable).adding("Retry-After", "5"))
            }
        }
    }

    /// The SHA-256 in 64 lower-case hexadecimal digits; nil for any other text.
    private static func checksum(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for at in stride(from: 0, to: 64, by: 2) {
            guard let high = value(digits[at]), let low = value(digits[at + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        default: nil
        }
    }

    /// A photo, which never changes. What people sent is never served as a page.
    private static func response(_ file: [UInt8], _ checksum: [UInt8]) -> Response {
        guard let format = PictureFormat(file), Checksum.of(file) == checksum else {
            return .plain(.unavailable)
        }
        return Response(
            .ok,
            [
                ("Content-Type", format == .png ? "image/png" : "image/jpeg"),
                ("Content-Security-Policy", "sandbox; default-src 'none'"),
                ("Content-Disposition", "inline"),
                // Log-out clears the cache, and another log-in has another cookie.
                ("Cache-Control", "private, max-age=31536000, immutable"), ("Vary", "Cookie"),
            ], body: file)
    }
}
