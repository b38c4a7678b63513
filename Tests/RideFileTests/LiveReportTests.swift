import Foundation
import RideTracking
import Testing

@testable import RideFile

/// Positions as receivers and gpsd report them.
struct LiveReportTests {
    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)"
    }

    @Test func `an RMC sentence gives a position, as exact as the GGA before it says`() throws {
        var reader = NMEAReader()
        let first = "GPRMC,080910.50,A,5451.5820,N,00014.6340,W,22.4,84.4,230226,,,A"
        #expect(
            reader.read(Self.sentence("GPGGA,080909,5451.5820,N,00014.6340,W,1,8,1.2,9.0,M,,M,,"))
                == nil)

        let read = reader.read(Self.sentence(first))
        let fix = try #require(read)

        #expect(fix.time == 1_771_834_150_500)
        #expect(abs(fix.position.latitude - 54.8597) < 1e-9)
        #expect(abs(fix.position.longitude + 0.2439) < 1e-9)
        #expect(fix.accuracy == 6)
        #expect(abs((fix.speed ?? 0) - 11.5236) < 1e-4)
    }

    @Test func `a dilution that is no longer reported is dropped`() throws {
        var reader = NMEAReader()
        _ = reader.read(Self.sentence("GNGGA,080909,5451.5820,N,00014.6340,W,1,8,1.2,9.0,M,,M,,"))
        _ = reader.read(Self.sentence("GNGGA,080910,,,,,0,,,,M,,M,,"))

        let fix = reader.read(Self.sentence("GNRMC,080910,A,5451.5820,S,00014.6340,E,,,230226,,,A"))

        #expect(try #require(fix).accuracy == nil && fix?.speed == nil)
        #expect((fix?.position.latitude ?? 0) < 0 && (fix?.position.longitude ?? 0) > 0)
    }

    @Test(arguments: [
        "GPRMC,080910,V,5451.5820,N,00014.6340,W,22.4,84.4,230226,,,N",
        "GPRMC,080910,A,9151.5820,N,00014.6340,W,22.4,84.4,230226,,,A",
        "GPRMC,080910,A,5460.0000,N,00014.6340,W,22.4,84.4,230226,,,A",
        "GPRMC,080910,A,5451.5820,X,00014.6340,W,22.4,84.4,230226,,,A",
        "GPRMC,250910,A,5451.5820,N,00014.6340,W,22.4,84.4,230226,,,A",
        "GPRMC,080910,A,5451.5820,N,00014.6340,W,22.4,84.4,310226,,,A",
        "GPRMC,080910,A,-451.5820,N,00014.6340,W,22.4,84.4,230226,,,A",
        "GPRMC,080910,A,nan,N,inf,W,22.4,84.4,230226,,,A",
        "GPRMC,080910,A", "GPVTG,84.4,T,,M,22.4,N,41.5,K,A", "",
    ])
    func `a report without a position gives none`(body: String) {
        var reader = NMEAReader()

        #expect(reader.read(Self.sentence(body)) == nil)
    }

    @Test func `a sentence with a wrong or missing checksum is ignored`() {
        var reader = NMEAReader()
        let body = "GPRMC,080910,A,5451.5820,N,00014.6340,W,22.4,84.4,230226,,,A"

        #expect(reader.read(Self.sentence(body)) != nil)
        #expect(reader.read(Self.sentence(body).replacing("22.4", with: "22.5")) == nil)
        #expect(reader.read("$" + body) == nil)
        #expect(reader.read("$" + body + "*") == nil)
    }

    @Test func `a gpsd report gives a position with its error`() throws {
        let report = """
            {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-02-23T08:09:10.500Z",\
            "lat":54.8597,"lon":-0.2439,"alt":9.1,"epx":3.5,"epy":4.5,"speed":11.5,"eps":0.2}
            """
        let fix = try #require(GPSDReport.read(report))

        #expect(fix.time == 1_771_834_150_500 && fix.position.latitude == 54.8597)
        #expect(fix.accuracy == 4.5 && fix.speed == 11.5)
        #expect(GPSDReport.read(report.replacing("\"mode\":3", with: "\"mode\":1")) == nil)
        #expect(GPSDReport.read(report.replacing("54.8597", with: "1e308")) == nil)
        #expect(GPSDReport.read(report.replacing("TPV", with: "SKY")) == nil)
        #expect(GPSDReport.read("{\"class\":\"TPV\"") == nil)
        let marks = String(repeating: "\u{301}", count: 31)
        #expect(GPSDReport.read(report.replacing("{", with: "{\"e\(marks)\":1,")) == nil)
    }

    @Test func `10,000 damaged reports never crash a reader`() {
        var random = SystemRandomNumberGenerator()
        let body = Self.sentence("GPRMC,080910.5,A,5451.5820,N,00014.6340,W,22.4,84.4,230226,,,A")
        let report =
            "{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-02-23T08:09:10Z\",\"lat\":1,\"lon\":2}"
        var reader = NMEAReader()
        for number in 0..<10_000 {
            var bytes = Array((number % 2 == 0 ? body : report).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            for fix in [reader.read(text), GPSDReport.read(text)] {
                guard let fix else { continue }
                #expect(abs(fix.position.latitude) <= 90 && abs(fix.position.longitude) <= 180)
            }
        }
    }
}
