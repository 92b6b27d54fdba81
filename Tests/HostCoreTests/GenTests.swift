import Testing

@testable import HostCore

@Suite struct GenTests {
    @Test func gen() {
        for (name, launch) in cases {
            let file = "mediahost: 1\npipelines:\n  a:\n    launch: >\n      \(launch)\n"
            print("@@@", name); print(problems(in: file), terminator: "")
        }
        print("@@@ END")
    }
    let cases: [(String, String)] = [
        (#"unknown element"#, #"videotestsrc ! videotestsnk"#),
        (#"element of a package that is not here"#, #"fakesrc ! timeoverlay ! vah264enc ! avdec_h264 ! fakesink"#),
        (#"unknown property"#, #"videotestsrc patern=ball ! fakesink"#),
        (#"read-only property"#, #"queue current-level-buffers=3"#),
        (#"property that no text can set"#, #"fakesink last-sample=x"#),
        (#"child of an element without children"#, #"fakesink xx::yy=3"#),
        (#"property fixed when a bin is made"#, #"bin.( fixed=true fakesrc )"#),
        (#"choice"#, #"videotestsrc pattern=bal ! fakesink"#),
        (#"flags"#, #"x264enc tune=zerolatencyy+fastdecode"#),
        (#"boolean"#, #"fakesink sync=ture"#),
        (#"boolean in YAML's words"#, #"fakesink sync=on"#),
        (#"whole number"#, #"fakesrc num-buffers=three ! fakesink"#),
        (#"whole number out of range"#, #"fakesrc num-buffers=-2 ! fakesink"#),
        (#"whole number too large for any type"#, #"x264enc bitrate=99999999999999999999"#),
        (#"real number"#, #"volume volume=loud"#),
        (#"real number out of range"#, #"volume volume=11"#),
        (#"fraction"#, #"aspectratiocrop aspect-ratio=16:9"#),
        (#"element as a value"#, #"playbin video-sink=nosuchsink"#),
        (#"caps as a value"#, #"fakesrc ! capsfilter caps="a/b, width=(itn)3" ! fakesink"#),
        (#"caps as a value, with escapes"#, #"fakesrc ! capsfilter caps="a/b, x=\"y\", width=(int)three" ! fakesink"#),
        (#"caps cut at a space"#, #"fakesrc ! capsfilter caps=video/x-raw,format={I420, NV12} ! fakesink"#),
        (#"preset"#, #"x264enc @preset=Profil\ YouTube"#),
        (#"preset in quotes"#, #"x264enc @preset="Profile YouTube""#),
        (#"preset of an element without"#, #"fakesrc @preset=x ! fakesink"#),
        (#"field of a filter"#, #"fakesrc ! video/x-raw,width=(int)wide,height=3 ! fakesink"#),
        (#"type of a filter"#, #"fakesrc ! video/x-raw,width=(itn)320 ! fakesink"#),
        (#"missing comma in a filter"#, #"fakesrc ! video/x-raw width=320 ! fakesink"#),
        (#"missing name in a filter"#, #"fakesrc ! video/x-raw,width ! fakesink"#),
        (#"comma between values in a filter"#, #"fakesrc ! video/x-raw,format=I420,NV12 ! fakesink"#),
        (#"two commas in a filter"#, #"fakesrc ! video/x-raw,,width=3 ! fakesink"#),
        (#"open bracket in a filter"#, #"fakesrc ! video/x-raw,format={I420,NV12 ! fakesink"#),
        (#"second structure of a filter"#, #"fakesrc ! video/x-raw;audio/x-raw,rate=[1 ! fakesink"#),
        (#"nothing in common"#, #"videotestsrc ! audioconvert ! fakesink"#),
        (#"named elements with nothing in common"#, #"videotestsrc name=camera ! audioconvert name=conv ! fakesink"#),
        (#"nothing in common through a filter"#, #"videotestsrc ! audio/x-raw ! fakesink"#),
        (#"field that a source cannot give"#, #"videotestsrc ! video/x-raw,width=320,framerate=30 ! fakesink"#),
        (#"field that a sink cannot take"#, #"identity ! video/x-raw ! audioconvert ! fakesink"#),
        (#"filter between two that do not fit"#, #"videotestsrc ! video/x-raw;audio/x-raw ! audioconvert ! fakesink"#),
        (#"capsfilter with nothing in common"#, #"videotestsrc ! capsfilter caps=audio/x-raw ! fakesink"#),
        (#"no source pad"#, #"fakesink ! fakesink"#),
        (#"no sink pad"#, #"fakesrc ! videotestsrc"#),
        (#"unknown pad"#, #"fakesrc .scr ! fakesink"#),
        (#"unknown pad of a reference"#, #"tee name=t t.sink ! fakesink"#),
        (#"pad used twice"#, #"tee name=t t.src_1 ! fakesink t.src_1 ! fakesink"#),
        (#"all pads used"#, #"fakesrc name=s ! fakesink s. ! fakesink"#),
        (#"sink pad used twice"#, #"fakesrc ! fakesink name=f fakesrc ! f."#),
        (#"link to itself"#, #"identity name=i ! i."#),
        (#"unequal lists of pads"#, #"tee .src_0,src_1 ! .sink fakesink"#),
        (#"list of pads to none"#, #"tee .src_0,src_1 ! fakesink"#),
        (#"reference to a bin"#, #"( name=b fakesrc ) b. ! fakesink"#),
        (#"no bin"#, #"queue.( fakesrc ! fakesink )"#),
        (#"bin that begins with a reference"#, #"fakesrc ! ( t. ! fakesink ) tee name=t"#),
        (#"bin that ends with a reference"#, #"( fakesrc ! t. ) ! fakesink tee name=t"#),
        (#"URI that nobody reads"#, #"gopher://x ! fakesink"#),
        (#"URI that nobody writes"#, #"fakesrc ! gopher://x"#),
    ]
}
