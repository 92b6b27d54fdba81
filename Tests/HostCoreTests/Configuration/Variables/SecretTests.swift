import Foundation
import Testing

@testable import HostCore

/// `${secret:NAME}`: where it comes from, who is refused, and that nobody sees it.
@Suite struct SecretTests {
    static let config = """
        mediahost: 1
        secrets: secrets
        pipelines:
          a: { launch: "filesrc location=\\"x://u:${secret:porch}@h/\\" ! fakesink" }

        """

    func files(_ secret: String = "p4ss/w:rd\n", mode: Int = 0o600) throws -> TestFiles {
        let files = try TestFiles(["porch.yaml": Self.config])
        try files.write(secret, to: "secrets/porch", mode: mode)
        return files
    }

    @Test(arguments: [
        ("p4ss/w:rd\n", "p4ss/w:rd"), ("p4ss", "p4ss"), ("quo\"te\\d", "quo\"te\\d"),
    ])
    func secretIsPutInWithoutItsLastNewline(_ written: String, _ value: String) throws {
        let (loaded, found) = try files(written).load()
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        #expect(loaded?.pipelines.first?.launch.elements[0].properties[0].value == "x://u:\(value)@h/")
        #expect(loaded?.secrets.isEmpty == false)
        #expect(loaded?.secrets.mask("with \(value).") == "with ***.")
    }

