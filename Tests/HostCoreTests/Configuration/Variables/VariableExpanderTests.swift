import Testing

@testable import HostCore

@Suite struct VariableExpanderTests {
    /// The expanded `k`, or the messages.
    func expand(_ yaml: String, _ environment: [String: String] = [:]) -> String {
        var found = Problems()
        guard let root = YAMLReader.read(SourceFile(path: "a.yaml", text: yaml), into: &found), let node = root["k"]
        else {
            return "no k"
        }
        var expander = VariableExpander(vars: root["vars"], environment: environment)
        expander.secrets = SecretStore(directory: "/nowhere")
        expander.checkVariables()
        let text = expander.expand(node).text?.string ?? "?"
        let messages = expander.problems.diagnostics.map(\.message)
        return messages.isEmpty ? text : messages.joined(separator: "; ")
    }

    @Test(arguments: [
        ("k: a${X}b", "a1b"), ("k: ${X}${X}", "11"), ("k: ${EMPTY}", ""), ("k: ${EMPTY:-d}", "d"), ("k: ${NO:-d}", "d"),
        ("k: ${NO:-}", ""), ("k: ${NO:-/dev/video0}", "/dev/video0"), ("k: ${NO:-${X}-${NO:-z}}", "1-z"),
        ("k: ${X:-${NO}}", "1"), ("k: $${X}", "${X}"), ("k: $$ $ $X", "$$ $ $X"), ("k: $$${X}", "$${X}"),
        ("k: ${NO}", "the variable \"NO\" is not set"), ("k: ${NO:?say where}", "NO: say where"),
        ("k: ${EMPTY:?}", "the variable \"EMPTY\" is not set"), ("k: ${X", "\"${\" is never closed"),
        ("k: ${}", "\"${}\" names no variable"), ("k: ${a b}", "\"${a b}\" names no variable"),
        ("k: ${secret:../X}", "\"${secret:../X}\" names no variable"),
        ("k: ${secret:}", "\"${secret:}\" names no variable"), ("k: ${X:=1}", "\"${X:=1}\" names no variable"),
        ("k: ${1}", "\"${1}\" names no variable"),
        ("vars: { X: own }\nk: ${X}", "own"), ("vars: { A: '${B}!', B: '${X}' }\nk: ${A}", "1!"),
        ("vars: { A: '${B}', B: '${A}' }\nk: x", "the variable \"A\" needs its own value"),
        ("vars: { A: '${A}' }\nk: x", "the variable \"A\" needs its own value"),
        ("vars: { A: '$${A}' }\nk: ${A}", "${A}"),
        ("vars: [1]\nk: x", "vars must be a map of names and texts, not a list"),
        ("vars: { A: [1] }\nk: x", "a variable holds a text, not a list"),
        ("vars: { 'a b': 1 }\nk: x", "\"a b\" is no name for a variable"),
        ("vars:\nk: x", "x"), ("vars: { secret: a }\nk: ${secret}${secret:-b}", "aa"), ("k: ${secret:-b}", "b"),
        ("k: ${secret:?why}", "secret: why"), ("vars: { secret: \"${secret:x:-y}\" }\nk: ${secret}", "y"),
    ]) func expandsTo(_ yaml: String, _ result: String) {
        #expect(expand(yaml, ["X": "1", "EMPTY": ""]) == result)
    }

    @Test func textsThatMultiplyAreStopped() {
        var yaml = "vars:\n  a0: \"0123456789\"\n"
        for level in 1...12 {
            yaml += "  a\(level): \"" + String(repeating: "${a\(level - 1)}", count: 10) + "\"\n"
        }
        #expect(expand(yaml + "k: ${a12}").contains("too long with its variables put in"))
    }

    @Test func longChainsAndWideLoopsEnd() {
        var yaml = "vars:\n"
        for level in 0..<100 { yaml += "  a\(level): \"${a\(level + 1)}${a\(level + 1)}${a\(level + 2)}\"\n" }
        #expect(expand(yaml + "  a100: x\n  a101: y\nk: x").contains("nested more than 16 deep"))
    }

    @Test func undefinedVariableIsMarkedOnce() {
        #expect(
            problems(in: "mediahost: 1\nvars: { camera: x }\npipelines:\n  a:\n    launch: ${camra} dev=1 ! fakesink\n")
                == """
                porch.yaml:5:13: error: the variable "camra" is not set
                    launch: ${camra} dev=1 ! fakesink
                            ^~~~~~~~
                help: did you mean "camera"?
                help: set camra in the environment or under `vars:`, or give a default: ${camra:-default}

                """)
    }
}
