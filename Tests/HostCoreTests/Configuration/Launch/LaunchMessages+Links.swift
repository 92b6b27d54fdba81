/// Filters and links.
extension LaunchMessages {
    static let links: [Case] = [
        Case(
            name: "field of a filter", launch: #"fakesrc ! video/x-raw,width=(int)wide,height=3 ! fakesink"#,
            message: #"""
                porch.yaml:5:40: error: "wide" cannot be read as int
                      fakesrc ! video/x-raw,width=(int)wide,height=3 ! fakesink
                                                       ^~~~

                """#),
        Case(
            name: "type of a filter", launch: #"fakesrc ! video/x-raw,width=(itn)320 ! fakesink"#,
            message: #"""
                porch.yaml:5:36: error: "itn" is no type of caps
                      fakesrc ! video/x-raw,width=(itn)320 ! fakesink
                                                   ^~~
                help: did you mean "int"?
                help: types: int, int64, uint, float, double, string, boolean, fraction, bitmask

                """#),
        Case(
            name: "missing comma in a filter", launch: #"fakesrc ! video/x-raw width=320 ! fakesink"#,
            message: #"""
                porch.yaml:5:17: error: "video/x-raw width=320" is no media type
                      fakesrc ! video/x-raw width=320 ! fakesink
                                ^~~~~~~~~~~~~~~~~~~~~
                help: fields are set apart by commas: video/x-raw,width=320

                """#),
        Case(
            name: "missing name in a filter", launch: #"fakesrc ! video/x-raw,width ! fakesink"#,
            message: #"""
                porch.yaml:5:29: error: "width" is no field of caps
                      fakesrc ! video/x-raw,width ! fakesink
                                            ^~~~~
                help: fields are written name=value

                """#),
        Case(
            name: "comma between values in a filter", launch: #"fakesrc ! video/x-raw,format=I420,NV12 ! fakesink"#,
            message: #"""
                porch.yaml:5:41: error: "NV12" is no field of caps
                      fakesrc ! video/x-raw,format=I420,NV12 ! fakesink
                                                        ^~~~
                help: several values are written name={first,second}

                """#),
        Case(
            name: "two commas in a filter", launch: #"fakesrc ! video/x-raw,,width=3 ! fakesink"#,
            message: #"""
                porch.yaml:5:28: error: a field is missing behind this comma
                      fakesrc ! video/x-raw,,width=3 ! fakesink
                                           ^

                """#),
        Case(
            name: "open bracket in a filter", launch: #"fakesrc ! video/x-raw,format={I420,NV12 ! fakesink"#,
            message: #"""
                porch.yaml:5:36: error: the "{" in these caps is never closed
                      fakesrc ! video/x-raw,format={I420,NV12 ! fakesink
                                                   ^~~~~~~~~~

                """#),
        Case(
            name: "second structure of a filter", launch: #"fakesrc ! video/x-raw;audio/x-raw,rate=[1 ! fakesink"#,
            message: #"""
                porch.yaml:5:46: error: the "[" in these caps is never closed
                      fakesrc ! video/x-raw;audio/x-raw,rate=[1 ! fakesink
                                                             ^~

                """#),
        Case(
            name: "nothing in common", launch: #"videotestsrc ! audioconvert ! fakesink"#,
            message: #"""
                porch.yaml:5:20: error: "videotestsrc" and "audioconvert" have no format in common
                      videotestsrc ! audioconvert ! fakesink
                                   ^
                help: "videotestsrc" gives video/x-raw; "audioconvert" takes audio/x-raw

                """#),
        Case(
            name: "named elements with nothing in common",
            launch: #"videotestsrc name=camera ! audioconvert name=conv ! fakesink"#,
            message: #"""
                porch.yaml:5:32: error: "camera" (videotestsrc) and "conv" (audioconvert) have no format in common
                      videotestsrc name=camera ! audioconvert name=conv ! fakesink
                                               ^
                help: "camera" (videotestsrc) gives video/x-raw; "conv" (audioconvert) takes audio/x-raw

                """#),
        Case(
            name: "nothing in common through a filter", launch: #"videotestsrc ! audio/x-raw ! fakesink"#,
            message: #"""
                porch.yaml:5:22: error: "videotestsrc" cannot give "audio/x-raw"
                      videotestsrc ! audio/x-raw ! fakesink
                                     ^~~~~~~~~~~
                help: it gives video/x-raw

                """#),
        Case(
            name: "field that a source cannot give",
            launch: #"videotestsrc ! video/x-raw,width=320,framerate=30 ! fakesink"#,
            message: #"""
                porch.yaml:5:44: error: "videotestsrc" cannot give framerate=30
                      videotestsrc ! video/x-raw,width=320,framerate=30 ! fakesink
                                                           ^~~~~~~~~~~~
                help: it gives framerate=[ 0/1, 2147483647/1 ]

                """#),
        Case(
            name: "field that a sink cannot take", launch: #"identity ! video/x-raw ! audioconvert ! fakesink"#,
            message: #"""
                porch.yaml:5:30: error: "audioconvert" cannot take "video/x-raw"
                      identity ! video/x-raw ! audioconvert ! fakesink
                                             ^
                help: it takes audio/x-raw

                """#),
        Case(
            name: "filter between two that do not fit",
            launch: #"videotestsrc ! video/x-raw;audio/x-raw ! audioconvert ! fakesink"#,
            message: #"""
                porch.yaml:5:20: error: "videotestsrc" and "audioconvert" have no format in common
                      videotestsrc ! video/x-raw;audio/x-raw ! audioconvert ! fakesink
                                   ^
                help: "videotestsrc" gives video/x-raw; "audioconvert" takes audio/x-raw; the filter lets video/x-raw; audio/x-raw through

                """#),
        Case(
            name: "capsfilter with nothing in common",
            launch: #"videotestsrc ! capsfilter caps=audio/x-raw ! fakesink"#,
            message: #"""
                porch.yaml:5:20: error: "videotestsrc" and "capsfilter" have no format in common
                      videotestsrc ! capsfilter caps=audio/x-raw ! fakesink
                                   ^
                help: "videotestsrc" gives video/x-raw; "capsfilter" takes audio/x-raw

                """#),
        Case(
            name: "no source pad", launch: #"fakesink ! fakesink"#,
            message: #"""
                porch.yaml:5:16: error: "fakesink" has no source pad: nothing comes out of it
                      fakesink ! fakesink
                               ^
                help: it ends a chain

                """#),
        Case(
            name: "no sink pad", launch: #"fakesrc ! videotestsrc"#,
            message: #"""
                porch.yaml:5:15: error: "videotestsrc" has no sink pad: nothing goes into it
                      fakesrc ! videotestsrc
                              ^
                help: it begins a chain

                """#),
        Case(
            name: "unknown pad", launch: #"fakesrc .scr ! fakesink"#,
            message: #"""
                porch.yaml:5:16: error: no source pad "scr" in "fakesrc"
                      fakesrc .scr ! fakesink
                               ^~~
                help: did you mean "src"?
                help: it has src

                """#),
        Case(
            name: "unknown pad of a reference", launch: #"tee name=t t.sink ! fakesink"#,
            message: #"""
                porch.yaml:5:20: error: no source pad "sink" in "t" (tee)
                      tee name=t t.sink ! fakesink
                                   ^~~~
                help: it has src_%u

                """#),
        Case(
            name: "pad used twice", launch: #"tee name=t t.src_1 ! fakesink t.src_1 ! fakesink"#,
            message: #"""
                porch.yaml:5:39: error: pad "src_1" of "t" (tee) is linked already
                      tee name=t t.src_1 ! fakesink t.src_1 ! fakesink
                                                      ^~~~~

                """#),
        Case(
            name: "all pads used", launch: #"fakesrc name=s ! fakesink s. ! fakesink"#,
            message: #"""
                porch.yaml:5:36: error: the source pad of "s" (fakesrc) is linked already
                      fakesrc name=s ! fakesink s. ! fakesink
                                                   ^
                help: a tee gives to several: ! tee name=t ! queue ! ... t. ! queue ! ...

                """#),
        Case(
            name: "sink pad used twice", launch: #"fakesrc ! fakesink name=f fakesrc ! f."#,
            message: #"""
                porch.yaml:5:41: error: the sink pad of "f" (fakesink) is linked already
                      fakesrc ! fakesink name=f fakesrc ! f.
                                                        ^
                help: to take from several it needs a mixer, a muxer or a funnel before it

                """#),
        Case(
            name: "link to itself", launch: #"identity name=i ! i."#,
            message: #"""
                porch.yaml:5:23: error: "i" (identity) cannot be linked to itself
                      identity name=i ! i.
                                      ^

                """#),
        Case(
            name: "unequal lists of pads", launch: #"tee .src_0,src_1 ! .sink fakesink"#,
            message: #"""
                porch.yaml:5:24: error: 2 pads cannot be linked to 1 pad
                      tee .src_0,src_1 ! .sink fakesink
                                       ^
                help: name as many pads on both sides: .src_0,src_1 ! .sink_0,sink_1

                """#),
        Case(
            name: "list of pads to none", launch: #"tee .src_0,src_1 ! fakesink"#,
            message: #"""
                porch.yaml:5:24: error: only the first of these 2 pads would be linked
                      tee .src_0,src_1 ! fakesink
                                       ^
                help: name as many pads on both sides: .src_0,src_1 ! .sink_0,sink_1

                """#),
        Case(
            name: "reference to a bin", launch: #"( name=b fakesrc ) b. ! fakesink"#,
            message: #"""
                porch.yaml:5:26: error: the bin "b" has no pad to link
                      ( name=b fakesrc ) b. ! fakesink
                                         ^~
                help: name an element in it, or link behind its ")"

                """#),
        Case(
            name: "no bin", launch: #"queue.( fakesrc ! fakesink )"#,
            message: #"""
                porch.yaml:5:7: error: "queue" is no bin: it holds no elements
                      queue.( fakesrc ! fakesink )
                      ^~~~~
                help: a bin is written ( ... ) or bin.( ... )

                """#),
        Case(
            name: "bin that begins with a reference", launch: #"fakesrc ! ( t. ! fakesink ) tee name=t"#,
            message: #"""
                porch.yaml:5:15: error: nothing in the bin can take this link
                      fakesrc ! ( t. ! fakesink ) tee name=t
                              ^
                help: the first chain of the bin must begin with an element

                """#),
        Case(
            name: "bin that ends with a reference", launch: #"( fakesrc ! t. ) ! fakesink tee name=t"#,
            message: #"""
                porch.yaml:5:24: error: nothing in the bin leads to this link
                      ( fakesrc ! t. ) ! fakesink tee name=t
                                       ^
                help: the last chain of the bin must end with an element

                """#),
        Case(
            name: "URI that nobody reads", launch: #"gopher://x ! fakesink"#,
            message: #"""
                porch.yaml:5:7: error: no element reads from "gopher://x"
                      gopher://x ! fakesink
                      ^~~~~~~~~~
                help: a file is written as a URI: file:///path

                """#),
        Case(
            name: "URI that nobody writes", launch: #"fakesrc ! gopher://x"#,
            message: #"""
                porch.yaml:5:17: error: no element writes to "gopher://x"
                      fakesrc ! gopher://x
                                ^~~~~~~~~~
                help: a file is written as a URI: file:///path

                """#),
    ]
}
