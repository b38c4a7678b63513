import Messages
import Testing

struct DenialTests {
    @Test(arguments: [
        (Denial(type: "plan.ReadPlan"), "plan.ReadPlan"),
        (Denial(type: "plan.ReadPlan", service: "plan-service"), "plan.ReadPlan to plan-service"),
        (
            Denial(type: "", service: "notifier", key: "desk"),
            "messages of several kinds to notifier, from the key desk"
        ),
        (Denial(type: "", service: "", key: ""), "messages of several kinds"),
    ])
    func `a denial is read as it was written`(denial: Denial, detail: String) {
        #expect(denial.detail == detail)
        #expect(Denial(detail: detail) == denial)
    }
}
