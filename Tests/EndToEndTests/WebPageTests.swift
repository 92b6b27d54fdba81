import Foundation
import Testing

/// The page, in a browser, over a host that runs.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct WebPageTests {
    private static let config = """
        mediahost: 1
        overrides: saved.yaml
        pipelines:
          camera:
            launch: >
              videotestsrc name=source is-live=true pattern=ball
              ! video/x-raw,width=320,height=180,framerate=25/1 ! videoscale name=small
              ! video/x-raw,width=160,height=90 ! fakesink name=end
            settable: [source.pattern]
          sound: { launch: audiotestsrc is-live=true ! fakesink }
          spare: { launch: videotestsrc ! fakesink, autostart: false }
        plugins:
          echo: { module: Echo }
          works: { module: Clockwork, greeting: hello }
          dog: { module: Walker }
        """

    private static let camera = #"[data-pipeline="camera"]"#

    /// A browser in which nothing is open yet, and where the page of a host that runs is.
    private func withPage(
        _ body: (_ host: MediahostProcess, _ browser: Browser, _ address: String, _ origin: String) async throws -> Void
    ) async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer at ")
            let address = try await address(host)
            let origin = String(try #require(address.range(of: "/open/").map { address[..<$0.lowerBound] }))
            try await Browser.with(in: place) { try await body(host, $0, address, origin) }
        }
    }

    private func address(_ host: MediahostProcess) async throws -> String {
        let result = try await host.ask("web")
        #expect(result.ending == .exit(0), "\(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func state(_ pipeline: String, _ host: MediahostProcess) async throws -> String? {
        try await host.answer("pipeline", "show", pipeline)["state"].string
    }

    /// Nothing that the browser complains of, and nobody but the host was asked.
    private func isClean(_ browser: Browser, _ origin: String, allowing expected: [String] = []) async throws {
        let complaints = try await browser.console().filter { complaint in
            !expected.contains(where: complaint.contains)
                // Asked for in the very moment in which the pipeline stopped.
                && !(complaint.contains("status of 409")
                    && ["/snapshot", "/graph"].contains(where: complaint.contains))
        }
        #expect(complaints.isEmpty, "\(complaints)")
        // The browser begins with a page of its own.
        let requests = try await browser.requests().filter { !$0.hasPrefix("data:") && !$0.hasPrefix("chrome://") }
        #expect(requests.count > 3)
        let foreign = requests.filter { !$0.hasPrefix("\(origin)/") && !$0.hasPrefix("blob:\(origin)/") }
        #expect(foreign.isEmpty, "\(foreign)")
    }

    @Test func itShowsAndDrivesTheHost() async throws {
        try await withPage { host, browser, address, origin in
            try await browser.open(address)
            #expect(try await browser.run("return location.href").string == "\(origin)/")
            #expect(try await browser.run("return document.cookie").string == "")
            try await browser.until(
                "all pipelines", "document.querySelectorAll('[data-pipeline]').length === 3")
            try await browser.until(
                "a playing camera", "document.querySelector('\(Self.camera) .chip').textContent === 'playing'")
            try await browser.until(
                "a picture", "document.querySelector('\(Self.camera) img').naturalWidth > 0")
            try await browser.until(
                "frames in a second",
                "parseFloat(document.querySelector('\(Self.camera) .figure b').textContent) > 15")
            #expect(
                try await browser.run("return document.getElementById('host-state').textContent").string
                    == "running")

            try await browser.click("\(Self.camera) .buttons button:first-child")
            try await browser.until(
                "a camera at rest",
                "document.querySelector('\(Self.camera) .chip').textContent === 'stopped' "
                    + "&& !document.querySelector('\(Self.camera) button').disabled")
            #expect(try await state("camera", host) == "stopped")
            try await browser.click("\(Self.camera) .buttons button:first-child")
            try await browser.until(
                "a playing camera", "document.querySelector('\(Self.camera) .chip').textContent === 'playing'")
            #expect(try await state("camera", host) == "playing")

            // What happens elsewhere is seen here.
            #expect(try await host.ask("stop", "sound").ending == .exit(0))
            try await browser.until(
                "silence", "document.querySelector('[data-pipeline=sound] .chip').textContent === 'stopped'")
            try await browser.click("#lock")
            try await browser.until(
                "a lock", "document.getElementById('host-state').textContent.includes('locked')")
            #expect(try await host.ask("unlock").ending == .exit(0))
            try await browser.until(
                "no lock", "!document.getElementById('host-state').textContent.includes('locked')")
            try await isClean(browser, origin)
        }
    }

    /// A notice goes after four seconds; on a busy machine nobody may look in that time.
    private func hearNotices(_ browser: Browser) async throws {
        _ = try await browser.run(
            """
            window.notices = [];
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(
                (node) => window.notices.push(node.textContent)))).observe(
                    document.getElementById('notices'), { childList: true });
            """)
    }

    @Test func aPipelineAndAPluginAreSetByForms() async throws {
        try await withPage { host, browser, address, origin in
            try await browser.open(address)
            try await browser.until("a link", "document.querySelector('\(Self.camera) h2 a')")
            try await browser.click("\(Self.camera) h2 a")
            try await browser.until("a graph", "document.querySelectorAll('svg.graph .node').length >= 3")
            try await browser.until("a setting", "document.querySelector('.setting input')?.value.length > 0")
            _ = try await browser.run("document.querySelector('.setting input').value = ''")
            try await browser.type("snow", into: ".setting input")
            try await hearNotices(browser)
            try await browser.click(".setting button")
            try await browser.until("a notice", "notices.some((text) => text.includes('snow'))")
            #expect(try await host.ask("get", "camera", "source.pattern").output.contains("snow"))

            try await browser.click(".tabs a[href='#/plugins']")
            try await browser.until("a command", "document.querySelector('[data-command=say] summary')")
            try await browser.click("[data-command=say] summary")
            try await browser.click("[data-command=say] form button")
            try await browser.until(
                "what is missing",
                "document.querySelector('[data-command=say] .wrong').textContent === 'It is needed.'")
            try await browser.type("<i>héllo</i>", into: "[data-command=say] input")
            try await browser.click("[data-command=say] form button")
            try await browser.until(
                "an answer", "document.querySelector('[data-command=say] .answer')?.textContent === 'Done.'")

            try await browser.click("[data-plugin=echo] > .buttons input")
            try await browser.click("[data-plugin=echo] > .buttons button")
            try await browser.until(
                "a disabled plugin", "document.querySelector('[data-plugin=echo] .chip').textContent === 'disabled'"
            )
            #expect(try await host.answer("plugin", "show", "echo")["state"].string == "disabled")
            try await browser.until("a notice", "notices.includes('echo is disabled, also after a restart×')")
            #expect(try await host.ask("config", "overrides").output.contains("enabled"))
            try await browser.until(
                "a button", "document.querySelector('[data-plugin=echo] > .buttons button:not(:disabled)')")
            try await browser.click("[data-plugin=echo] > .buttons button")
            try await browser.until(
                "an active plugin", "document.querySelector('[data-plugin=echo] .chip').textContent === 'active'")
            try await browser.until("a notice", "notices.includes('echo is enabled, also after a restart×')")

            try await browser.click(".tabs a[href='#/events']")
            try await browser.until("a filter", "document.querySelector('#event-filter')")
            try await browser.type("org.example.*", into: "#event-filter")
            try await browser.until(
                "its event", "document.querySelector('.rows .what')?.textContent.includes('<i>héllo</i>')")
            #expect(try await browser.run("return document.querySelectorAll('.rows li').length").int == 1)
            try await browser.click(".tabs a[href='#/log']")
            try await browser.until("lines of the log", "document.querySelectorAll('.rows li').length > 0")
            try await isClean(browser, origin)

            // On a phone nothing is cut, and everything has a name for who does not see it.
            try await browser.resize(width: 390, height: 844)
            for view in ["", "pipelines/camera", "plugins", "events", "log"] {
                _ = try await browser.run("location.hash = '#/\(view)'")
                try await browser.until("the view", "document.querySelector('main').innerText.length > 20")
                let wide = try await browser.run(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
                ).int
                #expect(wide == 0, "\(view)")
                let nameless = try await browser.run(
                    """
                    return [...document.querySelectorAll('button, input, select, textarea, a[href]')]
                        .filter((e) => !e.closest('[aria-hidden]') && !e.labels?.length && !e.getAttribute('aria-label')
                            && !e.textContent.trim()).map((e) => e.outerHTML)
                    """)
                #expect(nameless.list.isEmpty, "\(view): \(nameless.list.compactMap(\.string))")
            }
        }
    }

    /// The lines beside the numbers were looked at by people only.
    @Test func aSparklineIsDrawnAndGoesOn() async throws {
        try await withPage { _, browser, address, origin in
            func points(_ shape: String) -> String {
                "document.querySelector('\(Self.camera) .spark .\(shape)')?.getAttribute('points')"
            }
            try await browser.open(address)
            try await browser.until("a line", "\(points("line"))?.split(' ').length >= 2")
            let drawn = try #require(try await browser.run("return \(points("line"))").string)
            let places = drawn.split(separator: " ").map { $0.split(separator: ",").compactMap { Double($0) } }
            #expect(
                places.allSatisfy { $0.count == 2 && (0...120).contains($0[0]) && (0...32).contains($0[1]) }, "\(drawn)"
            )
            #expect(places.map(\.[0]) == places.map(\.[0]).sorted(), "from left to right: \(drawn)")
            #expect(places.last?[0] == 120, "the newest is at the right: \(drawn)")
            // The camera makes as many pictures in each second: the line is neither at the bottom nor cut off.
            let newest = "\(points("line"))?.split(' ').at(-1).split(',')[1]"
            try await browser.until("a line in the middle", "\(newest) >= 1.5 && \(newest) < 20")
            #expect(try await browser.run("return \(points("area"))").string?.hasSuffix(" 120,32") == true)
            try await browser.until("more of it", "\(points("line")).split(' ').length > \(places.count)")
            try await isClean(browser, origin)
        }
    }

    /// It was read by a client of the tests alone: whether a browser takes it for a stream nobody had seen.
    @Test func anEventSourceReadsASignedAddressWithoutTheCookie() async throws {
        try await withPage { host, browser, _, origin in
            func signed(_ path: String) async throws -> String {
                let result = try await host.ask("web", "--sign", path)
                #expect(result.ending == .exit(0), "\(result.errors)")
                return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            // A document of this origin; the page itself, which gives the cookie, is never opened.
            try await browser.open(try await signed("/v1/config"))
            let events = try await signed("/v1/events?filter=pipeline.*")
            #expect(events.hasPrefix("\(origin)/media/"))
            _ = try await browser.run(
                """
                window.heard = [];
                fetch('/v1/status').then((answer) => { window.status = answer.status; });
                window.source = new EventSource('\(events)');
                source.addEventListener('pipeline.state', (event) => heard.push(JSON.parse(event.data)));
                """)
            try await browser.until("a stream", "source.readyState === 1")
            try await browser.until("that it has no cookie", "String(window.status) === '401'")
            #expect(try await host.ask("stop", "sound").ending == .exit(0))
            try await browser.until(
                "an event", "heard.some((event) => event.source === 'sound' && event.payload.state === 'stopped')")
        }
    }

    @Test func itSaysWhoIsNotLetInAndThatTheHostHasGone() async throws {
        try await withPage { host, browser, address, origin in
            try await browser.open("\(origin)/")
            #expect(
                try await browser.run("return document.querySelector('code').textContent").string == "mediahost web"
            )
            try await browser.open(address)
            try await browser.until("the host", "document.getElementById('host-state').textContent === 'running'")
            #expect(try await host.ask("web", "--close").ending == .exit(0))
            try await browser.until(
                "words about it",
                "document.getElementById('banner').textContent.startsWith('The host does not answer.')")
            let port = String(origin.split(separator: ":").last ?? "")
            let again = try await host.ask("web", "--port", port)
            #expect(again.output.hasPrefix("\(origin)/open/"), "\(again.errors)")
            try await browser.until(
                "words about the session",
                "document.getElementById('banner').textContent.includes('session is over')")
            try await browser.open(again.output.trimmingCharacters(in: .whitespacesAndNewlines))
            try await browser.until("the host", "document.getElementById('host-state').textContent === 'running'")
        }
    }

    @Test func aPluginsConfigIsChangedAndKept() async throws {
        try await withPage { host, browser, address, origin in
            let works = "[data-plugin=works]"
            try await browser.open(address)
            try await browser.click(".tabs a[href='#/plugins']")
            try await browser.until("the plugin", "document.querySelector('\(works) [data-part=config]')")
            try await browser.click("\(works) [data-part=config] summary")
            try await browser.until("its config", "document.querySelector('\(works) dl').textContent.includes('hello')")
            try await browser.click("\(works) [data-part=config] > div > .buttons button")
            try await browser.until("a form", "document.querySelectorAll('\(works) .editor input').length === 4")
            let greeting = "\(works) .editor .field:nth-of-type(3) input"
            #expect(try await browser.run("return document.querySelector('\(greeting)').value").string == "hello")

            // What the host says of a value stands at its field.
            let every = "\(works) .editor .field:nth-of-type(1)"
            _ = try await browser.run("document.querySelector('\(every) input').value = 'soon'")
            try await browser.click("\(works) .editor button[type=submit]")
            try await browser.until(
                "what is wrong", "document.querySelector('\(every) .wrong').textContent.includes('soon')")
            _ = try await browser.run("document.querySelector('\(every) input').value = '50ms'")

            _ = try await browser.run("document.querySelector('\(greeting)').value = ''")
            try await browser.type("<b>servus</b>", into: greeting)
            try await browser.click("\(works) .editor .check input")
            try await hearNotices(browser)
            try await browser.click("\(works) .editor button[type=submit]")
            try await browser.until(
                "a notice", "notices.some((text) => text.includes('also after a restart'))")
            try await browser.until(
                "the new config", "document.querySelector('\(works) dl').textContent.includes('<b>servus</b>')")
            let saved = try await host.answer("config", "overrides")["settings"].list
            #expect(
                Set(saved.compactMap { $0["key"].string }) == ["works.every", "works.greeting"],
                "nothing but what was changed")
            try await isClean(browser, origin, allowing: ["status of 400"])
        }
    }

    @Test func aLongCommandShowsHowFarItIsAndIsCancelled() async throws {
        try await withPage { host, browser, address, origin in
            let walk = "[data-plugin=dog] [data-command=walk]"
            try await browser.open(address)
            try await browser.click(".tabs a[href='#/plugins']")
            try await browser.until("the command", "document.querySelector('\(walk) summary')")
            try await browser.click("\(walk) summary")
            _ = try await browser.run("document.querySelector('\(walk) input').value = '1000000'")
            try await browser.click("\(walk) form button")
            try await browser.until("progress", "document.querySelector('\(walk) progress')?.value > 0")
            try await browser.until(
                "words", "/step [0-9]+ · /.test(document.querySelector('\(walk) .job .about').textContent)")
            try await browser.click("\(walk) .job button")
            try await browser.until(
                "its end",
                "/^Stopped after [0-9]+ steps/i.test(document.querySelector('\(walk) .trouble')?.textContent)")
            try await browser.until("a form", "!document.querySelector('\(walk) form button').disabled")
            #expect(try await host.answer("jobs")["jobs"].list.allSatisfy { $0["state"].string != "running" })
            try await isClean(browser, origin)
        }
    }

    @Test func thePictureOfAPadIsLookedAt() async throws {
        try await withPage { _, browser, address, origin in
            try await browser.open(address)
            try await browser.until("a link", "document.querySelector('\(Self.camera) h2 a')")
            try await browser.click("\(Self.camera) h2 a")
            try await browser.until(
                "pads", "document.querySelector('select[aria-label=\"Picture of\"]')?.hidden === false")
            try await browser.until("a picture", "document.querySelector('.picture img').alt === 'What camera shows'")
            _ = try await browser.run(
                """
                const pads = document.querySelector('select[aria-label="Picture of"]');
                pads.value = 'source.src';
                pads.dispatchEvent(new Event('change'));
                """)
            try await browser.until(
                "the source's", "document.querySelector('.picture img').alt === 'What leaves source.src'")
            let asked = try await browser.requests()
            #expect(asked.contains { $0.contains("/snapshot?") && $0.hasSuffix("pad=source.src") }, "\(asked)")
            _ = origin
        }
    }
}
