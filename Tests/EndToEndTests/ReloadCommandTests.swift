import Foundation
import Testing

/// `mediahost reload`: what it says and how it ends; `ReloadTests` prove what a reload does.
@Suite(.timeLimit(.minutes(10)))
struct ReloadCommandTests {
    private static func config(_ sink: String) -> String {
        """
        mediahost: 1
        pipelines:
          camera: { launch: videotestsrc is-live=true ! \(sink) }
          other: { launch: fakesrc is-live=true ! fakesink }
        """
    }

    @Test func appliedIsZeroAndSaysWhatChanged() async throws {
        let place = try Workplace()
        try await withHost(Self.config("fakesink"), in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            try place.write(Self.config("identity name=new ! fakesink"), to: "config.yaml")
            let answer = try await host.answer("reload")
            #expect(answer["applied"].bool == true)
            #expect(answer["pipelines"]["rebuilt"].list.map(\.string) == ["camera"])
            #expect(answer["pipelines"]["unchanged"].int == 1)
            #expect(try await host.ask("graph", "camera").output.contains(#"GstIdentity\nnew"#))
            // Swift's own pool is not needed: its threads want a priority that only root may give them, and complain.
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.child.pid)/task").compactMap
            {
                try? String(contentsOfFile: "/proc/\(host.child.pid)/task/\($0)/comm", encoding: .utf8)
            }
            #expect(threads.count > 2 && !threads.contains { $0.contains("-qos") }, "\(threads)")
            try await host.terminate()
        }
    }

    @Test func badFileIsThreeAndTheOldOneGoesOn() async throws {
        let place = try Workplace()
        try await withHost(Self.config("fakesink"), in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            try place.write(Self.config("fakesnk"), to: "config.yaml")
            let refused = try await host.ask("reload")
            #expect(refused.ending == .exit(3) && refused.output == "")
            #expect(refused.errors.contains(#"config.yaml:3:49: error: no element "fakesnk""#), "\(refused.errors)")
            #expect(refused.errors.contains(#"help: did you mean "fakesink"?"#))
            #expect(!refused.errors.contains("mediahost reload: "))
            // For scripts the whole report.
            let scripted = try await host.ask("reload", "--json")
            #expect(scripted.ending == .exit(3))
            let report = try JSON(scripted.output)
            #expect(report["applied"].bool == false && report["result"].string == "refused")
            #expect(
                report["problems"].list.first?["line"].int == 3 && report["code"].string == "configuration")
            #expect(try await host.answer("status")["pipelines"]["camera"]["state"].string == "playing")
            try await host.terminate()
        }
        let gone = try await Tool.run(
            Workplace.mediahost, ["reload", "--socket", place.path("control.sock")], in: place.directory)
        #expect(gone.ending == .exit(4) && gone.output == "")
        let scripted = try await Tool.run(
            Workplace.mediahost, ["reload", "--json", "--socket", place.path("control.sock")], in: place.directory)
        #expect(try JSON(scripted.output)["code"].string == "unreachable")
    }
}
