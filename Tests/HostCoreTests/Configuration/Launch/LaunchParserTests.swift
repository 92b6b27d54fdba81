import Testing

@testable import HostCore

/// What GStreamer 1.22's gst_parse_launch makes of each text was measured; where we are stricter the case says so.
@Suite struct LaunchParserTests {
    static func text(_ launch: String) -> SourceText {
        let file = SourceFile(path: "l", text: launch)
        var text = SourceText(file: file, whole: 0..<file.bytes.count)
        for (offset, byte) in file.bytes.enumerated() { text.append(byte, from: offset..<offset + 1) }
        return text
    }

    /// Elements with their names and properties, references, URIs and filters in one line; then the messages.
    func summary(_ launch: String) -> String {
        var found: [Diagnostic] = []
        let result = LaunchParser.parse(Self.text(launch), diagnostics: &found)
        var parts = result.elements.map { element in
            ([element.factory + (element.isBin ? "()" : "")] + element.properties.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        }
        parts += result.references.map { "->\($0.element).\($0.pad ?? "")" }
        parts += result.filters.map { "{\($0.caps)}" }
        parts += result.uris.map { "<\($0.text)>" }
        parts += found.map { "\($0.severity.rawValue) \($0.span?.start.column ?? 0): \($0.message)" }
        return parts.joined(separator: " | ")
    }

    @Test(arguments: [
        ("videotestsrc ! fakesink", "videotestsrc | fakesink"),
        ("videotestsrc!fakesink", "videotestsrc | fakesink"),
        ("videotestsrc : fakesink", "videotestsrc | fakesink"),
        ("a\t!\nb", "a | b"),
        ("a b", "a | b"),
        ("a ! video/x-raw,format=I420 ! b", "a | b | {video/x-raw,format=I420}"),
        ("a ! video/x-raw, format=I420 , width=320 ! b", "a | b | {video/x-raw, format=I420 , width=320}"),
        ("a : video/x-raw,width=32 : b", "a | b | {video/x-raw,width=32}"),
        ("a ! video/x-raw,width=32 : b", "a | b | {video/x-raw,width=32}"),
        ("a ! video/x-raw;video/x-raw(memory:DMABuf) ! b", "a | b | {video/x-raw;video/x-raw(memory:DMABuf)}"),
        (
            "a ! video/x-raw , width=(int)[ 1, 5 ] , format=(string){ I420, YV12 } ! b",
            "a | b | {video/x-raw , width=(int)[ 1, 5 ] , format=(string){ I420, YV12 }}"
        ),
        ("a ! video/x-raw(memory:SystemMemory),width=3!b", "a | b | {video/x-raw(memory:SystemMemory),width=3}"),
        ("a caps=\"video/x-raw, width=32\" ! b", "a caps=video/x-raw, width=32 | b"),
        ("a caps=video/x-raw,width=32 ! b", "a caps=video/x-raw,width=32 | b"),
        ("a name = x ! b name= y", "a name=x | b name=y"),
        ("a name=x\"y\" ! b", "a name=x\"y\" | b"),
        ("a location=\"/tmp/a b\" ! b", "a location=/tmp/a b | b"),
        ("a location=/tmp/a\\ b ! b", "a location=/tmp/a b | b"),
        (#"a location="a\"b" ! b"#, #"a location=a"b | b"#),
        (#"a location="a"c ! b"#, #"a location="a"c | b"#),
        ("a location=\"\" ! b", "a location= | b"),
        ("a location=\"!\" ! b", "a location=! | b"),
        ("a location='/tmp/a b' ! b", "a location='/tmp/a b' | b | warning 12: single quotes become part of the value"),
        ("a location=x!b", "a location=x!b"),
        ("a live=true! b", "a live=true! | b | warning 8: the \"!\" is part of the value \"true!\""),
        ("a location=! b", "a | b | error 11: \"location\" has no value before the link"),
        ("a location= ! b", "a | b | error 11: \"location\" has no value before the link"),
        ("a location=\"ab ! b", "a | b | error 12: the quote is never closed"),
        ("a location=", "a | location | error 11: no property to set here"),
        ("a ! tee name=t t. ! b t. ! c", "a | tee name=t | b | c | ->t. | ->t."),
        ("a ! t.sink tee name=t t.src_0 ! b", "a | tee name=t | b | ->t.sink | ->t.src_0"),
        ("a .src ! .sink b", "a | b"),
        ("d.a,b ! c", "c | ->d.a"),
        ("tee name=t ! .a,b c", "tee name=t | c"),
        ("( a ! b )", "bin() | a | b"),
        ("( name=x a ) ! b", "bin() name=x | a | b"),
        ("bin.( a ! b ) ! c", "bin() | a | b | c"),
        ("bin . (name=q a) .src ! c", "bin() name=q | a | c"),
        ("a ! (b) ! c", "a | bin() | b | c"),
        ("bin.( bin.( a ) )", "bin() | bin() | a"),
        ("(a) (b)", "bin() | a | bin() | b"),
        ("file:///tmp/x.mp4 ! b", "b | <file:///tmp/x.mp4>"),
        ("a ! file:///tmp/out", "a | <file:///tmp/out>"),
        ("a uri=file:///tmp/x name=d d. ! b", "a uri=file:///tmp/x name=d | b | ->d."),
        ("x264enc @preset=\"Profile YouTube\" tune=4 ! b", "x264enc tune=4 | b"),
        ("a child::prop=1 ! b", "a child::prop=1 | b"),
        ("a name=ü ! b", "a name=ü | b"),
        // What follows is refused, by GStreamer too unless a comment says otherwise.
        ("", "error 1: the launch text is empty"),
        ("  ", "error 1: the launch text is empty"),
        ("a !", "a | error 3: nothing follows this link"),
        ("! a", "a | error 1: nothing stands before this link"),
        ("a ! ! b", "a | b | error 5: no element between two links"),
        ("a ! audio/x-raw !", "a | {audio/x-raw} | error 17: nothing follows this link"),
        ("a ! audio/x-raw ! audio/x-raw ! b", "a | b | {audio/x-raw} | error 19: caps must stand between two links"),
        ("a ! video/x-raw", "a | error 5: caps must stand between two links"),
        (
            "video/x-raw,width=3 ! a",
            "a | error 1: caps must stand between two links | error 21: nothing stands before this link"
        ),
        ("a ! \"video/x-raw, width=3\" ! b", "a | b | error 5: a filter takes no quotes"),
        ("\"a\" ! b", "b | error 1: text in quotes belongs to no property | error 5: nothing stands before this link"),
        ("a ! b .src", "a | b | error 8: nothing is linked to the pad \"src\""),
        ("a ! t. ! b", "a | b | ->t. | error 8: nothing stands before this link"),
        ("t.", "->t. | error 1: nothing is linked to \"t.\""),
        ("( )", "bin() | error 1: the bin is empty"),
        ("( a", "bin() | a | error 1: \"(\" is never closed"),
        ("a )", "a | error 3: \")\" closes nothing"),
        ("/tmp/x.mp4 ! b", "b | </tmp/x.mp4> | error 1: \"/tmp/x.mp4\" is no element"),
        ("a # c ! b", "a | c | b | error 3: unexpected \"#\""),
        ("a, b", "a | b | error 2: unexpected \",\""),
        ("a ; b", "a | b | error 3: unexpected \";\""),
        ("a = 1", "error 1: \"a\"=... belongs to no element"),
        ("a { b }", "a | b | error 3: unexpected \"{\" | error 7: unexpected \"}\""),
        ("a @ x ! b", "a | x | b | error 3: unexpected \"@\""),
        ("a ! -foo", "a | foo | error 5: unexpected \"-\""),
        ("ü ! b", "b | error 1: unexpected \"ü\" | error 3: nothing stands before this link"),
        ("a ! b c=1 ) d=2", "a | b c=1 | error 11: \")\" closes nothing | error 13: \"d\"=... belongs to no element"),
        (".src a", "a | error 1: the pad \".src\" belongs to no element"),
        ("a name=x name=y", "a name=x name=y | error 10: this element has a name already"),
        ("a name=\"\" ! b", "a name= | b | error 8: a name may not be empty"),
        ("@preset=x a", "a | error 1: a preset belongs to no element"),
    ]) func means(_ launch: String, _ expected: String) {
        #expect(summary(launch) == expected)
    }

    @Test(arguments: [
        ("videotestsrc ! fakesink", "videotestsrc name=videotestsrc0 ! fakesink name=fakesink0"),
        ("a!a!a", "a name=a0 !a name=a1 !a name=a2"),
        ("a name=a0 ! a ! b name=a1 ! a x=1", "a name=a0 ! a name=a2 ! b name=a1 ! a name=a3 x=1"),
        ("(a) ! bin.(name=q b)", "( name=bin0 a name=a0 ) ! bin.(name=q b name=b0 )"),
        ("bin.( a )", "bin.( name=bin0 a name=a0 )"),
        (
            "a ! x/y ! capsfilter ! b",
            "a name=a0 ! capsfilter name=capsfilter0 caps=\"x/y\" ! capsfilter name=capsfilter1 ! b name=b0"
        ),
        (
            "a : x/y ! capsfilter ! b",
            "a name=a0 : x/y ! capsfilter name=capsfilter_0 ! b name=b0"
        ),
        (
            #"a!x/y,z="\ w"!b"#,
            #"a name=a0 ! capsfilter name=capsfilter0 caps="x/y,z=\"\\ w\"" !b name=b0"#
        ),
        ("capsfilter ! b .sink", "capsfilter name=capsfilter0 ! b name=b0 .sink"),
    ]) func isNamed(_ launch: String, _ expected: String) {
        var found: [Diagnostic] = []
        let named = LaunchParser.parse(Self.text(launch), diagnostics: &found).named()
        #expect(named.launch == expected)
        var again: [Diagnostic] = []
        let second = LaunchParser.parse(Self.text(named.launch), diagnostics: &again)
        #expect(second.named().launch == named.launch, "named once, it stays as it is")
        #expect(second.elements.compactMap(\.name) == named.elements.map(\.name))
    }

    @Test func spansPointAtTheParts() throws {
        var found: [Diagnostic] = []
        let launch = LaunchParser.parse(Self.text("aa  bb = \"c d\" name=e ! f"), diagnostics: &found)
        let element = try #require(launch.elements.first)
        #expect(element.factorySpan.range == 0..<2)
        #expect(element.properties.map(\.keySpan.range) == [4..<6, 15..<19])
        #expect(element.properties.map(\.valueSpan.range) == [9..<14, 20..<21])
        #expect(element.nameSpan?.range == 20..<21)
    }
}
