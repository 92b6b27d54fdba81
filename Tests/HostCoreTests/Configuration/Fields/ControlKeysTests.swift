import Testing

@testable import HostCore

@Suite struct ControlKeysTests {
    private func load(_ control: String) throws -> (ControlSettings?, [Diagnostic]) {
        let files = try TestFiles(["host.yaml": "mediahost: 1\ncontrol: \(control)\npipelines: {}\n"])
        let (configuration, problems) = files.load("host.yaml")
        return (configuration?.control, problems)
    }

    @Test func socketIsAPathOrAMap() throws {
        let (plain, _) = try load("{ socket: /run/a.sock }")
        #expect(plain?.socket == "/run/a.sock" && plain?.access == SocketAccess() && plain?.network == nil)
        let (full, problems) = try load(
            #"{ socket: { path: /run/a.sock, mode: "0666", group: media, users: [kiosk, "1000"] } }"#)
        #expect(full?.socket == "/run/a.sock" && full?.access.mode == 0o666, "\(problems)")
        #expect(full?.access.group == "media" && full?.access.users == ["kiosk", "1000"])
    }

    @Test(arguments: [#""0999""#, #""0066""#, #""660 ""#, #""07777""#])
    func modesThatAreNoneAreRefused(mode: String) throws {
        let (settings, problems) = try load("{ socket: { mode: \(mode) } }")
        #expect(settings == nil && problems.first?.message.contains("is no mode of a socket") == true, "\(problems)")
    }

    @Test func tcpIsReadWithItsDefaults() throws {
        let (settings, problems) = try load("{ tcp: { port: 8080, token-file: /t, allowed-hosts: [Porch.local] } }")
        #expect(settings?.network?.address == "127.0.0.1" && settings?.network?.port == 8080, "\(problems)")
        #expect(settings?.network?.tokenFile == "/t" && settings?.network?.allowedHosts == ["porch.local"])
    }

    @Test(arguments: [
        ("{ port: 8080 }", "\"tcp\" has no token: whoever reaches the port could do everything"),
        ("{ token-file: /t }", "\"tcp\" has no \"port\""),
        ("{ port: 0, token-file: /t }", "\"port\" must be a whole number"),
        ("{ port: 80, token-file: /t, address: porch.local }", "\"porch.local\" is no numeric address"),
    ])
    func whatTcpLacksIsSaid(tcp: String, message: String) throws {
        let (settings, problems) = try load("{ tcp: \(tcp) }")
        #expect(settings == nil && problems.first?.message.hasPrefix(message) == true, "\(problems.map(\.message))")
    }
}
