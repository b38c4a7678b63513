import Bisection
import Testing

@Suite struct BisectionTests {
    @Test func `the first position from which a condition holds is found in every range`() {
        for low in -5...5 {
            for high in low...low + 20 {
                for first in low...high {
                    #expect((low..<high).bisect { $0 >= first } == first)
                }
            }
        }
    }

    @Test func `a range is searched by halving, not linearly`() {
        var looks = 0
        let found = (Int.min / 2..<Int.max / 2).bisect { number in
            looks += 1
            return number > 1_000
        }
        #expect(found == 1_001)
        #expect(looks <= 64)
    }

    @Test func `of equal elements the first is found, or the end if there are none`() {
        #expect([1, 3, 3, 3, 8].bisect { $0 >= 3 } == 1)
        #expect([1, 3].bisect { $0 > 3 } == 2)
        #expect([Int]().bisect { _ in true } == 0)
    }
}
