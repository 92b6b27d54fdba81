import Foundation
import Testing

/// Timers on the page: rings that go on by themselves.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct WebRingTests {
    private static let config = """
        mediahost: 1
        notifications: off
        plugins:
          laundry: { module: LaundryTimers, pets: [{ id: snowy }, { id: fluffy }] }
        """

    private static func ring(_ pet: String) -> String { "document.querySelector('[data-row=\(pet)]')" }

    /// How much of the ring is drawn, 0 to 100, as the browser animates it.
    private static func arc(_ pet: String) -> String {
        "100 - parseFloat(getComputedStyle(\(ring(pet)).querySelector('.arc')).strokeDashoffset)"
    }

    @Test func ringsGoOnWithoutAskingTheHost() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, environment: ["XDG_STATE_HOME": place.path("state")]) { host in
            try await host.log.next(containing: "mediahost 0.")
            _ = try await host.answer("call", "laundry.start", "pet=snowy", "kind=wash", "duration=5min")
            _ = try await host.answer("call", "laundry.start", "pet=fluffy", "kind=dry", "duration=1h")
            _ = try await host.answer("call", "laundry.pause", "pet=fluffy")
            let address = try await host.ask("web").output.trimmingCharacters(in: .whitespacesAndNewlines)
            try await Browser.with(in: place) { browser in
                try await browser.open(address)
                try await browser.until("the tabs", "document.querySelector(\".tabs a[href='#/plugins']\")")
                try await browser.click(".tabs a[href='#/plugins']")
                try await browser.until("two rings", "document.querySelectorAll('.rings [data-row]').length === 2")
                // From here on the page must do without the host: it is stopped.
                let first = try #require(try await browser.run("return \(Self.arc("snowy"))").double)
                host.send(SIGSTOP)
                defer { host.send(SIGCONT) }
                try await browser.until("a ring that has gone on", "\(Self.arc("snowy")) > \(first) + 2")
                let paused = try await browser.run("return \(Self.arc("fluffy"))").double
                #expect(paused.map { $0 < 1 } == true && first < 90)
                #expect(
                    try await browser.run("return \(Self.ring("fluffy")).querySelector('b').textContent").string?
                        .hasPrefix("59:") == true)
                let left = try await browser.run("return \(Self.ring("snowy")).querySelector('b').textContent").string
                #expect(left.map { $0.contains(":") && !$0.hasPrefix("5") } == true, "\(left ?? "nothing")")
                host.send(SIGCONT)
                // What is over is no ring any more: its table has it. Somebody else is heard of, too.
                _ = try await host.answer("call", "laundry.stop", "pet=snowy")
                _ = try await host.answer("call", "laundry.start", "pet=snowy", "kind=cycle", "duration=1s")
                try await browser.until(
                    "a finished timer",
                    "document.querySelector('[data-table=\"list.finished\"]')?.textContent.includes('Laundry Time!')")
                try await browser.until("one ring", "document.querySelectorAll('.rings [data-row]').length === 1")
                #expect(try await browser.console() == [])
            }
        }
    }
}
