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
        try eventually("the pages open") {
            try lobby.ask("GET", "/", cookie: cookie).status == 200
        }
    }
}
