import Testing

@testable import ProjectService

/// What is kept in memory of interrupted rounds.
struct MirrorRestTests {
    private func mirror(_ project: String) -> MirrorRow {
        var mirror = MirrorRow(
            project: project, logIn: "ann", remote: 7, identifier: project, due: 0)
        mirror.phase = .write
        return mirror
    }

    @Test func `a rest is given back once, and not after its mirror has ended`() {
        let rests = MirrorRests()
        for project in ["house", "shed"] { rests.put(.write([]), of: mirror(project)) }

        rests.forget("shed")

        #expect(rests.take(mirror("house")) != nil)
        #expect(rests.take(mirror("house")) == nil)
        #expect(rests.take(mirror("shed")) == nil)
    }

    @Test func `rests that were kept first stay when there is no room for more`() {
        let rests = MirrorRests(most: 250)
        for project in ["house", "shed"] { rests.put(.write([]), of: mirror(project)) }

        let hasRoom = rests.put(.write([]), of: mirror("barn"))
        #expect(!hasRoom)
        #expect(rests.take(mirror("barn")) == nil)
        #expect(rests.take(mirror("house")) != nil)
        rests.put(.write([]), of: mirror("barn"))
        #expect(rests.take(mirror("barn")) != nil)
        #expect(rests.take(mirror("shed")) != nil)
    }

    @Test func `a single rest is kept, however large`() {
        let rests = MirrorRests(most: 1)
        rests.put(.write([]), of: mirror("house"))

        #expect(rests.take(mirror("house")) != nil)
    }
}
