/// Elements by the Debian 12 package that brings them. Written by scripts/debian-elements.
enum DebianElements {
    static let packages: [(name: String, elements: String)] = [
        (
            "gstreamer1.0-alsa",
            """
            alsamidisrc alsasink alsasrc
            """
        ),
        (
            "gstreamer1.0-gl",
            """
            glalpha glcolorbalance glcolorconvert glcolorscale gldeinterlace gldifferencematte gldownload gleffects \
            gleffects_blur gleffects_bulge gleffects_fisheye gleffects_glow gleffects_heat gleffects_identity \
            gleffects_laplacian gleffects_lumaxpro gleffects_mirror gleffects_sepia gleffects_sin gleffects_sobel \
            gleffects_square gleffects_squeeze gleffects_stretch gleffects_tunnel gleffects_twirl gleffects_xpro \
            gleffects_xray glfilterapp glfilterbin glfiltercube glfilterglass glimagesink glimagesinkelement \
            glmixerbin glmosaic gloverlay gloverlaycompositor glshader glsinkbin glsrcbin glstereomix glstereosplit \
            gltestsrc gltransformation glupload glvideoflip glvideomixer glvideomixerelement glviewconvert
            """
        ),
        (
            "gstreamer1.0-gtk3",
            """
            gtkglsink gtksink
            """
        ),
        (
            "gstreamer1.0-libav",
            """
            avdeinterlace
            """
        ),
        (
            "gstreamer1.0-opencv",
            """
            cameracalibrate cameraundistort cvdilate cvequalizehist cverode cvlaplace cvsmooth cvsobel cvtracker \
            dewarp disparity edgedetect faceblur facedetect grabcut handdetect motioncells opencvtextoverlay retinex \
            segmentation skindetect templatematch
            """
        ),
        (
            "gstreamer1.0-plugins-bad",
            """
            a2dpsink accurip adpcmdec adpcmenc aesdec aesenc aiffmux aiffparse alphacombine asfmux asfparse assrender \
            atscmux audiobuffersplit audiochannelmix audiolatency audiomixmatrix audioparse audiosegmentclip \
            autoconvert autovideoconvert av1dec av1enc av1parse avdtpsink avdtpsrc avwait bayer2rgb bpmdetect bs2b \
            bulge burn bz2dec bz2enc camerabin cc708overlay cccombiner ccconverter ccextractor checksumsink \
            chopmydata chromahold chromaprint chromium circle clockselect codecalphademux coloreffects combdetect \
            compare curlfilesink curlftpsink curlhttpsink curlhttpsrc curlsftpsink curlsmtpsink dashdemux dashsink \
            dc1394src debugqroverlay debugspy decklinkaudiosink decklinkaudiosrc decklinkvideosink decklinkvideosrc \
            dfbvideosink diffuse dilate diracparse dodge dtlsdec dtlsenc dtlssrtpdec dtlssrtpdemux dtlssrtpenc \
            dtmfdetect dtsdec dvbbasebin dvbsrc dvbsubenc dvbsuboverlay dvdspu errorignore exclusion faad faceoverlay \
            fakeaudiosink fakevideosink fbdevsink festival fieldanalysis fisheye flitetestsrc fluiddec fpsdisplaysink \
            freeverb gaussianblur gdpdepay gdppay gmedec gsmdec gsmenc gtkwaylandsink h263parse h264parse \
            h264timestamper h265parse h265timestamper hlsdemux hlssink hlssink2 id3mux interaudiosink interaudiosrc \
            interlace intersubsink intersubsrc intervideosink intervideosrc ipcpipelinesink ipcpipelinesrc \
            ipcslavepipeline irtspparse ivfparse ivtc jifmux jp2kdecimator jpeg2000parse jpegparse kaleidoscope \
            katedec kateenc kateparse katetag kmssink ladspa-amp-so-amp-mono ladspa-amp-so-amp-stereo \
            ladspa-delay-so-delay-5s ladspa-filter-so-hpf ladspa-filter-so-lpf ladspa-sine-so-sine-faaa \
            ladspa-sine-so-sine-faac ladspa-sine-so-sine-fcaa ladspasrc-noise-so-noise-white \
            ladspasrc-sine-so-sine-fcac lcms ldacenc libde265dec line21decoder line21encoder marble midiparse mirror \
            modplug mpeg2enc mpeg4videoparse mpegpsdemux mpegpsmux mpegtsmux mpegvideoparse mplex mssdemux \
            musepackdec mxfdemux mxfmux neonhttpsrc netsim openalsink openalsrc openaptxdec openaptxenc openexrdec \
            openh264dec openh264enc openjpegdec openjpegenc openmptdec openni2src opusparse pcapparse perspective \
            pinch pitch pngparse pnmdec pnmenc proxysink proxysrc qroverlay removesilence rfbsrc rgb2bayer \
            ristrtpdeext ristrtpext ristrtxreceive ristrtxsend ristsink ristsrc rotate roundrobin rsndvdbin rsvgdec \
            rsvgoverlay rtmp2sink rtmp2src rtmpsink rtmpsrc rtpasfpay rtponvifparse rtponviftimestamp rtpsink rtpsrc \
            sbcdec sbcenc scenechange sctpdec sctpenc sdpdemux sdpsrc sfdec shmsink shmsrc simplevideomark \
            simplevideomarkdetect sirendec sirenenc smooth solarize spacescope spanplc spectrascope speed sphere \
            square srtclientsink srtclientsrc srtenc srtpdec srtpenc srtserversink srtserversrc srtsink srtsrc \
            stretch switchbin synaescope teletextdec testsrcbin timecodestamper tonegeneratesrc transcodebin tsdemux \
            tsparse ttmlparse ttmlrender tunnel twirl uritranscodebin uvch264mjpgdemux uvch264src vc1parse \
            videoanalyse videocodectestsink videodiff videoframe-audiolevel videoparse videosegmentclip viewfinderbin \
            vmncdec voaacenc voamrwbenc vp8alphadecodebin vp9alphadecodebin vp9parse vulkancolorconvert \
            vulkandownload vulkanimageidentity vulkanoverlaycompositor vulkanshaderspv vulkansink vulkanupload \
            vulkanviewconvert watchdog waterripple wavescope waylandsink webpdec webpenc webrtcbin webrtcdsp \
            webrtcechoprobe webvttenc wildmididec wrappercamerabinsrc x265enc y4mdec zbar zebrastripe zxing
            """
        ),
        (
            "gstreamer1.0-plugins-base",
            """
            adder appsink appsrc audioconvert audiointerleave audiomixer audiorate audioresample audiotestsrc \
            cdparanoiasrc compositor decodebin decodebin3 encodebin encodebin2 giosink giosrc giostreamsink \
            giostreamsrc liveadder multifdsink multisocketsink oggaviparse oggdemux oggmux oggparse ogmaudioparse \
            ogmtextparse ogmvideoparse opusdec opusenc overlaycomposition parsebin playbin playbin3 playsink \
            rawaudioparse rawvideoparse socketsrc ssaparse streamsynchronizer subparse subtitleoverlay tcpclientsink \
            tcpclientsrc tcpserversink tcpserversrc theoradec theoraenc theoraparse unalignedaudioparse \
            unalignedvideoparse uridecodebin uridecodebin3 urisourcebin videoconvert videoconvertscale videorate \
            videoscale videotestsrc volume vorbisdec vorbisenc vorbisparse vorbistag
            """
        ),
        (
            "gstreamer1.0-plugins-good",
            """
            3gppmux aacparse aasink aatv ac3parse agingtv alawdec alawenc alpha alphacolor amrparse apedemux apev2mux \
            aspectratiocrop asteriskh263 audioamplify audiochebband audiocheblimit audiodynamic audioecho \
            audiofirfilter audioiirfilter audioinvert audiokaraoke audiopanorama audiowsincband audiowsinclimit \
            auparse autoaudiosink autoaudiosrc autovideosink autovideosrc avidemux avimux avisubtitle breakmydata \
            cacasink cacatv cairooverlay capssetter cpureport cutter dcaparse deinterlace deinterleave dicetv dtmfsrc \
            dv1394src dvdec dvdemux dynudpsink edgetv equalizer-10bands equalizer-3bands equalizer-nbands flacdec \
            flacenc flacparse flactag flvdemux flvmux flxdec gamma gdkpixbufdec gdkpixbufoverlay gdkpixbufsink goom \
            goom2k1 hdv1394src icydemux id3demux id3v2mux imagefreeze imagesequencesrc interleave ismlmux \
            jackaudiosink jackaudiosrc jpegdec jpegenc lamemp3enc level matroskademux matroskamux matroskaparse \
            mj2mux monoscope mp4mux mpegaudioparse mpg123audiodec mulawdec mulawenc multifilesink multifilesrc \
            multipartdemux multipartmux multiudpsink navigationtest navseek optv oss4sink oss4src osssink osssrc \
            pngdec pngenc progressreport pulsesink pulsesrc pushfilesrc qtdemux qtmoovrecover qtmux quarktv radioactv \
            revtv rganalysis rglimiter rgvolume rippletv rndbuffersize rtpL16depay rtpL16pay rtpL24depay rtpL24pay \
            rtpL8depay rtpL8pay rtpac3depay rtpac3pay rtpamrdepay rtpamrpay rtpbin rtpbvdepay rtpbvpay rtpceltdepay \
            rtpceltpay rtpdec rtpdtmfdepay rtpdtmfmux rtpdtmfsrc rtpdvdepay rtpdvpay rtpfunnel rtpg722depay \
            rtpg722pay rtpg723depay rtpg723pay rtpg726depay rtpg726pay rtpg729depay rtpg729pay rtpgsmdepay rtpgsmpay \
            rtpgstdepay rtpgstpay rtph261depay rtph261pay rtph263depay rtph263pay rtph263pdepay rtph263ppay \
            rtph264depay rtph264pay rtph265depay rtph265pay rtphdrextclientaudiolevel rtphdrextcolorspace \
            rtphdrextmid rtphdrextntp64 rtphdrextrepairedstreamid rtphdrextstreamid rtphdrexttwcc rtpilbcdepay \
            rtpilbcpay rtpisacdepay rtpisacpay rtpj2kdepay rtpj2kpay rtpjitterbuffer rtpjpegdepay rtpjpegpay \
            rtpklvdepay rtpklvpay rtpldacpay rtpmp1sdepay rtpmp2tdepay rtpmp2tpay rtpmp4adepay rtpmp4apay \
            rtpmp4gdepay rtpmp4gpay rtpmp4vdepay rtpmp4vpay rtpmpadepay rtpmpapay rtpmparobustdepay rtpmpvdepay \
            rtpmpvpay rtpmux rtpopusdepay rtpopuspay rtppcmadepay rtppcmapay rtppcmudepay rtppcmupay rtpptdemux \
            rtpqcelpdepay rtpreddec rtpredenc rtprtxqueue rtprtxreceive rtprtxsend rtpsbcdepay rtpsbcpay rtpsession \
            rtpsirendepay rtpsirenpay rtpspeexdepay rtpspeexpay rtpssrcdemux rtpst2022-1-fecdec rtpst2022-1-fecenc \
            rtpstorage rtpstreamdepay rtpstreampay rtpsv3vdepay rtptheoradepay rtptheorapay rtpulpfecdec rtpulpfecenc \
            rtpvorbisdepay rtpvorbispay rtpvp8depay rtpvp8pay rtpvp9depay rtpvp9pay rtpvrawdepay rtpvrawpay \
            rtpxqtdepay rtspsrc sbcparse scaletempo shagadelictv shapewipe shout2send smpte smptealpha spectrum \
            speexdec speexenc splitfilesrc splitmuxsink splitmuxsrc stereo streaktv taginject testsink twolamemp2enc \
            udpsink udpsrc v4l2radio v4l2sink v4l2src vertigotv videobalance videobox videocrop videoflip videomedian \
            videomixer vp8dec vp8enc vp9dec vp9enc warptv wavenc wavpackdec wavpackenc wavpackparse wavparse webmmux \
            ximagesrc xingmux y4menc
            """
        ),
        (
            "gstreamer1.0-plugins-ugly",
            """
            a52dec amrnbdec amrnbenc amrwbdec asfdemux cdiocddasrc dvdlpcmdec dvdreadsrc dvdsubdec dvdsubparse \
            mpeg2dec pnmsrc rademux rdtdepay rdtmanager rmdemux rtpasfdepay rtspreal rtspwms siddec x264enc
            """
        ),
        (
            "gstreamer1.0-pocketsphinx",
            """
            pocketsphinx
            """
        ),
        (
            "gstreamer1.0-qt5",
            """
            qmlgloverlay qmlglsink qmlglsrc
            """
        ),
        (
            "gstreamer1.0-qt6",
            """
            qml6glsink
            """
        ),
        (
            "gstreamer1.0-wpe",
            """
            wpesrc wpevideosrc
            """
        ),
        (
            "gstreamer1.0-x",
            """
            clockoverlay textoverlay textrender timeoverlay ximagesink xvimagesink
            """
        ),
    ]
}
