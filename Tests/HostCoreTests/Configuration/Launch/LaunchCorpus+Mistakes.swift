extension LaunchCorpus {
    static let mistakes = #"""
        # What is refused
        m2: fakesrc !
        m3: ! fakesink
        m4: fakesrc ! ! fakesink
        m5: fakesrc ! fakesink !
        m6: !
        m7: fakesrc : : fakesink
        m8: nosuchelement
        m9: fakesrc ! nosuchelement ! fakesink
        m10: fakesrc, fakesink
        m11: fakesrc ; fakesink
        m12: fakesrc | fakesink
        m13: fakesrc -> fakesink
        m14: fakesrc ! fakesink # comment
        m15: # comment
        m16: fakesrc { fakesink }
        m17: { fakesrc ! fakesink }
        m18: fakesrc ! fakesink }
        m19: num-buffers=3 fakesrc
        m20: fakesrc = 3
        m21: fakesrc num-buffers ! fakesink
        m22: fakesrc num-buffers= 3 ! fakesink
        m23: fakesrc num-buffers =3 ! fakesink
        m24: fakesrc ! num-buffers=3 fakesink
        m25: fakesrc ! t. ! fakesink identity name=t
        m26: t. identity name=t
        m27: fakesrc ! t.
        m28: t. ! fakesink
        m29: fakesrc .src
        m30: .src fakesrc
        m31: fakesrc ! .sink
        m32: fakesrc .src .src ! fakesink
        m33: fakesrc ! .sink .sink fakesink
        m34: fakesrc ! fakesink .src ! fakesink
        m35: tee name=t .src_0, ! fakesink
        m36: tee name=t .src_0,, src_1 ! fakesink
        m37: tee name=t ., ! fakesink
        m38: fakesrc . ! fakesink
        m39: fakesrc ! .
        m40: fakesrc ! fakesink .
        m41: fakesrc.! fakesink
        m42: fakesrc.src.x ! fakesink
        m43: a..b ! fakesink
        m44: @preset=x
        m45: ( @preset=x fakesrc )
        m46: fakesrc @ preset=x ! fakesink
        m47: fakesrc @preset= ! fakesink
        m48: "fakesrc" ! fakesink
        m49: 'fakesrc' ! fakesink
        m50: fakesrc ! "fakesink"
        m51: fakesrc " ! fakesink
        m52: \fakesrc ! fakesink
        m53: fakesrc \! fakesink
        m54: fakesrc ! \
        m55: ü ! fakesink
        m81: fakesrc é ! fakesink
        m82: fakesrc ! fakesink é
        m83: é fakesrc
        m56: -fakesrc ! fakesink
        m57: fakesrc- ! fakesink
        m58: fakesrc: fakesink
        m59: fakesrc :fakesink
        m60: fakesrc:fakesink
        m61: fakesrc% ! fakesink
        m62: 1 ! fakesink
        m63: _ ! fakesink
        m64: ( fakesrc ! ) fakesink
        m65: ( fakesrc ! fakesink ) x=1
        m66: fakesrc ( ! fakesink )
        m67: fakesrc ! ( ! fakesink )
        m68: (
        m69: )
        m70: bin.(
        m71: bin. ( name=x ) ! fakesink
        m72: bin.{ fakesrc }
        m73: fakesrc name=x ! ( name=y identity ! x. )
        m74: gst-launch-1.0 fakesrc ! fakesink
        m75: fakesrc -v ! fakesink
        m76: fakesrc ! fakesink;
        m77: fakesrc ! fakesink &
        m78: fakesrc ! fakesink?
        m79: fakesrc ! fakesink()
        m80: fakesrc() ! fakesink
        # Links that can never be
        l30: identity : .nosuchpad fakesink
        l31: identity .nosuchpad : fakesink
        l1: fakesink ! fakesink
        l2: fakesrc ! fakesrc
        l3: fakesink ! fakesrc
        l4: videotestsrc ! audioconvert ! fakesink
        l5: audiotestsrc ! videoconvert ! fakesink
        l6: audiotestsrc ! x264enc ! fakesink
        l7: x264enc ! opusdec ! fakesink
        l8: fakesrc .nosuchpad ! fakesink
        l9: fakesrc ! .nosuchpad fakesink
        l10: tee .nosuch ! fakesink
        l11: fakesrc .sink ! fakesink
        l12: fakesrc ! .src identity
        l13: videotestsrc name=v ! fakesink v. ! fakesink
        l14: videotestsrc ! fakesink name=f audiotestsrc ! f.
        l15: videotestsrc ! audio/x-raw ! videoconvert ! fakesink
        l16: videotestsrc ! video/x-raw,width=0 ! fakesink
        l17: videotestsrc ! video/x-raw,format=NOSUCH ! fakesink
        l18: videotestsrc ! capsfilter caps=audio/x-raw ! fakesink
        l19: audiotestsrc ! queue ! videoconvert ! fakesink
        l20: videotestsrc ! h264parse ! fakesink
        l21: filesrc location=x ! videoconvert ! fakesink
        l22: fakesrc name=a a.src ! b.nosuch fakesink name=b
        l23: videotestsrc ! tee ! audioconvert ! fakesink
        l24: videotestsrc ! mp4mux ! fakesink
        l25: videotestsrc ! mp4mux.video_0 ! fakesink
        l26: videotestsrc ! x264enc ! mp4mux ! fakesink
        l27: videotestsrc : audioconvert
        l28: playbin ! fakesink
        l29: fakesrc ! playbin
        """#
}
