import GRDB
import Messages
import ServiceRuntime
import Testing

@testable import TransitAlertService

/// Who has accepted the privacy policy.
@Suite struct PrivacyPolicyTests {
    @Test func `whoever accepted an earlier version has to accept the present one`() throws {
        let store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
        let owner = Principal.account("ann", organisation: "o")
        try store.write { db in
            let earlier = PrivacyPolicy.version - 1
            try Traveller(policy: earlier, acceptedPolicy: earlier, accepted: 1).save(owner, db)

            let kept = try Traveller.of("ann", db)
            #expect(kept.policy == PrivacyPolicy.version)
            let refusal = #expect(throws: Refusal.self) { try PrivacyPolicy.require(kept) }
            #expect(refusal?.isBecause(.policyUnaccepted) == true)

            var traveller = kept
            try traveller.accept(PrivacyPolicy.version, at: 3)
            try PrivacyPolicy.require(traveller)
            #expect(traveller.accepted == 3)
        }
    }
}
