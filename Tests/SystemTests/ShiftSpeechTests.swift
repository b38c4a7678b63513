import TestSupport
import Testing

/// How people are spoken to in a shift.
struct ShiftSpeechTests {
    @Test func `a refusal of the service is reported once`() throws {
        let restaurant = try Restaurant()
        try restaurant.person("cleo", "crew")
        try restaurant.run("shift start day")

        let refused = try restaurant.say("todo add Rest", device: "cleo")

        #expect(refused.end == .exited(1))
        let sentences = refused.err.split(separator: "\n").filter { !$0.hasPrefix("  ") }
        #expect(sentences.count == 1, "\(refused.err)")
    }

    @Test func `what a display may not do is reported once`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Sweep' --area kitchen")
        try restaurant.person("wall", "display")

        let refused = try restaurant.say("todo done 1001", device: "wall")

        #expect(refused.end == .exited(1))
        #expect(refused.err.components(separatedBy: "this needs the role crew").count == 2)
    }
}
