import Bus
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// New passwords in place of single-use codes.
@Suite(.waiting) struct NewPasswordTests {
    @Test func `whoever has logged in with a code is led to the new password until there is one`()
        throws
    {
        let lobby = try Lobby()
        let kari = try lobby.add("kari", .siteManager)
        let accounts = try lobby.system.client(of: .account)
        let code = try accounts.ask(ResetPassword(account: kari), for: ResetCode.self).code
        let cookie = try lobby.logIn("kari", with: code)
        try lobby.restart()
        #expect(try lobby.ask("GET", "/", cookie: cookie).header("Location") == "/password")
        #expect(try lobby.ask("GET", "/password", cookie: cookie).status == 200)

        let words = [code, Lobby.password].map(Target.encoded)
        let form = "present=\(words[0])&new=\(words[1])"
        #expect(try lobby.ask("POST", "/password", cookie: cookie, form: form).status == 303)
        // A browser that lost this answer still has its cookie.
        #expect(try lobby.ask("GET", "/", cookie: cookie).header("Location") == "/login")
        #expect(try lobby.ask("GET", "/", cookie: lobby.logIn("kari")).status == 200)
    }

    @Test func `a new password ends the log-in that set it, so that a copied cookie is of no use`()
        throws
    {
        let lobby = try Lobby()
        let kari = try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)

        let form = "present=\(Target.encoded(Lobby.password))&new=another+long+password"
        let answer = try lobby.ask("POST", "/password", cookie: cookie, form: form)

        #expect(answer.header("Location") == "/login?over=1")
        #expect(try lobby.ask("GET", "/", cookie: cookie).header("Location") == "/login")
        #expect(try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]])
        let open = "SELECT count(*) FROM session WHERE account = '\(kari)' AND ended = 0"
        #expect(try lobby.system.query(.account, open) == [["0"]])
        let again = try lobby.logIn("kari", with: "another long password")
        #expect(try lobby.ask("GET", "/", cookie: again).status == 200)
    }
}
