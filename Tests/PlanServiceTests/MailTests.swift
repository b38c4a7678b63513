import Foundation
import FloorPlan
import Messages
import PlanFiles
import TestSupport
import Testing

@testable import PlanService

extension Processes {
    @Suite struct MailTests {
        @Test func `a plan is sent as requested, and its native file is the whole plan`()
            throws
        {
            let office = try Office()
            let plan = try office.make("Storgata 1 / 2. etg", CheckTests.home(clear: 600)) {
                ($0.client, $0.chair) = ("K-17", "chair")
            }
            let sent = try office.ask(
                SendPlan(
                    plan: plan.id, to: ["ann@example.org", "bob@example.org"],
                    formats: ["nav", "pdf", "png", "svg", "report"], text: "Se på døra.",
                    language: "nb"), for: PlanSent.self)
            #expect(sent.to == ["ann@example.org", "bob@example.org"])

            let mails = try office.told(MailRequested.self)
            let mail = try #require(mails.first)
            #expect(mails.count == 1 && mail.key == sent.key && mail.to == sent.to)
            #expect(mail.subject == "Plantegning: Storgata 1 / 2. etg")
            #expect(mail.text.hasPrefix("Se på døra.\n\nVedlagt: Storgata-1-2-etg.nav"))
            #expect(mail.organisation == plan.organisation)
            let starts = mail.attachments.map { String(decoding: $0.data.prefix(5), as: UTF8.self) }
            #expect(starts[1] == "%PDF-" && starts[4] == "%PDF-" && starts[2].hasSuffix("PNG\r"))
            #expect(
                mail.attachments.map(\.name)
                    == [".nav", ".pdf", ".png", ".svg", "-report.pdf"]
                    .map { "Storgata-1-2-etg" + $0 })
            let native = try PlanFile.read(mail.attachments[0].data, named: "x.nav")
            #expect(native.details == plan.details && native.warnings == [])
            #expect(try native.items == office.read(plan.id).items)
        }

        @Test func `the attachments have the date of the sender's time zone`() {
            let midnight: Int64 = 1_795_305_600_000  // 2026-11-22 00:00 UTC
            #expect(PlanMails.day(midnight - 1, "") == "2026-11-21")
            #expect(PlanMails.day(midnight, "") == "2026-11-22")
            #expect(PlanMails.day(midnight - 3_600_000, "Europe/Oslo") == "2026-11-22")
            #expect(PlanMails.day(midnight, "America/New_York") == "2026-11-21")
        }

        @Test func `what can't be sent is refused immediately, and nothing is sent`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.room).id
            for (command, code) in [
                (SendPlan(plan: plan, formats: ["nav"]), Refusal.Code.invalid),
                (SendPlan(plan: plan, to: ["no address"], formats: ["nav"]), .invalid),
                (SendPlan(plan: plan, to: ["a@b.no", "a@b.no"], formats: ["nav"]), .invalid),
                (SendPlan(plan: plan, to: ["a@b.no"]), .invalid),
                (SendPlan(plan: plan, to: ["a@b.no"], formats: ["dwg"]), .invalid),
                (SendPlan(plan: plan, to: ["a@b.no"], formats: ["nav"], language: "xx"), .invalid),
                (
                    SendPlan(plan: plan, to: ["a@b.no"], formats: ["nav"], timeZone: "Oslo"),
                    .invalid
                ),
                (SendPlan(plan: "none", to: ["a@b.no"], formats: ["nav"]), .notFound),
            ] {
                #expect(try office.refusal(of: command)?.code == code, "\(command)")
            }
            try office.make("Large", PlanItem.beds(10_000), force: true)
            let refusal = try office.refusal(
                of: SendPlan(plan: "Large", to: ["a@b.no"], formats: ["nav"]))
            #expect(refusal?.code == .tooLarge && refusal?.message.contains("nav has") == true)
            #expect(try office.told(MailRequested.self) == [])
        }
    }
}