    @Test func systemdsCredentialsComeFirst() throws {
        let files = try files()
        // systemd's own protection: an ACL shows as a group bit.
        try files.write("credential", to: "run/porch", mode: 0o440)
        let environment = ["CREDENTIALS_DIRECTORY": files.place.path("run")]
        #expect(
            files.load("porch.yaml", environment).0?.pipelines.first?.launch.elements[0].properties[0].value
                == "x://u:credential@h/")
        try files.write("other", to: "run/garden")
        try FileManager.default.removeItem(atPath: files.place.path("run/porch"))
        #expect(files.load("porch.yaml", environment).0?.secrets.mask("p4ss/w:rd") == "***")
    }

    @Test func defaultAndMessageStandInForAMissingSecret() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\nsecrets: .\ncontrol: { socket: \"/run/${secret:no.such:-x}\" }\n",
            "b.yaml": "mediahost: 1\nsecrets: .\ncontrol: { socket: \"${secret:no:?put it there}\" }\n",
        ])
        #expect(files.load().0?.control.socket == "/run/x")
        #expect(files.load("b.yaml").1.map(\.message) == ["no: put it there"])
    }

    @Test func missingSecretSaysWhereItWasLookedFor() throws {
        let files = try files()
        try files.write(Self.config.replacingOccurrences(of: "secret:porch", with: "secret:proch"), to: "porch.yaml")
        #expect(
            files.problems("porch.yaml", ["CREDENTIALS_DIRECTORY": "/run/nowhere"]) == """
                porch.yaml:4:42: error: there is no secret "proch"
                  a: { launch: "filesrc location=\\"x://u:${secret:proch}@h/\\" ! fakesink" }
                                                         ^~~~~~~~~~~~~~~
                help: did you mean "${secret:porch}"?
                help: it was looked for in /run/nowhere/proch and secrets/proch

                """)
    }

    @Test(arguments: [
        (0o644, "password", "others may read the secret secrets/porch: its mode is 0644", "chmod 0600 secrets/porch"),
        (0o640, "password", "others may read the secret secrets/porch: its mode is 0640", "chmod 0600 secrets/porch"),
        (
            0o600, "pwd\n", "the secret secrets/porch is too short to be kept out of messages",
            "a secret has at least 4 bytes"
        ),
        (
            0o600, String(repeating: "x", count: 20_000), "the secret secrets/porch is too large",
            "a secret may have 16384 bytes"
        ),
        (0o600, "pass\0word", "the secret secrets/porch is no line of text", text),
        (0o600, "password\n\n", "the secret secrets/porch is no line of text", text),
    ])
    func badSecretIsRefused(_ mode: Int, _ text: String, _ message: String, _ help: String) throws {
        let problems = try files(text, mode: mode).problems()
        #expect(problems.contains("porch.yaml:4:42: error: \(message)\n"), "\(problems)")
        #expect(problems.hasSuffix("help: \(help)\n"), "\(problems)")
    }

    static let text = "a secret is UTF-8 without control characters; one newline at its end does not count"

    @Test func anothersSecretIsRefused() throws {
        let files = try files()
        var store = SecretStore(directory: files.place.path("secrets"))
        store.user = getuid() + 1
        // Root's secrets are everybody's.
        if getuid() == 0 {
            #expect(throws: Never.self) { try store.read("porch") }
        } else {
            #expect(throws: SecretStore.Refusal.self) { try store.read("porch") }
        }
    }

    @Test func placeOfTheSecretsCannotBeASecret() throws {
        let files = try TestFiles(["porch.yaml": "mediahost: 1\nsecrets: /run/${secret:x}\n"])
        #expect(files.load().1.map(\.message) == ["no secret can say where the secrets are"])
    }

    /// The text of a message may hold what was put in: a value that the launch parser finds odd, cut off or escaped.
    @Test(arguments: ["p4ssw0rd!", "p4ss\"w0rd!", String(repeating: "p4ssw0rd", count: 40) + "!"])
    func noMessageShowsASecret(_ secret: String) throws {
        let files = try TestFiles([
            "porch.yaml": """
            mediahost: 1
            secrets: secrets
            vars: { password: "${secret:porch}" }
            pipelines:
              a:
                launch: filesrc location=${password} ! fakesink ${secret:porch}=1
                on-eos: ${password}
                warm-up: { at: "${secret:porch}" }
              b: { launch: "${secret:porch}", settable: ["${secret:porch}"] }
            control: { socket: ["${secret:porch}"] }

            """
        ])
        try files.write(secret, to: "secrets/porch", mode: 0o600)
        let problems = files.problems()
        #expect(problems.contains("***"))
        #expect(!problems.contains("p4ss"), "\(problems)")
    }

    @Test(arguments: ["pass word", "a!b\\c\"d", "x y=z ! fakesink"])
    func secretStaysOneValue(_ secret: String) throws {
        let files = try TestFiles([
            "porch.yaml": """
            mediahost: 1
            secrets: secrets
            vars: { from: "filesrc location = //u:${secret:porch}@h" }
            pipelines:
              a: { launch: "${from} ! fakesink" }
              b: { launch: "filesrc location=${secret:porch} ! fakesink" }

            """
        ])
        try files.write(secret, to: "secrets/porch", mode: 0o600)
        let (loaded, found) = files.load()
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        let values = loaded?.pipelines.flatMap { $0.launch.elements.flatMap(\.properties).map(\.value) }
        #expect(values == ["//u:\(secret)@h", secret])
    }

    @Test func secretThatIsNoValueIsRefused() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\nsecrets: .\npipelines:\n  a: { launch: \"fakesrc ! ${secret:s} a=1\" }\n"
        ])
        try files.write("my secret", to: "s", mode: 0o600)
        #expect(
            files.problems() == """
                porch.yaml:4:16: error: a secret can only be the value of a property, or a part of it
                  a: { launch: "fakesrc ! ${secret:s} a=1" }
                               ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: for example: location=rtsp://porch:${secret:porch}@10.0.0.7/

                """)
    }

    @Test(arguments: [
        ("p@ss w0rd", "***"), ("p%40ss%20w0rd", "***"), ("p%40ss w0rd", "***"),
        ("http://a:p%40ss%20w0rd@b", "http://a:***@b"),
        ("p@ss\\ w0rd", "***"), ("p\\u0040ss w0rd", "***"), ("\"p@ss w...\"", "\"***...\""), ("p@ss", "p@ss"),
        ("p@ss w0rdp@ss w0rd", "******"), ("", ""), ("p%4", "p%4"), ("pp@ss w0rd", "p***"),
        ("p@ss w0rd-long", "***"),
    ])
    func maskFindsEveryForm(_ text: String, _ masked: String) {
        #expect(SecretMask([Array("p@ss w0rd".utf8), Array("p@ss w0rd-long".utf8)]).mask(text) == masked)
    }

    @Test func mergedMasksHideBoth() {
        let old = SecretMask([Array("old one".utf8)])
        #expect(old.merged(with: SecretMask([Array("new one".utf8)])).mask("old one, new%20one") == "***, ***")
    }

    @Test func treesAreMasked() {
        let mask = SecretMask([Array("secret".utf8)])
        #expect(
            mask.mask(["uri": "rtsp://a:secret@b", "list": ["secret", 1, true]])
                == ["uri": "rtsp://a:***@b", "list": ["***", 1, true]])
        #expect(SecretMask().mask("secret") == "secret")
    }
}
