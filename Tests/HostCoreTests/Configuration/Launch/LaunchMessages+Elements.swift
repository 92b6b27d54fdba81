/// Elements, their properties and values.
extension LaunchMessages {
    static let elements: [Case] = [
        Case(
            name: "unknown element", launch: #"videotestsrc ! videotestsnk"#,
            message: #"""
                porch.yaml:5:22: error: no element "videotestsnk"
                      videotestsrc ! videotestsnk
                                     ^~~~~~~~~~~~
                help: did you mean "videotestsrc"?

                """#),
        Case(
            name: "element of a package that is not here",
            launch: #"fakesrc ! timeoverlay ! vah264enc ! avdec_h264 ! fakesink"#,
            message: #"""
                porch.yaml:5:17: error: no element "timeoverlay"
                      fakesrc ! timeoverlay ! vah264enc ! avdec_h264 ! fakesink
                                ^~~~~~~~~~~
                help: it comes with: apt install gstreamer1.0-x
                porch.yaml:5:31: error: no element "vah264enc"
                      fakesrc ! timeoverlay ! vah264enc ! avdec_h264 ! fakesink
                                              ^~~~~~~~~
                help: did you mean "x264enc"?
                help: it comes with: apt install gstreamer1.0-plugins-bad
                porch.yaml:5:43: error: no element "avdec_h264"
                      fakesrc ! timeoverlay ! vah264enc ! avdec_h264 ! fakesink
                                                          ^~~~~~~~~~
                help: it comes with: apt install gstreamer1.0-libav

                """#),
        Case(
            name: "unknown property", launch: #"videotestsrc patern=ball ! fakesink"#,
            message: #"""
                porch.yaml:5:20: error: no property "patern" in element "videotestsrc"
                      videotestsrc patern=ball ! fakesink
                                   ^~~~~~
                help: did you mean "pattern"?

                """#),
        Case(
            name: "read-only property", launch: #"queue current-level-buffers=3"#,
            message: #"""
                porch.yaml:5:13: error: "current-level-buffers" of "queue" cannot be set
                      queue current-level-buffers=3
                            ^~~~~~~~~~~~~~~~~~~~~
                help: it is read-only

                """#),
        Case(
            name: "property that no text can set", launch: #"fakesink last-sample=x"#,
            message: #"""
                porch.yaml:5:28: error: "last-sample" of "fakesink" cannot be set to "x"
                      fakesink last-sample=x
                                           ^
                help: it takes a GstSample

                """#),
        Case(
            name: "child of an element without children", launch: #"fakesink xx::yy=3"#,
            message: #"""
                porch.yaml:5:16: error: no property "xx::yy" in element "fakesink"
                      fakesink xx::yy=3
                               ^~~~~~
                help: gst-inspect-1.0 fakesink lists its properties

                """#),
        Case(
            name: "property fixed when a bin is made", launch: #"bin.( fixed=true fakesrc )"#,
            message: #"""
                porch.yaml:5:13: error: "fixed" of "bin" cannot be set here
                      bin.( fixed=true fakesrc )
                            ^~~~~
                help: it is fixed when the bin is made

                """#),
        Case(
            name: "choice", launch: #"videotestsrc pattern=bal ! fakesink"#,
            message: #"""
                porch.yaml:5:28: error: "pattern" of "videotestsrc" cannot be "bal"
                      videotestsrc pattern=bal ! fakesink
                                           ^~~
                help: did you mean "ball"?
                help: valid: smpte, snow, black, ball

                """#),
        Case(
            name: "flags", launch: #"x264enc tune=zerolatencyy+fastdecode"#,
            message: #"""
                porch.yaml:5:20: error: "tune" of "x264enc" cannot be "zerolatencyy"
                      x264enc tune=zerolatencyy+fastdecode
                                   ^~~~~~~~~~~~
                help: did you mean "zerolatency"?
                help: valid, joined by "+": stillimage, fastdecode, zerolatency

                """#),
        Case(
            name: "boolean", launch: #"fakesink sync=ture"#,
            message: #"""
                porch.yaml:5:21: error: "sync" of "fakesink" must be true or false, not "ture"
                      fakesink sync=ture
                                    ^~~~
                help: did you mean "true"?

                """#),
        Case(
            name: "boolean in YAML's words", launch: #"fakesink sync=on"#,
            message: #"""
                porch.yaml:5:21: error: "sync" of "fakesink" must be true or false, not "on"
                      fakesink sync=on
                                    ^~
                help: did you mean "true"?

                """#),
        Case(
            name: "whole number", launch: #"fakesrc num-buffers=three ! fakesink"#,
            message: #"""
                porch.yaml:5:27: error: "num-buffers" of "fakesrc" must be a whole number, not "three"
                      fakesrc num-buffers=three ! fakesink
                                          ^~~~~
                help: valid: -1 to 2147483647

                """#),
        Case(
            name: "whole number out of range", launch: #"fakesrc num-buffers=-2 ! fakesink"#,
            message: #"""
                porch.yaml:5:27: error: "num-buffers" of "fakesrc" cannot be -2
                      fakesrc num-buffers=-2 ! fakesink
                                          ^~
                help: valid: -1 to 2147483647

                """#),
        Case(
            name: "whole number too large for any type", launch: #"x264enc bitrate=99999999999999999999"#,
            message: #"""
                porch.yaml:5:23: error: "bitrate" of "x264enc" cannot be 99999999999999999999
                      x264enc bitrate=99999999999999999999
                                      ^~~~~~~~~~~~~~~~~~~~
                help: valid: 1 to 2048000

                """#),
        Case(
            name: "real number", launch: #"volume volume=loud"#,
            message: #"""
                porch.yaml:5:21: error: "volume" of "volume" must be a number, not "loud"
                      volume volume=loud
                                    ^~~~
                help: valid: 0 to 10

                """#),
        Case(
            name: "real number out of range", launch: #"volume volume=11"#,
            message: #"""
                porch.yaml:5:21: error: "volume" of "volume" cannot be 11
                      volume volume=11
                                    ^~
                help: valid: 0 to 10

                """#),
        Case(
            name: "fraction", launch: #"aspectratiocrop aspect-ratio=16:9"#,
            message: #"""
                porch.yaml:5:36: error: "aspect-ratio" of "aspectratiocrop" must be a fraction, not "16:9"
                      aspectratiocrop aspect-ratio=16:9
                                                   ^~~~
                help: as in 16/9

                """#),
        Case(
            name: "element as a value", launch: #"playbin video-sink=nosuchsink"#,
            message: #"""
                porch.yaml:5:26: error: "video-sink" of "playbin" must be an element, not "nosuchsink"
                      playbin video-sink=nosuchsink
                                         ^~~~~~~~~~
                help: as launch text: "videoconvert ! autovideosink"

                """#),
        Case(
            name: "caps as a value", launch: #"fakesrc ! capsfilter caps="a/b, width=(itn)3" ! fakesink"#,
            message: #"""
                porch.yaml:5:46: error: "itn" is no type of caps
                      fakesrc ! capsfilter caps="a/b, width=(itn)3" ! fakesink
                                                             ^~~
                help: did you mean "int"?
                help: types: int, int64, uint, float, double, string, boolean, fraction, bitmask

                """#),
        Case(
            name: "caps as a value, with escapes",
            launch: #"fakesrc ! capsfilter caps="a/b, x=\"y\", width=(int)three" ! fakesink"#,
            message: #"""
                porch.yaml:5:59: error: "three" cannot be read as int
                      fakesrc ! capsfilter caps="a/b, x=\"y\", width=(int)three" ! fakesink
                                                                          ^~~~~

                """#),
        Case(
            name: "caps cut at a space",
            launch: #"fakesrc ! capsfilter caps=video/x-raw,format={I420, NV12} ! fakesink"#,
            message: #"""
                porch.yaml:5:52: error: the value of "caps" ends inside the "{"
                      fakesrc ! capsfilter caps=video/x-raw,format={I420, NV12} ! fakesink
                                                                   ^~~~~~
                help: a value with spaces goes in double quotes: caps="..."

                """#),
        Case(
            name: "preset", launch: #"x264enc @preset=Profil\ YouTube"#,
            message: #"""
                porch.yaml:5:23: error: no preset "Profil YouTube" in element "x264enc"
                      x264enc @preset=Profil\ YouTube
                                      ^~~~~~~~~~~~~~~
                help: did you mean "Profile YouTube"?
                help: presets: Profile YouTube

                """#),
        Case(
            name: "preset in quotes", launch: #"x264enc @preset="Profile YouTube""#,
            message: #"""
                porch.yaml:5:23: error: no preset ""Profile YouTube"" in element "x264enc"
                      x264enc @preset="Profile YouTube"
                                      ^~~~~~~~~~~~~~~~~
                help: a preset takes no quotes: a space in its name is written "\ "

                """#),
        Case(
            name: "preset of an element without", launch: #"fakesrc @preset=x ! fakesink"#,
            message: #"""
                porch.yaml:5:23: error: "fakesrc" takes no presets
                      fakesrc @preset=x ! fakesink
                                      ^

                """#),
    ]
}
