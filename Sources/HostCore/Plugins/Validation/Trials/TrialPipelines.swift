/// What plugins are tried with: one pipeline with pictures, one with sound, and a change of the format in the middle of both.
///
/// `video/raw.src` has pictures, `video/encoded.src` H.264 (pictures, where no encoder is installed), `audio/raw.src` and
/// `audio/encoded.src` sound.
enum TrialPipelines {
    static func text(encoded: Bool) -> String {
        let encoder =
            encoded
            ? "x264enc name=encoder tune=zerolatency speed-preset=ultrafast key-int-max=10 ! h264parse name=encoded"
            : "identity name=encoded"
        return """
            mediahost: 1
            pipelines:
              video:
                launch: >
                  concat name=source ! identity name=raw ! \(encoder) ! fakesink name=sink sync=false
                  videotestsrc num-buffers=30 name=first ! video/x-raw,width=64,height=48,framerate=30/1 ! source.
                  videotestsrc num-buffers=30 name=second ! video/x-raw,width=96,height=64,framerate=30/1 ! source.
              audio:
                launch: >
                  concat name=source ! identity name=raw ! identity name=encoded ! fakesink name=sink sync=false
                  audiotestsrc num-buffers=20 name=first ! audio/x-raw,rate=48000,channels=2 ! source.
                  audiotestsrc num-buffers=20 name=second ! audio/x-raw,rate=48000,channels=1 ! source.

            """
    }

    /// Nothing is built.
    static func descriptions(encoded: Bool) -> [PipelineDescription] {
        let file = SourceFile(path: "trial.yaml", text: text(encoded: encoded))
        let (configuration, problems) = ConfigurationLoader.load(file, environment: [:], catalog: nil)
        if configuration == nil { TrialChild.say(DiagnosticRenderer().render(problems)) }
        return configuration?.pipelines ?? []
    }
}
