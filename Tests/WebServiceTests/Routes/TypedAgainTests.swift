import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// Forms that can't be carried out are shown again with what was typed, by real services.
@Suite(.waiting) struct TypedAgainTests {
    @Test func `a log-in and a new account stay in their forms while account-service is down`()
        throws
    {
        let lobby = try Lobby()
        lobby.others["account-service"]?.kill()
        let logIn = try lobby.ask(
            "POST", "/login", form: "name=kari&password=secret+word&stay=yes&next=/plans")
        #expect(logIn.status == 503)
        for part in [
            #"action="/login""#, #"value="kari""#, #"name="stay" value="yes" checked"#,
            #"value="/plans""#, #"role="alert""#,
        ] { #expect(logIn.body.contains(part), "\(part)") }
        #expect(!logIn.body.contains("secret word"))

        let signUp = try lobby.ask(
            "POST", "/sign-up", form: "code=abc&name=kari&displayName=Kari+N&password=secret+word")
        #expect(signUp.status == 503)
        for part in [
            #"action="/sign-up""#, #"value="abc""#, #"value="kari""#, #"value="Kari N""#,
        ] { #expect(signUp.body.contains(part), "\(part)") }
        #expect(!signUp.body.contains("secret word"))
    }
}
