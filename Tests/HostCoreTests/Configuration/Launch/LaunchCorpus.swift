import Testing

/// Launch texts by hand: the forms of GStreamer's documentation, odd corners, and what people get wrong.
///
/// One text a line, behind its id; `␤` and `␉` stand for a line break and a tab. Lines with `#` say what a group is about.
enum LaunchCorpus {
    struct Case: Sendable, CustomTestStringConvertible {
        var id: String
        var launch: String
        var testDescription: String { "\(id): \(launch)" }
    }

    /// All of them: by hand, then the products.
    static let cases = handWritten + LaunchProducts.cases

    static let handWritten = (documentation + structure + values + caps + mistakes).split(separator: "\n").compactMap {
        line -> Case? in
        guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { return nil }
        let text = String(line[line.index(after: colon)...].dropFirst())
        return Case(
            id: String(line[..<colon]),
            launch: text.replacing("␤", with: "\n").replacing("␉", with: "\t"))
    }

    static let documentation = #"""
        # The forms of the gst-launch-1.0 manual, with elements of this machine
        d1: fakesrc ! fakesink
        d2: fakesrc num-buffers=16 ! fakesink silent=false
        d3: filesrc location=music.mp3 ! mpegaudioparse ! mpg123audiodec ! audioconvert ! audioresample ! fakesink
        d4: filesrc location=videofile.mpg ! dvddemux ! fakesink
        d5: filesrc location=a.ogg ! oggdemux ! vorbisdec ! audioconvert ! audioresample ! fakesink
        d6: filesrc location=videofile.ogg ! oggdemux name=demux demux. ! queue ! vorbisdec ! audioconvert ! fakesink demux. ! queue ! theoradec ! videoconvert ! fakesink
        d7: gnomevfssrc location=music.mp3 ! mad ! osssink
        d8: file:///tmp/music.mp3 ! mpegaudioparse ! mpg123audiodec ! fakesink
        d9: videotestsrc ! video/x-raw,format=(string)YUY2;video/x-raw,format=(string)YV12 ! fakesink
        d10: videotestsrc ! 'video/x-raw,format=(string)YUY2;video/x-raw,format=(string)YV12' ! fakesink
        d11: v4l2src ! video/x-raw,format=(string)UYVY,width=320,height=240,framerate=(fraction)30/1 ! videoconvert ! fakesink
        d12: audiotestsrc ! audioconvert ! audioresample ! alawenc ! rtppcmapay ! udpsink port=5004
        d13: videotestsrc ! videoconvert ! x264enc ! mp4mux ! filesink location=/tmp/x.mp4
        d14: videotestsrc horizontal-speed=1 ! queue ! fakesink sync=false
        d15: tee name=t videotestsrc ! t. t. ! queue ! fakesink t. ! queue ! fakesink
        d16: videotestsrc ! tee name=t ! queue ! fakesink t. ! queue ! fakesink
        d17: playbin uri=file:///tmp/a.mkv
        d18: playbin uri=file:///tmp/a.mkv video-sink="videoconvert ! fakesink"
        d19: uridecodebin uri=file:///tmp/a.mkv name=d ! videoconvert ! fakesink d. ! audioconvert ! fakesink
        d20: decodebin name=d filesrc location=x ! d. d. ! queue ! audioconvert ! fakesink d. ! queue ! videoconvert ! fakesink
        d21: rtpbin name=r videotestsrc ! x264enc ! rtph264pay ! r.send_rtp_sink_0 r.send_rtp_src_0 ! udpsink port=5000
        d22: compositor name=mix sink_0::xpos=10 sink_1::alpha=0.5 ! fakesink videotestsrc ! mix. videotestsrc ! mix.
        d23: audiomixer name=m ! fakesink audiotestsrc ! m. audiotestsrc freq=880 ! m.sink_7
        d24: matroskamux name=mux ! filesink location=/tmp/x.mkv videotestsrc ! x264enc ! mux.video_0 audiotestsrc ! opusenc ! mux.audio_0
        d25: splitmuxsink name=s location=/tmp/%05d.mp4 muxer=mp4mux videotestsrc ! x264enc ! h264parse ! s.video
        d26: videotestsrc pattern=ball is-live=true ! video/x-raw,width=320,height=240,framerate=30/1 ! queue leaky=downstream max-size-buffers=2 ! fakesink
        d27: audiotestsrc wave=sine ! audio/x-raw,rate=48000,channels=2,layout=interleaved ! level post-messages=true interval=100000000 ! fakesink
        d28: videotestsrc ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=30 ! h264parse ! fakesink
        d29: filesrc location=x.mp4 ! qtdemux name=q q.video_0 ! h264parse ! fakesink q.audio_0 ! aacparse ! fakesink
        d30: input-selector name=s ! fakesink videotestsrc ! s.sink_0 videotestsrc ! s.sink_1
        d31: funnel name=f ! fakesink fakesrc ! f. fakesrc ! f.
        d32: videotestsrc ! videoscale ! video/x-raw,width=640 ! videorate ! video/x-raw,framerate=15/1 ! videoconvert ! fakesink
        """#

    static let structure = #"""
        # One element, several chains, white space
        s1: fakesrc
        s2: fakesrc fakesink
        s3: fakesrc!fakesink
        s4: fakesrc! fakesink
        s5: fakesrc !fakesink
        s6:   fakesrc   !   fakesink␉
        s7: fakesrc␤!␤fakesink
        s8: fakesrc␉!␉identity␤  ! fakesink
        s9: fakesrc ! fakesink fakesrc ! fakesink
        s10: fakesrc name=a fakesink name=b a. ! b.
        s11: fakesrc name=a fakesink name=b a.src ! b.sink
        s12: fakesrc name=a ! b. fakesink name=b
        s13: b. ! fakesink fakesrc name=b
        s14: identity name=b ! fakesink fakesrc ! b.
        s15: fakesrc .src ! .sink fakesink
        s16: fakesrc .src ! fakesink
        s17: fakesrc ! .sink fakesink
        s18: fakesrc.src ! fakesink
        s19: fakesrc name=a .src ! b.sink fakesink name=b
        s20: tee name=t .src_0 ! .sink fakesink t.src_1 ! fakesink
        s21: tee name=t ! fakesink t. ! fakesink t. ! fakesink
        s22: tee name=t .src_0,src_1 ! .sink_0,sink_1 funnel
        s23: tee name=t .src_0 , src_1 ! .sink_0 ,sink_1 funnel
        s24: tee name=t funnel name=f t.src_0,src_1 ! f.sink_0,sink_1
        s25: tee name=t audiotestsrc ! audiomixer name=m t. ! fakesink t. ! fakesink m. ! t.
        s26: tee name=t .src_0,src_1 ! .sink_0 funnel
        s27: tee name=t .src_0,src_1 ! fakesink
        s28: fakesrc ! .sink_0,sink_1 funnel
        s29: fakesrc : fakesink
        s30: decodebin name=d : fakesink
        s31: tee name=t : fakesink
        s32: fakesrc name=my.name ! fakesink
        s33: fakesrc name=my-name my-name. ! fakesink
        s34: fakesrc name=_x _x. ! fakesink
        s35: fakesrc name=0a 0a. ! fakesink
        s36: identity name=i i.src ! i.sink
        s37: identity name=i ! i.
        s38: tee name=t ! fakesink t.src_0 ! fakesink
        # Bins
        s40: ( fakesrc ! fakesink )
        s41: (fakesrc ! fakesink)
        s42: ( name=b fakesrc ! fakesink )
        s43: ( fakesrc ) ! fakesink
        s44: fakesrc ! ( fakesink )
        s45: fakesrc ! ( identity ) ! fakesink
        s46: fakesrc ! ( identity ! queue ) ! ( fakesink )
        s47: fakesrc ! ( ( identity ) ) ! fakesink
        s48: bin.( fakesrc ! fakesink )
        s49: bin.(fakesrc ! fakesink)
        s50: bin . ( fakesrc ! fakesink )
        s51: bin.( name=b fakesrc ! identity ) ! fakesink
        s52: ( name=b identity ) fakesrc ! b. b. ! fakesink
        s53: ( name=b message-forward=true fakesrc ) ! fakesink
        s54: ( fakesrc ! fakesink fakesrc ! fakesink )
        s55: ( fakesrc ! fakesink ) ( fakesrc ! fakesink )
        s56: ( fakesrc name=a ) a. ! fakesink
        s57: ( tee name=t fakesrc ! t. ) t. ! fakesink
        s58: ( tee name=t fakesrc ! t. ) ! fakesink
        s59: ( fakesrc ! t. tee name=t ) ! fakesink
        s60: fakesrc ! ( t. ! fakesink identity name=t )
        s61: fakesrc ! ( identity name=t t. ! fakesink )
        s62: ( name=b fakesrc b. ! fakesink )
        s63: ( fakesrc ) .src ! fakesink
        s64: ( fakesrc ) name=b ! fakesink
        s65: bin.( fakesrc ! fakesink
        s66: ( fakesrc ! fakesink ) )
        s67: ( )
        s68: bin.( name=b )
        s69: fakesrc ! ( )
        s70: nosuchbin.( fakesrc ! fakesink )
        s71: queue.( fakesrc ! fakesink )
        s72: ( fakesrc ! fakesink ) ! fakesink
        s73: ( fakesrc ) ! video/x-raw ! ( fakesink )
        s74: ( fakesrc ! audio/x-raw ! identity ) ! fakesink
        s75: ( name=o ( name=i fakesrc name=s ) ) s. ! fakesink
        s76: pipeline.( fakesrc ! fakesink ) fakesrc ! fakesink
        # URIs
        s80: file:///tmp/a ! fakesink
        s81: fakesrc ! file:///tmp/mediahost-corpus
        s82: file:///tmp/a ! identity ! file:///tmp/mediahost-corpus
        s83: file:///tmp/a ! file:///tmp/mediahost-corpus
        s84: file:///tmp/a
        s85: file:///tmp/a fakesrc ! fakesink
        s86: file:///tmp/a\ b ! fakesink
        s87: file://"/tmp/a b" ! fakesink
        s88: nosuchscheme://x ! fakesink
        s89: fakesrc ! nosuchscheme://x
        s90: file:// ! fakesink
        s91: /tmp/a ! fakesink
        s92: ( file:///tmp/a ) ! fakesink
        s93: fakesrc ! ( file:///tmp/a ! identity )
        s94: ( fakesrc file:///tmp/a ) ! fakesink
        s95: file:///tmp/a ! video/x-raw ! fakesink
        s96: fakesrc ! .sink file:///tmp/mediahost-corpus
        s97: file:///tmp/a .src ! fakesink
        s98: http://localhost/a.mp4 ! fakesink
        s99: file:///tmp/a!fakesink
        """#
}
