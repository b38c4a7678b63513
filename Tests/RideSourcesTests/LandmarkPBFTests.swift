import Foundation
import Messages
import TestSupport
import Testing

@testable import RideSources

/// Landmarks from OpenStreetMap's PBF. The files were written by osmium 1.15 from the XML below.
struct LandmarkPBFTests {
    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <osm version="0.6" generator="by hand">
         <node id="1" lat="59.9000000" lon="10.7000000"/>
         <node id="2" lat="59.9020000" lon="10.7000000"/>
         <node id="3" lat="59.9020000" lon="10.7040000"/>
         <node id="4" lat="59.9000000" lon="10.7040000"/>
         <node id="5" lat="59.9100001" lon="10.7500001">
          <tag k="name" v="Fiskehallen på brygga"/><tag k="shop" v="seafood"/>
          <tag k="website" v="https://example.org/fisk"/></node>
         <node id="6" lat="-33.8567844" lon="151.2152967"><tag k="name" v="Opera House"/>
          <tag k="tourism" v="attraction"/><tag k="description" v="White sails"/></node>
         <node id="7" lat="59.9110000" lon="10.7510000"><tag k="highway" v="bus_stop"/>
          <tag k="name" v="A stop is no landmark"/></node>
         <node id="8" lat="59.9120000" lon="10.7520000"><tag k="amenity" v="bench"/></node>
         <node id="9000000000" lat="0.0000001" lon="-0.0000001">
          <tag k="historic" v="memorial"/><tag k="name" v="Null"/></node>
         <way id="20"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
          <tag k="name" v="Museum"/><tag k="tourism" v="museum"/></way>
         <way id="21"><nd ref="1"/><nd ref="9"/><tag k="highway" v="footway"/>
          <tag k="name" v="A path is no landmark"/></way>
         <way id="22"><nd ref="77"/><tag k="name" v="Cut off"/>
          <tag k="leisure" v="park"/></way>
         <relation id="30"><member type="way" ref="20" role="outer"/>
          <tag k="name" v="Fjord"/><tag k="natural" v="bay"/></relation>
        </osm>
        """
    /// Compressed, with the nodes in dense form.
    private static let dense = """
        AAAADQoJT1NNSGVhZGVyGDgQLBo0eJxT4vMvzg1OzkjNTdQNM9AzU+JySc0rTvXLT0ktbmLkzS/OzSzN1TfUMzTV
        MwAAMKgNWAAAAAwKB09TTURhdGEY7gIQmAMa6AJ4nEWOPUsDQRCG985L7jJJ/IgfiCCelhamVOxUELFQsLGUzWVz
        t2Tv9rjdI6aLhaiVhV1QSSMIYiqRQAolwUKx8C8Igq3+AIMXNOSdYp5hhvcd+FAARaV52CUwsU5FkTiYMeKZfvvK
        zAVl28agCYf7oAuCC5znQS+RnKCSwKQjpS+Ws1myj12fkQUe2NlC5AHJbZ8E2NzgoSCgSx4GVLgAWMoAW5JyD5J5
        IqyA+n/DrhP5mQJTJkB3qO2UcBmMXCj2hIyix1fMbjepMD1uMuzlXRwUQY+e9qgsQyxHPMsBw6HRWUAtMFziRoAZ
        aFshY5m6krlRIK3+6+vz+GhtfhESSk+ZBOppqo9zfZxPqD1cna2c1praY0NFDw21VU2d3F104tdvl5147Vz5ea83
        tc3pSvuwgCrfGmqdLb3evzThtvrchGh/UHkq7Mx0fdQBLRbXkWokIJlC6UF1CA2PoMyoOoZ+AQUtdPEAAAAMCgdP
        U01EYXRhGKIBEL8BGpwBeJxVjLEKwjAYhJPfpIm/SylWJCAEJ19DnZ2dA21tsGlKkyC+ik9rxKm33HEfd9ggQTYa
        16KIPs02OCxuKbQpu/s7QdHbR/8ybxSd9/EX6rOeTOy1DXr0ejBj48z8RDG0NqQ5n11T1L7rkE25r+7qILcVUFCw
        YkeUtCR7osmJXzhkcaVkXUFBFQi5wABlZrs8XSvAzZJ96BcEsyVNAAAACwoHT1NNRGF0YRhWEEsaUnic41LjYuBi
        yUvMTeViz0ssKS1KzOFidcvKL0rhYk5KrARKsuaXlqQWCSkqyXPICTExMkkxMbMocXEwCjBIMCgwaLA6MbJ5MWoE
        MTICAF3xDRU=
        """
    /// Uncompressed, with each node by itself.
    private static let plain = """
        AAAADQoJT1NNSGVhZGVyGCIKICIOT3NtU2NoZW1hLVYwLjaCAQ1vc21pdW0vMS4xNS4wAAAADAoHT1NNRGF0YRiI
        BAqFBArkAQoACgAKBG5hbWUKBHNob3AKB3dlYnNpdGUKFkZpc2tlaGFsbGVuIHDDpSBicnlnZ2EKB3NlYWZvb2QK
        GGh0dHBzOi8vZXhhbXBsZS5vcmcvZmlzawoHdG91cmlzbQoLZGVzY3JpcHRpb24KC09wZXJhIEhvdXNlCgphdHRy
        YWN0aW9uCgtXaGl0ZSBzYWlscwoHaGlnaHdheQoIYnVzX3N0b3AKFUEgc3RvcCBpcyBubyBsYW5kbWFyawoHYW1l
        bml0eQoFYmVuY2gKCGhpc3RvcmljCghtZW1vcmlhbAoETnVsbBKbAgoZCAIiCggBEAAYACAAKAFAgI+guwRIgMOF
        ZgoZCAQiCggBEAAYACAAKAFAwMeiuwRIgMOFZgoZCAYiCggBEAAYACAAKAFAwMeiuwRIgLSKZgoZCAgiCggBEAAY
        ACAAKAFAgI+guwRIgLSKZgojCAoSAwIDBBoDBQYHIgoIARAAGAAgACgBQMKprLsESMLHwmYKJAgMEgMCCAkaAwoL
        DCIKCAEQABgAIAAoAUDHivHCAkiO/oyiCwohCA4SAg0CGgIODyIKCAEQABgAIAAoAUDgxa27BEjg48NmCh8IEBIB
        EBoBESIKCAEQABgAIAAoAUCA4q67BEiAgMVmCh4IgOiIh0MSAhICGgITFCIKCAEQABgAIAAoAUACSAEAAAAMCgdP
        U01EYXRhGMIBCr8BCmQKAAoEbmFtZQoHdG91cmlzbQoGTXVzZXVtCgZtdXNldW0KAAoHaGlnaHdheQoHZm9vdHdh
        eQoVQSBwYXRoIGlzIG5vIGxhbmRtYXJrCgdsZWlzdXJlCgdDdXQgb2ZmCgRwYXJrElcaHQgUEgIBAhoCAwQiCggB
        EAAYACAAKAVCBQICAgIFGhoIFRICBgEaAgcIIgoIARAAGAAgACgFQgICEBoaCBYSAgEJGgIKCyIKCAEQABgAIAAo
        BUICmgEAAAALCgdPU01EYXRhGE0KSwomCgAKBG5hbWUKB25hdHVyYWwKBUZqb3JkCgNiYXkKAAoFb3V0ZXISISIf
        CB4SAgECGgIDBCIKCAEQABgAIAAoBUIBBkoBKFIBAQ==
        """
    /// Compressed by LZ4.
    private static let lz4 = """
        AAAADQoJT1NNSGVhZGVyGDIQLDIu8B0iDk9zbVNjaGVtYS1WMC42IgpEZW5zZU5vZGVzggENb3NtaXVtLzEuMTUu
        MAAAAAwKB09TTURhdGEYgAMQmAMy+gLwmwrkAQoACgAKBG5hbWUKFkZpc2tlaGFsbGVuIHDDpSBicnlnZ2EKBHNo
        b3AKB3NlYWZvb2QKB3dlYnNpdGUKGGh0dHBzOi8vZXhhbXBsZS5vcmcvZmlzawoLT3BlcmEgSG91c2UKB3RvdXJp
        c20KCmF0dHJhY3Rpb24KC2Rlc2NyaXB0aW9uCgtXaGl0ZSBzYWlscwoHaGlnaHdheQoIYnVzX3N0b3AKFUEgCADz
        MyBpcyBubyBsYW5kbWFyawoHYW1lbml0eQoFYmVuY2gKCGhpc3RvcmljCghtZW1vcmlhbAoETnVsbBKuARKrAQoN
        AgEApPDniIdDKjcKCQEBADQSCQABABYaCwAWIgsANCoJAiEA8DVCIYCPoLsEwLgCAL+4AsKaDIm0nf4GqNCe/gag
        nAH94a67BEodgMOFZgCA8QQAwpM4zLbKuwqtmsm7CqCcAYGAxWZSH0wA8AwCAwQFBgcAAggJCgsMAA0OAg8AEBEA
        EhMCFAAAAAAMCgdPU01EYXRhGLQBEL8BMq4B8g8KZAoACgRuYW1lCgd0b3VyaXNtCgZNdXNldW0KBm0IAPABAAoH
        aGlnaHdheQoHZm9vdAkA+UwVQSBwYXRoIGlzIG5vIGxhbmRtYXJrCgdsZWlzdXJlCgdDdXQgb2ZmCgRwYXJrElca
        HQgUEgIBAhoCAwQiCggBEAAYACAAKAVCBQICAgIFGhoIFRICBgEaAgcIHwD3AAICEBoaCBYSAgEJGgIKCzsAUAVC
        ApoBAAAACwoHT1NNRGF0YRhREEsyTfA8CiYKAAoEbmFtZQoHbmF0dXJhbAoFRmpvcmQKA2JheQoACgVvdXRlchIh
        Ih8IHhICAQIaAgMEIgoIARAAGAAgACgFQgEGSgEoUgEB
        """
    /// With the history of each element.
    private static let history = """
        AAAADQoJT1NNSGVhZGVyGE8QQxpLeJxT4vMvzg1OzkjNTdQNM9AzU+JySc0rTvXLT0ktVhL1yCwuyS/KTE7M8cxL
        yy/KTSzJzM9rYuTNL87NLM3VN9QzNNUzAADrhhYnAAAADAoHT1NNRGF0YRjwAhCjAxrqAnicRY49SwNBEIb3zksu
        N0n8OD8QQTwtUxiwEjsjiFgo2FjKXrK5W3Jf3G6I6c5C1MrCLqikEWy0khBJoSRYKBb+BUGw1R9gcIOGvFPMM8zM
        OwMfEiARioddAlPrlJWIjR2HeEbQuTLMsGpZGBRm+wGojOCi7xdArRCTUU5g2uY8YCvZLNnHbuCQRT+0skXhAcnt
        gITY2PDLjIDK/XJImQuAOQ9xnlPfg2SBsHxIg79i1xZ+BsPUYaDa1LIruAoJs8z2GBenJ1eNXjYoMzzfcLBXcHFY
        AlU87VFehZhJvLwNCZuKsZDmIeESVwB2QNkqO45+L+kNCdLyv74+j4/WMjnQpL50DfU1M8CFAWY0uY9Lg7XcfHRa
        bymPTRk9NOV2LXVyd9GNX79dduP1c+nn/balbM5GncMiir4V1D5bfm28tOCm9twC0T+Inoo7cz1LeUiJxVUkJzRI
        plB6WB5Bo2NIH5cn0C/LY3VWAAAADAoHT1NNRGF0YRimARDFARqgAXicXUxLCsIwFEyebROfLkppRYJgcOXSK6hr
        j+Ai0NYGm6Y0CeJVPK0Rd53NDPPDGgkmgzINMm/DpJ3B7BZcEyKbPxNknX50L/VG1lrrf6I6y1H5TmonByt7NdRG
        TU9kfaNdmOLZNXhp2xaTMfrFXex5WQAFAYvksOY0J1siyTE90UsKEanY8aqAjApgfFYAyGO6ifOlAFzN0w/9Au+R
        JfIAAAALCgdPU01EYXRhGFgQTRpUeJzjUuNi4GLJS8xN5WLPSywpLUrM4WJ1y8ovSuFiTkqsBEqy5peWpBYJKSsp
        csgJMTEySTExsyjxcDAKMEgwKDBosBowOjGyeTFqBDEyAgB4zQ1M
        """

    private func bytes(_ text: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    private func reason(_ bytes: [UInt8]) -> String {
        do throws(LandmarkFileError) {
            _ = try LandmarkFile(bytes, type: nil)
            return ""
        } catch { return error.reason }
    }

    @Test(arguments: [dense, plain])
    func `an extract in PBF gives the same landmarks as in XML`(text: String) throws {
        let file = try LandmarkFile(try bytes(text), type: nil)
        let same = try LandmarkFile(Array(Self.xml.utf8), type: nil)

        #expect(file.landmarks == same.landmarks)
        #expect(file.skipped == same.skipped)
        #expect(
            file.landmarks.map(\.name)
                == ["Fiskehallen på brygga", "Opera House", "Null", "Museum"])
        #expect(file.skipped == 2)
        #expect(file.landmarks[2].place == Coordinate(latitudeE7: 1, longitudeE7: -1))
        #expect(
            file.landmarks[3].place
                == Coordinate(latitudeE7: 599_008_000, longitudeE7: 107_016_000))
    }

    @Test func `a file that this reader doesn't understand is refused with advice`() throws {
        #expect(reason(try bytes(Self.lz4)) == "is compressed in another way than by zlib")
        #expect(
            reason(try bytes(Self.history)) == "needs a reader of “HistoricalInformation”")
    }

    /// Where the blocks of a file end.
    private func ends(of file: [UInt8]) throws -> Set<Int> {
        var (ends, place) = (Set<Int>(), 0)
        while place < file.count {
            let start = place + 4
            let size = file[place..<start].reduce(0) { $0 << 8 | Int($1) }
            let header = try MapBlobHeader(unpacking: Array(file[start..<start + size]))
            place = start + size + Int(header.datasize)
            ends.insert(place)
        }
        return ends
    }

    @Test func `a file that was cut off inside a block is refused`() throws {
        for text in [Self.dense, Self.plain] {
            let whole = try bytes(text)
            let ends = try ends(of: whole)
            #expect(ends.count > 1 && ends.contains(whole.count))
            // Nothing in the format says how many blocks there are.
            for count in 0..<whole.count where !ends.contains(count) {
                #expect(!reason(Array(whole.prefix(count))).isEmpty, "\(count) bytes")
            }
        }
    }

    @Test(arguments: Seed.some(1))
    func `a damaged file is refused or read, and crashes nothing`(seed: Seed) throws {
        var random = seed
        for text in [Self.dense, Self.plain] {
            let whole = try bytes(text)
            for _ in 0..<3_000 {
                var file = whole
                for _ in 0...random.below(3) {
                    file[random.below(file.count)] = UInt8(random.below(256))
                }
                _ = reason(file)
            }
        }
    }

    @Test func `tags whose texts are slow to compare are ignored`() throws {
        let marks = Array(("e" + String(repeating: "\u{301}", count: 31)).utf8)
        let texts = [[], Array("name".utf8), Array("Mill".utf8), Array("shop".utf8), marks]
        let node = { (id: Int64, name: UInt32) in
            MapNode(id: id, keys: [1, 3, 4], vals: [name, 2, 2], lat: 10, lon: 10)
        }
        let block = MapBlock(
            stringtable: MapTexts(s: texts),
            primitivegroup: [MapGroup(nodes: [node(1, 2), node(2, 4)])])

        let head = MapHeader(requiredFeatures: ["DenseNodes"])

        let file = try LandmarkFile(
            Self.blob("OSMHeader", head.packed()) + Self.blob("OSMData", block.packed()),
            type: nil)

        #expect(file.landmarks.map(\.name) == ["Mill"])
        #expect(file.skipped == 1)
    }

    /// A block as it is in a file, uncompressed.
    private static func blob(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        let blob = MapBlob(raw: bytes, rawSize: Int32(bytes.count)).packed()
        let header = MapBlobHeader(type: type, datasize: Int32(blob.count)).packed()
        return [0, 0, 0, UInt8(header.count)] + header + blob
    }
}
