extension LaunchCorpus {
    static let values = #"""
        # Quoting and escapes
        v1: filesrc location="/tmp/a b" ! fakesink
        v2: filesrc location='/tmp/a b' ! fakesink
        v3: filesrc location='/tmp/a' ! fakesink
        v4: filesrc location=/tmp/a\ b ! fakesink
        v5: filesrc location="/tmp/a\"b" ! fakesink
        v6: filesrc location=/tmp/a\"b ! fakesink
        v7: filesrc location="a"b ! fakesink
        v8: filesrc location=a"b" ! fakesink
        v9: filesrc location=a"b c" ! fakesink
        v10: filesrc location="" ! fakesink
        v11: filesrc location="!" ! fakesink
        v12: filesrc location=! ! fakesink
        v13: filesrc location= ! fakesink
        v14: filesrc location="a ! fakesink
        v15: filesrc location="a\" ! fakesink
        v16: filesrc location=a\\b ! fakesink
        v17: filesrc location="a\\b" ! fakesink
        v18: filesrc location = /tmp/a ! fakesink
        v19: filesrc location␤=␤/tmp/a ! fakesink
        v20: filesrc location=a=b ! fakesink
        v21: filesrc location=a,b;c ! fakesink
        v22: filesrc location=(a) ! fakesink
        v23: ( filesrc location=a) ! fakesink
        v24: ( filesrc location=a ) ! fakesink
        v25: filesrc location=ü€😀 ! fakesink
        v26: filesrc location="a␤b" ! fakesink
        v27: filesrc location="a" "b" ! fakesink
        v28: filesrc location="a"! fakesink
        v29: filesrc location=a! fakesink
        v30: filesrc location=a!fakesink
        v31: filesrc location=\! ! fakesink
        v32: filesrc location=a\
        v33: filesrc location=%05d.jpg ! fakesink
        v34: filesrc location=~/a ! fakesink
        v35: filesrc location=$HOME/a ! fakesink
        v36: filesrc location=#a ! fakesink
        v37: filesrc location=a#b ! fakesink
        v38: filesrc location=a # b ! fakesink
        # Types
        v40: fakesrc num-buffers=3 ! fakesink
        v41: fakesrc num-buffers=0x10 ! fakesink
        v42: fakesrc num-buffers=010 ! fakesink
        v43: fakesrc num-buffers=-1 ! fakesink
        v44: fakesrc num-buffers=-2 ! fakesink
        v45: fakesrc num-buffers=+3 ! fakesink
        v46: fakesrc num-buffers=three ! fakesink
        v47: fakesrc num-buffers=3.5 ! fakesink
        v48: fakesrc num-buffers=3000000000 ! fakesink
        v49: fakesrc num-buffers="3" ! fakesink
        v50: fakesrc num-buffers=" 3" ! fakesink
        v51: fakesrc num-buffers="3 " ! fakesink
        v52: fakesrc num-buffers=max ! fakesink
        v53: fakesrc num-buffers=3 num-buffers=4 ! fakesink
        v54: fakesink sync=true
        v55: fakesink sync=TRUE
        v56: fakesink sync=yes
        v57: fakesink sync=1
        v58: fakesink sync=0
        v59: fakesink sync=on
        v60: fakesink sync=tru
        v61: fakesink sync=""
        v62: volume volume=0.5 ! fakesink
        v63: volume volume=1e0 ! fakesink
        v64: volume volume=.5 ! fakesink
        v65: volume volume=0,5 ! fakesink
        v66: volume volume=20 ! fakesink
        v67: volume volume=half ! fakesink
        v68: volume volume=3dB ! fakesink
        v69: videotestsrc pattern=snow ! fakesink
        v70: videotestsrc pattern=1 ! fakesink
        v71: videotestsrc pattern=99 ! fakesink
        v72: videotestsrc pattern=Snow ! fakesink
        v73: videotestsrc pattern="Random (television snow)" ! fakesink
        v74: videotestsrc pattern=snwo ! fakesink
        v75: x264enc tune=zerolatency ! fakesink
        v76: x264enc tune=zerolatency+fastdecode ! fakesink
        v77: x264enc tune=4 ! fakesink
        v78: x264enc tune=0x4 ! fakesink
        v79: x264enc tune=zerolatency+slow ! fakesink
        v80: x264enc tune="" ! fakesink
        v81: imagefreeze ! videorate max-rate=30 ! fakesink
        v82: filesrc do-timestamp=true location=x ! parsebin ! fakesink
        v83: aspectratiocrop aspect-ratio=16/9 ! fakesink
        v84: aspectratiocrop aspect-ratio=16:9 ! fakesink
        v85: aspectratiocrop aspect-ratio=wide ! fakesink
        v86: capsfilter caps=video/x-raw,width=3 ! fakesink
        v87: capsfilter caps="video/x-raw, width=3" ! fakesink
        v88: capsfilter caps=video/x-raw, width=3 ! fakesink
        v89: capsfilter caps=video/x-raw,format={I420,NV12} ! fakesink
        v90: capsfilter caps=video/x-raw,format={I420, NV12} ! fakesink
        v91: capsfilter caps="video/x-raw,format={I420, NV12}" ! fakesink
        v92: capsfilter caps="video/x-raw,format=\"I420\"" ! fakesink
        v93: capsfilter caps=ANY ! fakesink
        v94: capsfilter caps=EMPTY ! fakesink
        v95: capsfilter caps=NONE ! fakesink
        v96: capsfilter caps="" ! fakesink
        v97: capsfilter caps=nonsense ! fakesink
        v98: capsfilter caps=video/x-raw,width= ! fakesink
        v99: queue max-size-time=1000000000 ! fakesink
        v100: queue max-size-time=-1 ! fakesink
        v101: queue max-size-buffers=4294967296 ! fakesink
        v102: queue current-level-buffers=3 ! fakesink
        v103: fakesink last-sample=x
        v104: fakesink nosuchproperty=3
        v105: fakesink Sync=true
        v106: fakesink xx::yy=3
        v107: bin.( xx::yy=3 fakesink )
        v108: compositor sink_0::xpos=5 ! fakesink
        v109: x264enc @preset=nosuchpreset ! fakesink
        v110: fakesrc @preset=x ! fakesink
        v111: x264enc @preset="Profile YouTube" ! fakesink
        v112: x264enc @preset=Profile\ YouTube ! fakesink
        v113: x264enc @preset=Profile\ YouTube tune=zerolatency ! fakesink
        v114: playbin video-sink=nosuch
        v115: playbin video-sink=fakesink
        v116: fakesrc name="a b" ! fakesink
        v117: fakesrc name=a name=b ! fakesink
        v118: fakesrc name=a ! fakesink name=a
        v119: ( fakesrc name=a ) ( fakesrc name=a )
        v120: fakesrc name="" ! fakesink
        v121: filesrc typefind=yes location=x ! fakesink
        v122: appsrc caps=video/x-raw,width=16 is-live=true format=time ! fakesink
        v123: audiotestsrc samplesperbuffer=480 freq=1e3 ! fakesink
        v124: fakesrc parent=x ! fakesink
        """#

    static let caps = #"""
        # Filters
        c1: videotestsrc ! video/x-raw ! fakesink
        c2: videotestsrc!video/x-raw!fakesink
        c3: videotestsrc ! video/x-raw,width=320 ! fakesink
        c4: videotestsrc ! video/x-raw , width = 320 ! fakesink
        c5: videotestsrc ! video/x-raw,width=(int)320 ! fakesink
        c6: videotestsrc ! video/x-raw,width=[1,320] ! fakesink
        c7: videotestsrc ! video/x-raw,width=[ 1, 320, 2 ] ! fakesink
        c8: videotestsrc ! video/x-raw,width={320,640} ! fakesink
        c9: videotestsrc ! video/x-raw,format={I420,NV12} ! fakesink
        c10: videotestsrc ! video/x-raw,format={ I420, NV12 } ! fakesink
        c11: videotestsrc ! video/x-raw,format=(string){ I420, NV12 } ! fakesink
        c12: videotestsrc ! video/x-raw,format="I420" ! fakesink
        c13: videotestsrc ! video/x-raw,format={"I420","NV12"} ! fakesink
        c14: videotestsrc ! video/x-raw,framerate=30/1 ! fakesink
        c15: videotestsrc ! video/x-raw,framerate=(fraction)30/1 ! fakesink
        c16: videotestsrc ! video/x-raw,framerate=[1/1,60/1] ! fakesink
        c17: videotestsrc ! video/x-raw,framerate=30 ! fakesink
        c18: videotestsrc ! video/x-raw(memory:SystemMemory) ! fakesink
        c19: identity ! video/x-raw(memory:DMABuf),width=3 ! fakesink
        c20: identity ! video/x-raw(ANY) ! fakesink
        c21: videotestsrc ! video/x-raw;audio/x-raw ! fakesink
        c22: videotestsrc ! video/x-raw ; audio/x-raw,rate=3 ! fakesink
        c23: videotestsrc ! video/x-raw,width=320;video/x-raw,width=640 ! fakesink
        c24: videotestsrc ! audio/x-raw ! fakesink
        c25: videotestsrc ! video/x-raw,width=abc ! fakesink
        c26: videotestsrc ! video/x-raw,widht=320 ! fakesink
        c27: videotestsrc ! video/x-raw width=320 ! fakesink
        c28: videotestsrc ! video/x-raw,width=320,! fakesink
        c29: videotestsrc ! video/x-raw, ! fakesink
        c30: videotestsrc ! video/x-raw,,width=3 ! fakesink
        c31: videotestsrc ! video/x-raw,;width=3 ! fakesink
        c32: videotestsrc ! video/x-raw;width=3 ! fakesink
        c33: videotestsrc ! video/x-raw,format={I420,NV12 ! fakesink
        c34: videotestsrc ! video/x-raw,format=I420,NV12 ! fakesink
        c35: videotestsrc ! video/x-raw,width=[1,5 ! fakesink
        c36: videotestsrc ! video/x-raw,width=(int)abc ! fakesink
        c37: videotestsrc ! video/x-raw,width=(itn)3 ! fakesink
        c38: videotestsrc ! video/x-raw,width ! fakesink
        c39: videotestsrc ! video/x-raw,=3 ! fakesink
        c40: videotestsrc ! video/x-raw\,width=3 ! fakesink
        c41: identity ! application/x-rtp,media=(string)video,clock-rate=90000,encoding-name=H264 ! fakesink
        c42: identity ! audio/x-raw,layout=interleaved,channel-mask=(bitmask)0x3 ! fakesink
        c43: identity ! video/x-h264,stream-format=byte-stream,alignment=au ! fakesink
        c44: identity ! text/x-raw,a="x!y" ! fakesink
        c45: identity ! text/x-raw,a=x\!y ! fakesink
        c46: identity ! text/x-raw,a="x:y" ! fakesink
        c47: identity ! text/x-raw,a=x:y ! fakesink
        c48: identity ! text/x-raw,a="b c" ! fakesink
        c49: identity ! text/x-raw,a=b\ c ! fakesink
        c50: identity ! text/x-raw,a="b\"c" ! fakesink
        c51: identity ! text/x-raw,a='b' ! fakesink
        c52: identity ! video/x-raw : fakesink
        c53: identity : video/x-raw ! fakesink
        c54: identity : video/x-raw : fakesink
        c55: identity name=i i. ! video/x-raw ! f. fakesink name=f
        c56: tee name=t t.src_0 ! video/x-raw ! f.sink_0 funnel name=f
        c57: tee name=t .src_0,src_1 ! audio/x-raw ! .sink_0,sink_1 funnel
        c58: tee name=t .src_0 ! audio/x-raw ! .sink_0 funnel
        c59: identity ! video/x-raw ! capsfilter caps=video/x-raw ! fakesink
        c60: identity ! video/x-raw ! identity ! audio/x-raw ! fakesink
        c61: identity ! video/x-raw,a=(structure)"b\,c\=1\;" ! fakesink
        c62: identity ! video/x-raw,a=<1,2,3> ! fakesink
        c63: identity ! video/x-raw,flag=true ! fakesink
        c64: identity ! VIDEO/X-RAW ! fakesink
        c65: identity ! video/x-raw,␤width=3 ! fakesink
        c66: decodebin name=d d. ! audio/x-raw ! fakesink
        c67: decodebin ! video/x-raw,width=3 ! fakesink
        c68: decodebin : video/x-raw : fakesink
        c69: fakesrc ! video/x-raw ! ( identity ) ! fakesink
        c70: identity ! a/b ! fakesink
        c71: identity ! 3gpp/x ! fakesink
        c72: identity ! a/b/c ! fakesink
        c73: identity ! a_b/c ! fakesink
        c74: identity ! video/ ! fakesink
        c75: identity ! /video ! fakesink
        c76: identity ! audio/x-raw;; ! fakesink
        c77: identity ! audio/x-raw; ! fakesink
        c78: identity ! "audio/x-raw" ! fakesink
        c79: identity ! caps=audio/x-raw ! fakesink
        c80: identity ! audio/x-raw
        c81: audio/x-raw ! fakesink
        c82: identity ! audio/x-raw ! audio/x-raw ! fakesink
        c83: identity ! ANY ! fakesink
        """#
}
