import Messages
import ServiceRuntime

/// Who may send what. Which role is needed depends on whom a message is about: its handler decides.
extension AccountService {
    static var access: [String: Access] {
        [
            SignUp.protobufName: .anyone, LogIn.protobufName: .anyone,
            RefreshAccess.protobufName: .anyone,
            LogOut.protobufName: .account, ListSessions.protobufName: .account,
            ChangePassword.protobufName: .account, ResetPassword.protobufName: .account,
            WhoAmI.protobufName: .account, ListAccounts.protobufName: .account,
            SetAccountDisabled.protobufName: .account, GrantRole.protobufName: .account,
            RevokeRole.protobufName: .account, AddCarer.protobufName: .account,
            RemoveCarer.protobufName: .account, CreateOrganisation.protobufName: .account,
            ListOrganisations.protobufName: .account, SetSignUp.protobufName: .account,
            CreateSite.protobufName: .account, ChangeSite.protobufName: .account,
            Invite.protobufName: .account, ReadAudit.protobufName: .account,
        ]
    }
}
