public import GStreamerKit

/// The config that `mediahost init` writes: what is plugged in, ready to run and explained.
///
/// Pure: from devices to text.
public struct StarterConfiguration: Sendable {
    public var devices: [Device]
    /// Whether GStreamer has an element of that name.
    private let has: @Sendable (String) -> Bool
    /// Whether the plugin `ReplayBuffer` is installed.
    private let hasReplay: Bool
    /// How the file is named in its own comments.
    private let file: String

    public init(
        devices: [Device], file: String = "mediahost.yaml", hasReplay: Bool, has: @escaping @Sendable (String) -> Bool
    ) {
        self.devices = devices
        self.file = LaunchWord.comment(file)
        self.hasReplay = hasReplay
        self.has = has
    }

    /// One pipeline of the file.
    private struct Entry {
        var name: String
        var comment: String
        var steps: [String]
        /// The pad behind which its encoded video is found.
        var encodedPad: String?
    }

    public var text: String {
        let cameras = cameras
        let microphones = microphones
        var entries = cameras.isEmpty ? [testVideo] : cameras
        // Sound out of nothing helps only where all of the file is a try.
        entries += cameras.isEmpty && microphones.isEmpty ? [testAudio] : microphones
        return """
            # A config to start from, written by `mediahost init` for what is plugged in here.
            #
            #   mediahost check \(file)      # says everything that is wrong with it
            #   mediahost run \(file)
            #
            # A pipeline's `launch:` is what gst-launch-1.0 takes. fakesink throws away what arrives: plugins take it from the
            # pads before. Put your own in its place, such as kmssink, waylandsink or a splitmuxsink.
            mediahost: 1

            pipelines:
            \(entries.map(render).joined(separator: "\n"))\(speakers)\(plugins(entries))
            """
    }

    // MARK: - Pipelines

    private var cameras: [Entry] {
        let all = devices.filter { $0.kind == .videoSource && isUsable($0) }
        return preferred(all, ["v4l2src", "libcamerasrc", "pipewiresrc"]).enumerated().compactMap { index, device in
            camera(device, name: index == 0 ? "camera" : "camera\(index + 1)")
        }
    }

    /// A source of video that we can go on with.
    private func isUsable(_ device: Device) -> Bool {
        guard let caps = device.caps else { return true }
        return CameraFormat.best(in: caps) != nil || Caps("video/x-raw").map(caps.canIntersect) ?? false
    }

    private func camera(_ device: Device, name: String) -> Entry? {
        guard let source = source(device, named: "camera") else { return nil }
        let format = device.caps.flatMap { CameraFormat.best(in: $0) }
        var comment = LaunchWord.comment(device.name)
        var steps = [source]
        if let format {
            comment += ": \(format.width)x\(format.height), the best of what it offers up to 1080p30"
            steps.append(format.caps)
        }
        switch format?.coding {
        case .h264?:
            comment += "; it encodes by itself"
            guard has("h264parse") else { return Entry(name: name, comment: comment, steps: steps + ["fakesink"]) }
            steps += ["h264parse name=encoded", "fakesink"]
            return Entry(name: name, comment: comment, steps: steps, encodedPad: "encoded.src")
        case .jpeg?:
            guard has("jpegdec") else {
                comment += "; install gstreamer1.0-plugins-good for jpegdec, to decode it"
                return Entry(name: name, comment: comment, steps: steps + ["fakesink"])
            }
            steps.append("jpegdec")
        case .raw?, nil: break
        }
        return encoded(Entry(name: name, comment: comment, steps: steps))
    }

    /// Whatever encodes here, the board's own hardware first.
    private func encoded(_ entry: Entry) -> Entry {
        let encoders = [
            ["v4l2h264enc", "video/x-h264,level=(string)4"], ["vah264enc"],
            ["x264enc tune=zerolatency speed-preset=veryfast key-int-max=30"], ["openh264enc"],
        ]
        var entry = entry
        let found = encoders.first { words in words.first.map { has(String($0.prefix { $0 != " " })) } ?? false }
        guard has("videoconvert"), has("h264parse"), let found else {
            entry.comment +=
                "\n# (nothing here encodes H.264: x264enc is in gstreamer1.0-plugins-ugly, h264parse in -bad)"
            entry.steps.append("fakesink")
            return entry
        }
        entry.steps += ["videoconvert"] + found + ["h264parse name=encoded", "fakesink"]
        entry.encodedPad = "encoded.src"
        return entry
    }

