import Messages
import TestSupport
import TestThreads
import Testing

/// The checklist on a phone that stays open from shift to shift, or has no room, in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PhoneShiftTests {
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
    }

    private func begin() throws -> Browser.Page {
        let phone = try browser.begin("phone", profile: lobby.system.path("browser-phone"))
        try phone.logIn(lobby, as: "kari")
        return phone
    }

    @Test func `a page that stays open goes on to the next shift`() throws {
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        try lobby.command("shift", "end", "--despite-open")
        try eventually("it says so") { try phone.text("#shift").contains("No shift is open") }
        try lobby.command("shift", "start", "day")
        try eventually("the lists are there") {
            try phone.run("document.querySelector('button.list') !== null") == "true"
        }
        try phone.click("button.list")
        try phone.click("button.good.big")
        // The shift that is open now has this mark alone.
        try lobby.awaitMarks(1, from: phone)
        let problems = try phone.problems
        #expect(problems == [])
    }

    @Test func `a checklist without contact says since when, although nothing waits`() throws {
        let way = try browser.relay(to: lobby.port)
        let phone = try browser.begin("phone", profile: lobby.system.path("browser-phone"))
        try phone.logIn(lobby, as: "kari", by: way.address)
        try phone.go(way.address + "/shift/Harbour")
        // “All sent” also stands there before this page first had contact, which then has no time.
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        try eventually("it shows what others did") {
            try phone.text("[data-key='#todos'] .count") == "1"
        }
        #expect(try phone.text("#sending") == "All sent")
        try way.cut()
        try eventually("it says so") {
            try phone.text("#sending").wholeMatch(of: /As of \d\d:\d\d:\d\d, no connection/)
                != nil
        }
        try eventually("so do its alerts") {
            try phone.text("#alert-state").contains("no connection")
        }
        #expect(try phone.barriers == [])
        try way.mend()
        try eventually("there is contact") {
            try phone.text("#sending") == "All sent"
                && phone.run("document.getElementById('alert-state').hidden") == "true"
        }
    }

    @Test func `only who may delete a to-do is offered to undo that it was added`() throws {
        try lobby.add("ole", .crew)
        for (name, count) in [("kari", "1"), ("ole", "0")] {
            let phone = try browser.begin(name, profile: lobby.system.path("browser-\(name)"))
            try phone.logIn(lobby, as: name)
            try phone.go(lobby.address + "/shift/Harbour")
            try phone.click("[data-key='#todos']")
            try phone.click("#shift > button.main")
            try phone.fill("#line", "Tap drips, says \(name)")
            try phone.click("#shift form button.main")
            try eventually("it is there") {
                try phone.text("#shift").contains("Tap drips, says \(name)")
            }
            #expect(try phone.run("document.querySelectorAll('.undo').length") == count)
        }
    }

    @Test func `a note has room for a thousand characters`() throws {
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click(".small button:nth-child(4)")
        let text = String(repeating: "The seal of the fridge is loose. ", count: 30)
        try phone.fill("textarea", text)
        try phone.click("form .main")
        try eventually("it arrived") {
            try lobby.operations(of: lobby.shift()).contains { operation in
                if case .note(let note) = operation.change { note.text.count > 900 } else { false }
            }
        }
    }

    @Test func `areas and priorities are named in the language of the page`() throws {
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        let phone = try browser.begin(
            "phone", profile: lobby.system.path("browser-phone"), ["locale": "nb-NO"])
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("[data-key='#todos']")
        try eventually("the to-do is there") {
            try phone.text("#shift").contains("Mop the cellar")
        }
        #expect(try phone.text("#shift .todo .where").hasSuffix("Straks"))
        try phone.click("#shift > button.main")
        let texts = "[...document.querySelectorAll('#area option')].map((it) => it.text).join()"
        let areas = try phone.run(texts)
        #expect(areas.contains("Kjøkken") && !areas.contains("kitchen"))
        #expect(
            try phone.run(texts.replacing("#area", with: "#priority"))
                == "Straks,Før rushet,Under skiftet,Neste skift")
        #expect(try phone.run("document.querySelector('#priority').value") == "immediate")
        let problems = try phone.problems
        #expect(problems == [])
    }

    @Test func `a task is named in the language of the page, or says in which it is`() throws {
        try lobby.importList(
            """
            checklist: Kveld
            kind: pre-shift
            day-parts: [day]
            area: kitchen
            priority: immediate
            sections:
              - section: Kjøkken
                tasks:
                  - task: Slå av grillen
                    titles:
                      en: Turn off the grill
                  - task: Vask gulvet
            """)
        try lobby.command("site", "settings", "--language", "nb")
        try lobby.command("shift", "end", "--despite-open")
        try lobby.command("shift", "start", "day")
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list:has-text('Kveld')")
        let language = "document.querySelector('#shift h1').lang"
        try eventually("it is in English") { try phone.text("h1") == "Turn off the grill" }
        #expect(try phone.run(language) == "")
        try phone.click("button.good.big")
        try eventually("it is in Norwegian") { try phone.text("h1") == "Vask gulvet" }
        #expect(try phone.run(language) == "nb")
        #expect(try phone.barriers == [])
    }

    @Test func `a list is said to be finished only while all of it is marked`() throws {
        for name in ["Goods in", "Goods out"] {
            try lobby.importList(
                """
                checklist: \(name)
                kind: pre-shift
                day-parts: [day]
                area: kitchen
                priority: immediate
                sections:
                  - section: Delivery
                    tasks:
                      - task: Floor of \(name)
                """)
        }
        try lobby.command("shift", "end", "--despite-open")
        try lobby.command("shift", "start", "day")
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        let words = "Every task of this list is marked"
        try phone.click("button.list:has-text('Goods in')")
        try phone.click("button.good.big")
        try eventually("it says so") { try phone.text("#shift").contains(words) }

        try phone.click("header button:has-text('Lists')")
        try phone.click("button.list:has-text('Goods out')")
        try eventually("the other list is there") {
            try phone.text("h1") == "Floor of Goods out"
        }
        #expect(try !phone.text("#shift").contains(words))
        try phone.click("button.good.big")
        try eventually("it says so again") { try phone.text("#shift").contains(words) }
        try phone.click("#shift .small button:nth-child(2)")
        try eventually("no longer") { try !phone.text("#shift").contains(words) }
        let problems = try phone.problems
        #expect(problems == [])
    }

    /// The copies of shifts in the browser.
    private static let copies = """
        new Promise((resolve) => {
            const open = indexedDB.open('steward');
            open.onsuccess = () => {
                const all = open.result.transaction('records').objectStore('records').getAllKeys();
                all.onsuccess = () => {
                    open.result.close();
                    resolve(new Set(all.result.map(([name]) => name)
                        .filter((name) => /^(?!open)[^/]+[/][^/]+$/.test(name))).size);
                };
            };
        })
        """

    /// Has the page believe that the shift that is open began days later.
    private static let later = """
        const real = fetch;
        globalThis.fetch = async (...all) => {
            const answer = await real(...all);
            if (!String(all[0]).includes('/snapshot') || !answer.ok) return answer;
            const read = await answer.json();
            read.shift.started += 8 * 86400000;
            return Response.json(read);
        };
        """

    @Test func `the copy of a shift that ended a week ago is deleted from the phone`() throws {
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        try phone.go(lobby.address + "/")
        try lobby.command("shift", "end", "--despite-open")
        try lobby.command("shift", "start", "day")
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("both are kept") { try phone.run(Self.copies) == "2" }
        try phone.prepare(Self.later)
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("only the open one is kept") { try phone.run(Self.copies) == "1" }
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        let problems = try phone.problems
        #expect(problems == [])
    }

    /// Adds a record to the copy of the open shift, as a newer version of the page would.
    private static let newer = """
        new Promise((resolve) => {
            const open = indexedDB.open('steward');
            open.onsuccess = () => {
                const transaction = open.result.transaction('records', 'readwrite');
                const records = transaction.objectStore('records');
                const all = records.getAllKeys();
                all.onsuccess = () => {
                    const [name, index] = all.result.findLast(([name]) =>
                        /^(?!open)[^/]+[/][^/]+$/.test(name));
                    records.add({ kind: 'newer' }, [name, index + 1]);
                };
                transaction.oncomplete = () => {
                    open.result.close();
                    resolve('added');
                };
            };
        })
        """

    @Test func `a page that can't read what a newer version has kept says what helps`() throws {
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        #expect(try phone.run(Self.newer) == "added")
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("it says so") { try phone.text("#shift").contains("newer version") }
        #expect(try phone.text("#shift button") == "Load the page")
        #expect(try phone.run(Self.copies) == "1")
        // The next shift can begin meanwhile.
        try lobby.command("shift", "end", "--despite-open")
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("a shift can be started") {
            try phone.text("#shift").contains("No shift is open")
        }
        #expect(try phone.run("document.querySelector('.starting button') !== null") == "true")
        try eventually("it is still said") { try phone.text("#sending").contains("newer version") }
        let problems = try phone.problems
        #expect(problems == [])
    }

    @Test func `what was typed stays in its form until it can be kept`() throws {
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click(".small button:nth-child(4)")
        try phone.fill("textarea", "The seal is loose")
        _ = try phone.run(
            """
            (globalThis.realAdd = IDBObjectStore.prototype.add, IDBObjectStore.prototype.add =
                () => { throw new DOMException('full', 'DataError'); })
            """)
        try phone.click("form .main")
        try eventually("it says so") { try phone.text("#sending").contains("could not be kept") }
        #expect(
            try phone.run("document.querySelector('textarea').value") == "The seal is loose")

        _ = try phone.run("(IDBObjectStore.prototype.add = realAdd)")
        try phone.click("form .main")
        try eventually("it is kept") { try phone.text("#shift").contains("The seal is loose") }
        #expect(try phone.run("document.querySelector('textarea') === null") == "true")
        let problems = try phone.problems
        #expect(problems == [])
    }

    /// Has the page learn only later which shift is open.
    private static let slow = """
        const real = fetch;
        globalThis.fetch = async (...all) => {
            const answer = await real(...all);
            if (!String(all[0]).includes('/snapshot')) return answer;
            const text = await answer.text();
            while (!globalThis.mayAnswer) await new Promise((go) => setTimeout(go, 50));
            return new Response(text, { status: answer.status, headers: answer.headers });
        };
        """

    @Test func `what is typed as the next shift comes can be kept`() throws {
        let phone = try begin()
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        try phone.go(lobby.address + "/")
        try lobby.command("shift", "end", "--despite-open")
        try lobby.command("shift", "start", "day")
        try phone.prepare(Self.slow)
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        try phone.click(".small button:nth-child(4)")
        try phone.fill("textarea", "The seal is loose")
        let looks = """
            performance.getEntriesByType('resource')
                .filter(({name}) => name.includes('/operations/')).length
            """
        #expect(try phone.run("globalThis.mayAnswer = true") == "true")
        let before = try #require(Int(try phone.run(looks)))
        try eventually("it has looked twice since") {
            (Int(try phone.run(looks)) ?? 0) >= before + 2
        }
        #expect(
            try phone.run("document.querySelector('textarea')?.value") == "The seal is loose")

        try phone.click("form .main")
        try eventually("the lists of the next shift are there") {
            try phone.run("document.querySelector('button.list') !== null") == "true"
        }
        try phone.click("button.list")
        try phone.click("button.good.big")
        try lobby.awaitMarks(1, from: phone)
        let problems = try phone.problems
        #expect(problems == [])
    }

    /// Has the browser keep nothing for the page, as in some private windows.
    private static let refusal = """
        IDBFactory.prototype.open = () => { throw new DOMException('no', 'InvalidStateError'); };
        """

    /// Leaves the browser no room to keep anything.
    private static let fullness = """
        IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'DataError'); };
        """

    @Test(arguments: [
        (refusal, "keeps nothing on this device"), (fullness, "can keep nothing more"),
    ])
    func `a phone that can keep nothing says so`(lack: String, words: String) throws {
        let phone = try begin()
        try phone.prepare(lack)
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("it says so") { try phone.text("#shift").contains(words) }
        #expect(try phone.barriers == [])
        let problems = try phone.problems
        #expect(problems == [])
    }

    @Test func `a phone whose browser keeps nothing says so although no shift is open`() throws {
        let phone = try begin()
        try lobby.command("shift", "end", "--despite-open")
        try phone.prepare(Self.refusal)
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("it says what to do") {
            try phone.text("#shift").contains("allow this site to store data")
        }
        let problems = try phone.problems
        #expect(problems == [])
    }
}
