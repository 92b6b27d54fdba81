import Foundation
import Testing

/// The window of a replay buffer, as players and the browser see it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReplayWindowTests {
    private static func config(window: Int, bFrames: Int = 2, storage: String = "memory") -> String {
        """
        mediahost: 1
        pipelines:
          cam:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=25/1 ! debugqroverlay ! videoscale
              ! capsfilter name=size caps=video/x-raw,width=320,height=240 ! videoconvert
              ! x264enc key-int-max=25 speed-preset=ultrafast bframes=\(bFrames) option-string=scenecut=0 ! h264parse name=encoded
              ! fakesink
              audiotestsrc is-live=true ! audio/x-raw,rate=48000 ! opusenc ! opusparse name=sound ! fakesink
            settable: [size.caps]
        plugins:
          replay: { module: ReplayBuffer, video: cam/encoded.src, audio: [cam/sound.src], window: \(window)s, memory: 64MiB, storage: \(storage), size: 64MiB }
        """
    }

    /// Over a pause and into another format: what was fetched has every picture, once. The window is so long that no player is too slow.
    @Test func aPlayerGetsEveryPictureOnce() async throws {
        let place = try Workplace()
        try await withHost(Self.config(window: 900), in: place, plugins: Workplace.products) { host in
            var player = WindowPlayer(host: host, place: place)
            try await host.log.next(containing: "pipeline cam: playing")
            func follow(_ awaited: String, _ isThere: (WindowPlayer) -> Bool) async throws {
                try await Deadline.poll(awaited, within: .seconds(60)) {
                    try await player.look()
                    return isThere(player) ? true : nil
                }
            }
            try await follow("three segments") { $0.segments.count >= 3 }
            #expect(try await host.ask("pause").ending == .exit(0))
            try await player.look()
            let known = player.segments.count
            #expect(try await host.ask("resume").ending == .exit(0))
            // The first of them was begun before the pause.
            try await follow("more behind it") { $0.segments.count >= known + 3 }
            let before = player.segments.count
            #expect(player.segments.map(\.number) == Array(0..<before))
            let run = try await host.ask("set", "cam", "size.caps=video/x-raw,width=480,height=360")
            #expect(run.ending == .exit(0), "\(run.errors)")
            try await follow("another format") { player in
                player.segments.filter { $0.map != player.segments[0].map }.count >= 2
            }
            // Only now: the window goes on while numbers are read.
            let clip = try await player.decoded(player.segments.prefix(before))
            #expect(clip.epochs.count == 2 && clip.frames.count > 120)
            #expect(clip.epochs.allSatisfy { $0 == Array(1...$0.count) }, "\(clip.epochs)")
            #expect(clip.steps.allSatisfy { abs($0 - 40_000_000) < 50_000 }, "\(clip.steps)")

            #expect(player.segments.map(\.number) == Array(0..<player.segments.count))
            let other = player.segments.drop { $0.map == player.segments[0].map }
            #expect(other.first?.goesOn == false && other.dropFirst().allSatisfy(\.goesOn))
            let all = player.segments.filter { $0.map == player.segments[0].map }
            let (first, second) = (try await player.decoded(all), try await player.decoded(other))
            // The encoder begins anew without losing a picture.
            let numbers = first.epochs.last.map { $0 + second.frames.map(\.number) } ?? []
            #expect(numbers == Array(1...numbers.count), "\(numbers)")
            try await host.terminate()
        }
    }

    /// The host is killed under a player that just goes on asking: names go on where they were, and nothing is shown twice.
    @Test func aPlayerGoesOnWithTheNextProcess() async throws {
        let place = try Workplace()
        // What a kill leaves in the encoder is lost: with B frames that is what lies between those that came.
        let path = try place.write(Self.config(window: 900, bFrames: 0, storage: "disk"), to: "config.yaml")
        let environment = ["XDG_STATE_HOME": place.path("state")]
        func start() throws -> MediahostProcess {
            try MediahostProcess(path, in: place, plugins: Workplace.products, environment: environment)
        }
        var player = WindowPlayer(host: try start(), place: place)
        func follow(to count: Int) async throws {
            try await Deadline.poll("\(count) segments", within: .seconds(60)) {
                try await player.look()
                return player.segments.count >= count ? true : nil
            }
        }
        try await player.host.log.next(containing: "pipeline cam: playing")
        try await follow(to: 4)
        let named = player.named
        player.host.send(SIGKILL)
        #expect(try await player.host.child.end() == .signal(SIGKILL))
        player.host = try start()
        try await player.host.log.next(containing: "frames of a former run")
        try await player.host.log.next(containing: "pipeline cam: playing")
        // What it knew already it may ask for before it reads the playlist again.
        for name in ["segment-\(try #require(named.last)).m4s", try #require(player.segments.last).map] {
            #expect(try await player.get(name).status == "200", "\(name)")
        }
        // On a busy machine the one that was killed may have kept seconds more than it had named.
        try await player.look()
        try await follow(to: player.segments.count + 4)
        let segments = player.segments
        #expect(Array(player.named.prefix(named.count)) == named)
        #expect(segments.map(\.number) == Array(0..<segments.count))
        // Where the sound was far ahead of the pictures in the moment of the kill, there is a gap between the processes.
        #expect(segments.count { !$0.goesOn } <= 1)
        let clip = try await player.decoded(segments)
        #expect(
            clip.epochs.count == 2, "\(named.count) segments were named before the kill: \(segments); \(clip.epochs)")
        #expect(clip.epochs.allSatisfy { $0 == Array(1...$0.count) }, "\(clip.epochs)")
        #expect(clip.steps.allSatisfy { $0 > 0 }, "\(clip.steps)")
        try await player.host.terminate()
    }

    /// What is evicted is named no more, and whoever asks for it is told.
    @Test func theWindowSlides() async throws {
        let place = try Workplace()
        try await withHost(Self.config(window: 3), in: place, plugins: Workplace.products) { host in
            let player = WindowPlayer(host: host, place: place)
            try await host.log.next(containing: "pipeline cam: playing")
            try await Deadline.poll("what is evicted", within: .seconds(60)) {
                let (status, playlist) = try await player.text("index.m3u8")
                guard status == "200", !playlist.contains("segment-0.m4s") else { return nil as Bool? }
                // It goes a little later than its name.
                return try await player.get("segment-0.m4s").status == "404" ? true : nil
            }
            let gone = try await player.text("segment-0.m4s")
            #expect(gone.text.contains("\"code\":\"not-found\""), "\(gone)")
            #expect(gone.text.contains("segment 0 is not kept any more: index.m3u8 names those that are"), "\(gone)")
            #expect(try await player.text("segment-9999.m4s").text.contains("is not there yet"))
            try await host.terminate()
        }
    }

    // MARK: The page

    /// Ten minutes of pictures whose number is in 16 large squares, black or white, as `rawvideoparse` reads them.
    private static func numberedPictures(in place: Workplace) throws -> String {
        var bytes = Data(capacity: 12_000 * 64 * 48)
        for number in 0..<12_000 {
            var picture = [UInt8](repeating: 16, count: 64 * 48)
            for bit in 0..<16 where number >> bit & 1 == 1 {
                for row in 0..<12 {
                    let start = ((bit / 4) * 12 + row) * 64 + (bit % 4) * 16
                    for column in start..<start + 16 { picture[column] = 235 }
                }
            }
            bytes += picture
        }
        let path = place.path("numbers.gray")
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// What the browser shows now.
    private static let look = """
        const video = document.getElementById('video');
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [160, 120];
        const context = canvas.getContext('2d');
        context.drawImage(video, 0, 0, 160, 120);
        const data = context.getImageData(0, 0, 160, 120).data;
        let number = 0;
        for (let bit = 0; bit < 16; bit += 1) {
          const at = (Math.floor(bit / 4) * 30 + 15) * 160 + (bit % 4) * 40 + 20;
          if (data[at * 4] > 125) number |= 1 << bit;
        }
        return { number, time: video.currentTime, seeking: video.seeking, paused: video.paused };
        """

    private static func config(_ numbers: String) -> String {
        """
        mediahost: 1
        pipelines:
          cam:
            launch: >
              filesrc location=\(numbers) ! rawvideoparse width=64 height=48 format=gray8 framerate=20/1
              ! identity sync=true ! valve name=tap ! videoconvert ! video/x-raw,format=I420
              ! x264enc key-int-max=20 bframes=2 speed-preset=ultrafast option-string=scenecut=0 ! h264parse name=encoded
              ! fakesink
              audiotestsrc is-live=true ! audio/x-raw,rate=48000 ! opusenc ! opusparse name=sound ! fakesink
            settable: [tap.drop]
        plugins:
          replay: { module: ReplayBuffer, video: cam/encoded.src, audio: [cam/sound.src], window: 10min }
        """
    }

    /// Without cookie, by its signed address: played, scrubbed, stepped; gaps and markers are shown.
    @Test func thePageShowsAndScrubsTheWindow() async throws {
        let place = try Workplace()
        let numbers = try Self.numberedPictures(in: place)
        try await withHost(Self.config(numbers), in: place, plugins: Workplace.products) { host in
            try await host.log.next(containing: "pipeline cam: playing")
            #expect(try await host.ask("web").ending == .exit(0))
            let signed = try await host.ask("web", "--sign", "/plugins/replay/window/")
            let address = signed.output.trimmingCharacters(in: .whitespacesAndNewlines)
            try await Browser.with(in: place) { browser in
                try await browser.open(address)
                try await browser.until(
                    "pictures", "!video.seeking && video.getVideoPlaybackQuality().totalVideoFrames > 5")
                #expect(try await browser.run("return document.body.dataset.player").string == "mse")
                let first = try await browser.run(Self.look)
                try await browser.until(
                    "that it plays",
                    "document.getElementById('video').currentTime > \(first["time"].double ?? 0) + 1")
                try await shows(its: browser)
                try await browser.until("that it is live", "document.querySelector('.badge.live')")
                try await scrubs(browser)
                try await marks(host, browser)
                try await hatches(host, browser)
                try await isClean(browser, address)
            }
            try await host.terminate()
        }
    }

    /// From the host's own page, with its cookie: markers can be set there.
    @Test func theHostsPageLeadsThereAndMarkersAreSet() async throws {
        let place = try Workplace()
        let numbers = try Self.numberedPictures(in: place)
        try await withHost(Self.config(numbers), in: place, plugins: Workplace.products) { host in
            try await host.log.next(containing: "pipeline cam: playing")
            let address = try await host.ask("web").output.trimmingCharacters(in: .whitespacesAndNewlines)
            try await Browser.with(in: place) { browser in
                try await browser.open(address)
                try await browser.click(".tabs a[href='#/plugins']")
                let link = "[data-plugin=replay] a[href$='/plugins/replay/window/']"
                try await browser.until("a link", "document.querySelector(\"\(link)\")")
                let target = try await browser.run("return document.querySelector(\"\(link)\").href").string
                try await browser.open(try #require(target))
                try await browser.until("pictures", "video.getVideoPlaybackQuality().totalVideoFrames > 5")
                #expect(
                    try await browser.run("return document.getElementById('title').textContent").string
                        == "Replay: replay")
                try await browser.click("#play")
                _ = try await browser.run("seek(0.75)")
                try await shows(15, browser)
                try await browser.click("#mark")
                try await browser.until("its marker", "document.querySelectorAll('.marker').length === 1")
                let time = try await host.answer("call", "replay.position")["markers"].list.first?["time"].int
                #expect(time == 750_000_000)
                #expect(try await browser.console().isEmpty)
                try await tellsWhatWasRefused(browser)
            }
            let metrics = try await host.ask("metrics").output
            #expect(metrics.contains("mediahost_plugin_window_segments_total"), "\(metrics)")
            try await host.terminate()
        }
    }

    /// And goes on telling when the page has asked again.
    private func tellsWhatWasRefused(_ browser: Browser) async throws {
        _ = try await browser.run(
            "const real = window.fetch; window.fetch = (address, how) => "
                + "real(address, how?.body ? { ...how, body: '{\"at\":\"nowhere\"}' } : how)")
        // Looked at in the page: it stays for six seconds, which this program may need to ask twice.
        let banner = "document.getElementById('banner')"
        _ = try await browser.run(
            """
            let asked;
            const look = setInterval(() => {
              // Time enough to ask once more, on a machine that has little of it.
              if (asked === undefined && \(banner).textContent.includes('nowhere')) {
                asked = timeline.edge.asked;
                toldUntil += 60000;
              }
              if (asked === undefined || timeline.edge.asked === asked) return;
              toldUntil -= 60000;
              window.stillTold = \(banner).hidden ? 'nothing' : \(banner).textContent;
              clearInterval(look);
            }, 20);
            """)
        try await browser.click("#mark")
        try await browser.until("why it is refused, after it has asked again", "window.stillTold !== undefined")
        #expect(try await browser.run("return window.stillTold").string?.contains("nowhere") == true)
        // What is told at last is what the host says.
        try await browser.until("the end of it", "\(banner).hidden")
        #expect(try await browser.console().count == 1)
    }

    /// Stands at the very picture, wherever it is sent.
    private func scrubs(_ browser: Browser) async throws {
        try await browser.until("five seconds", "timeline.newest > 5")
        try await browser.click("#play")
        try await browser.until("that it stands", "document.getElementById('video').paused")
        for time in [0.31, 3.77, 1.02, 4.51] {
            _ = try await browser.run("seek(\(time))")
            try await shows(Int(time * 20), browser)
        }
        _ = try await browser.run(
            "document.dispatchEvent(new KeyboardEvent('keydown', { key: ',', bubbles: true }))".replacingOccurrences(
                of: "document.dispatch", with: "document.body.dispatch"))
        try await shows(89, browser)
        // By the bar itself: where it is pressed.
        _ = try await browser.run(
            """
            const box = document.getElementById('track').getBoundingClientRect();
            const share = (2.52 - timeline.oldest) / (bar.to - timeline.oldest);
            const at = { clientX: box.left + share * box.width, clientY: box.top + 5, pointerId: 1, bubbles: true, button: 0 };
            const scrub = document.getElementById('scrub');
            scrub.setPointerCapture = () => {};
            scrub.dispatchEvent(new PointerEvent('pointerdown', at));
            scrub.dispatchEvent(new PointerEvent('pointerup', at));
            """)
        try await browser.until("that place", "Math.abs(document.getElementById('video').currentTime - 2.52) < 0.1")
        #expect(
            try await browser.run("return document.getElementById('delay').textContent").string?.contains("behind")
                == true)
    }

    private func shows(_ number: Int, _ browser: Browser) async throws {
        try await Deadline.poll("picture \(number)") {
            let shown = try await browser.run(Self.look)
            return shown["seeking"].bool == false && shown["number"].int == number ? true : nil
        }
    }

    private func marks(_ host: MediahostProcess, _ browser: Browser) async throws {
        #expect(try await host.ask("call", "replay.mark", "name=goal", "at=2s").ending == .exit(0))
        try await browser.until("a marker", "document.querySelector('#list button')?.textContent.includes('goal')")
        try await browser.click("#list button")
        try await shows(40, browser)
        #expect(try await browser.run("return document.querySelectorAll('.marker').length").int == 1)
        try await browser.click("#live")
        try await browser.until(
            "the live edge", "timeline.now - document.getElementById('video').currentTime < 5 && isLive")
    }

    /// Nothing comes for a while: that is hatched, and jumped over.
    private func hatches(_ host: MediahostProcess, _ browser: Browser) async throws {
        #expect(try await host.ask("set", "cam", "tap.drop=true").ending == .exit(0))
        // The live edge stands, and the clock does not.
        func offset() async throws -> Int? { try await host.answer("call", "replay.position")["offset"].int }
        let stands = try #require(try await offset())
        try await Deadline.poll("two seconds of nothing") {
            try await offset().map { $0 < stands - 2_500_000_000 } == true ? true : nil
        }
        #expect(try await host.ask("set", "cam", "tap.drop=false").ending == .exit(0))
        try await browser.until("a hatched region", "document.querySelectorAll('.track .gap').length === 1")
        try await browser.until(
            // On a busy machine it leaves the window before it is looked at again.
            "more behind it", "(window.hole = timeline.gaps[0] ?? window.hole) && timeline.newest > hole.to + 1")
        _ = try await browser.run("seek(hole.from - 0.5); play();")
        try await browser.until("the other side", "document.getElementById('video').currentTime > hole.to + 0.2")
        try await shows(its: browser)
    }

    /// While it plays: a machine that has other things to do shows a picture late, and never early. Picture and time are looked at one
    /// after the other, and may be of two moments.
    private func shows(its browser: Browser) async throws {
        try await Deadline.poll("the picture of its time") {
            let shown = try await browser.run(Self.look)
            let late = (shown["time"].double ?? -1) * 20 - Double(shown["number"].int ?? -1)
            return late > -1.5 && late < 20 ? true : nil
        }
    }

    private func isClean(_ browser: Browser, _ address: String) async throws {
        try await browser.resize(width: 390, height: 844)
        try await browser.until("a narrow page", "document.documentElement.clientWidth === 390")
        #expect(
            try await browser.run(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
            ).int == 0)
        let nameless = try await browser.run(
            """
            return [...document.querySelectorAll('button, select')]
                .filter((e) => !e.getAttribute('aria-label') && !e.textContent.trim()).map((e) => e.outerHTML)
            """)
        #expect(nameless.list.isEmpty, "\(nameless.list.compactMap(\.string))")
        let complaints = try await browser.console()
        #expect(complaints.isEmpty, "\(complaints)")
        let foreign = try await browser.requests().filter {
            !$0.hasPrefix("data:") && !$0.hasPrefix("chrome://") && !$0.hasPrefix(address) && !$0.hasPrefix("blob:")
        }
        #expect(foreign.isEmpty, "\(foreign)")
    }
}