    private var microphones: [Entry] {
        let all = devices.filter { $0.kind == .audioSource && !$0.isMonitor }
        return preferred(all, ["pulsesrc", "pipewiresrc", "alsasrc"]).enumerated().compactMap { index, device in
            source(device, named: "microphone").map {
                sound(
                    Entry(
                        name: index == 0 ? "microphone" : "microphone\(index + 1)",
                        comment: LaunchWord.comment(device.name), steps: [$0]))
            }
        }
    }

    private func sound(_ entry: Entry) -> Entry {
        var entry = entry
        if has("audioconvert"), has("audioresample"), has("opusenc") {
            entry.steps += ["audioconvert", "audioresample", "opusenc name=encoded"]
        }
        entry.steps.append("fakesink")
        return entry
    }

    private var testVideo: Entry {
        guard has("videotestsrc") else {
            return Entry(
                name: "test", comment: "No camera was found, and no test picture: install gstreamer1.0-plugins-base.",
                steps: ["fakesrc is-live=true sizetype=fixed sizemax=1024", "fakesink sync=true"])
        }
        return encoded(
            Entry(
                name: "camera", comment: "No camera was found: a ball jumps in its place.",
                steps: [
                    "videotestsrc name=camera is-live=true pattern=ball",
                    "video/x-raw,width=640,height=360,framerate=25/1",
                ]))
    }

    private var testAudio: Entry {
        guard has("audiotestsrc") else {
            return Entry(
                name: "microphone", comment: "No microphone was found.", steps: ["fakesrc is-live=true", "fakesink"])
        }
        return sound(
            Entry(
                name: "microphone", comment: "No microphone was found: a clock ticks in its place.",
                steps: ["audiotestsrc name=microphone is-live=true wave=ticks"]))
    }

    // MARK: - Text

    private func source(_ device: Device, named name: String) -> String? {
        guard has(device.factory) else { return nil }
        var words = [device.factory, "name=\(name)"]
        for property in device.properties {
            guard let word = LaunchWord.setting(property) else { return nil }
            words.append(word)
        }
        return words.joined(separator: " ")
    }

    /// The devices of the first of these elements that has any: several providers list the same hardware.
    private func preferred(_ devices: [Device], _ factories: [String]) -> [Device] {
        for factory in factories {
            let found = devices.filter { $0.factory == factory }
            if !found.isEmpty { return found }
        }
        return devices
    }

    private func render(_ entry: Entry) -> String {
        let comment = entry.comment.split(separator: "\n").joined(separator: "\n  ")
        return """
              # \(comment)
              \(entry.name):
                launch: >
                  \(entry.steps.joined(separator: "\n      ! "))

            """
    }

    /// Only as comments: nobody wants a tone from the loudspeaker.
    private var speakers: String {
        let all = preferred(devices.filter { $0.kind == .audioSink }, ["pulsesink", "pipewiresink", "alsasink"])
        return all.enumerated().compactMap { index, device -> String? in
            guard let sink = source(device, named: "speaker") else { return nil }
            return """

                  # \(LaunchWord.comment(device.name)): take the marks away to hear a tone.
                  # speaker\(index == 0 ? "" : "\(index + 1)"):
                  #   launch: >
                  #     audiotestsrc is-live=true volume=0.1
                  #     ! audioconvert ! audioresample
                  #     ! \(sink)

                """
        }.joined()
    }

    private func plugins(_ entries: [Entry]) -> String {
        guard hasReplay, let entry = entries.first(where: { $0.encodedPad != nil }), let pad = entry.encodedPad else {
            return ""
        }
        return """

            plugins:
              # Keeps the last minute: mediahost call replay.save last=10s to=clip.mkv
              replay:
                module: ReplayBuffer
                video: \(entry.name)/\(pad)     # pipeline/element.pad
                window: 60s                   # how much of the past is kept
                memory: 64MiB                 # and what it may cost at most

            """
    }
}
