import Checksum
import Testing

@Suite struct ChecksumTests {
    /// Examples of FIPS 180-4, from NIST's “Example Values”.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `a checksum is SHA-256, in one piece or in several`(text: String, sum: String) {
        let bytes = Array(text.utf8)
        for cut in [0, bytes.count / 2, bytes.count] {
            var checksum = Checksum()
            checksum.add(Array(bytes[..<cut]))
            checksum.add(Array(bytes[cut...]))
            #expect(checksum.text() == sum)
            let whole = Checksum.of(Array(bytes[..<cut]), Array(bytes[cut...]))
            #expect(whole.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == sum)
        }
    }
}
