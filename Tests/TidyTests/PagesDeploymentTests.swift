import Foundation
import Testing

/// However Steward is deployed, browsers can be let in to its pages.
struct PagesDeploymentTests {
    private static let listening = "0.0.0.0:8093"

    @Test(arguments: ["compose.yaml", "deploy/swarm.yaml"])
    func `in containers the pages can be reached, and links to them are right`(
        file: String
    ) throws {
        let text = try Repository.file(file).text
        let shared = try #require(
            text.firstMatch(of: /environment: &environment\n((?: {4}.*\n)+)/)
        ).1
        let own = try #require(text.firstMatch(of: /\n {2}web-service:\n((?: {4}.*\n)+)/)).1

        #expect(shared.contains("STEWARD_WEB_ORIGIN: ${WEB_ORIGIN:-}\n"))
        #expect(shared.contains("STEWARD_WEB_PORT: "))
        #expect(own.contains("STEWARD_WEB_LISTEN: \(Self.listening)\n"))
        #expect(own.contains("STEWARD_WEB_PROXY: ${WEB_PROXY:-}\n"))
    }

    @Test func `on Kubernetes a proxy reaches the pages by a Service, and nothing else there`()
        throws
    {
        let program = try Repository.file("deploy/kubernetes/web-service/kustomization.yaml").text
        let service = try Repository.file("deploy/kubernetes/web-service/pages.yaml").text
        let policies = try Repository.file("deploy/kubernetes/network.yaml").text
            .components(separatedBy: "\n---\n")
        let own = try #require(policies.first { $0.contains("\n  name: pages\n") })

        #expect(program.contains("{name: STEWARD_WEB_LISTEN, value: \"\(Self.listening)\"}"))
        #expect(program.contains("{name: pages, containerPort: 8093}"))
        #expect(program.contains("resources: [../service, pages.yaml]"))
        #expect(service.contains("{name: pages, port: 8093, targetPort: pages}"))
        #expect(own.contains("/component: web-service}") && own.contains("namespaceSelector:"))
        #expect(own.matches(of: /\bport: (\d+)/).map(\.1) == ["8093"])
    }

    @Test func `on Kubernetes the pages need no origin until somebody gives them one`() throws {
        let whole = try Repository.file("deploy/kubernetes/kustomization.yaml").text
        let program = try Repository.file("deploy/kubernetes/service/program.yaml").text

        #expect(whole.contains("- STEWARD_WEB_PORT=8093\n"))
        #expect(program.contains("configMapRef: {name: steward-settings}"))
    }

    @Test(arguments: ["compose.yaml", "deploy/swarm.yaml"])
    func `how long alerts are kept can be set in containers`(file: String) throws {
        #expect(
            try Repository.file(file).text.contains("STEWARD_ALERT_DAYS: ${ALERT_DAYS:-30}\n"))
    }
}
