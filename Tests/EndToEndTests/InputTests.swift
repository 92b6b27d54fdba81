import Foundation
import Testing

/// Keys of a device, told to a plugin of a running host.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct InputTests {
    private func config(_ place: Workplace, _ more: String = "") -> String {
        """
        mediahost: 1
        pipelines: { tone: { launch: audiotestsrc is-live=true ! fakesink } }
        plugins: { ears: { module: KeyListener } }
        inputs:
          front: { device: \(place.path("front")), keys: [KEY_VOLUMEUP, KEY_POWER], long: 40s, hold: 60s }
          side: { device: \(place.path("side")), long: 10ms, hold: 60s }
          back: { device: \(place.path("back")), long: 10ms, hold: 50ms\(more) }

        """
    }

    @Test func aPluginHearsPressesOfEveryKind() async throws {
        let place = try Workplace()
        for name in ["front", "side", "back"] { try KeyDevice.make(place.path(name)) }
        try await withHost(config(place), in: place, plugins: ThirdParty.plugins()) { host in
            for name in ["front", "side", "back"] {
                try await host.log.next(containing: "input \(name): \(place.path(name)) is there")
            }
            let front = try KeyDevice(place.path("front"))
            let side = try KeyDevice(place.path("side"))
            let back = try KeyDevice(place.path("back"))
            try front.key(113, 1)
            try front.key(KeyDevice.volume, 1)
            try await host.log.next(containing: "heard front KEY_VOLUMEUP (115) down")
            try front.key(KeyDevice.volume, 2)
            try front.key(KeyDevice.volume, 0)
            try await host.log.next(containing: "heard front KEY_VOLUMEUP (115) short")
            try await host.log.next(containing: "heard front KEY_VOLUMEUP (115) up")
            // By the time that the one is a hold, the other was down for longer than a long press takes.
            try side.key(0x2fe, 1)
            try await host.log.next(containing: "heard side KEY_0x2fe (766) down")
            try back.key(KeyDevice.power, 1)
            try await host.log.next(containing: "heard back KEY_POWER (116) hold")
            try side.key(0x2fe, 0)
            try await host.log.next(containing: "heard side KEY_0x2fe (766) long")
            try await host.log.next(containing: "heard side KEY_0x2fe (766) up")
            let inputs = try await host.answer("status")["inputs"]
            #expect(inputs["back"]["state"].string == "open" && inputs["back"]["presses"].int == 1)
            #expect(inputs["back"]["down"].list.map(\.string) == ["KEY_POWER"])
            try back.key(KeyDevice.power, 0)
            try await host.log.next(containing: "heard back KEY_POWER (116) up")
            // What was lost leaves nothing down.
            try front.key(KeyDevice.power, 1)
            try await host.log.next(containing: "heard front KEY_POWER (116) down")
            try front.drop()
            try await host.log.next(containing: "heard front KEY_POWER (116) up")
            try await host.terminate()
            #expect(!host.log.text.contains("(113)"))
            #expect(host.log.lines.filter { $0.contains("heard back KEY_POWER (116) hold") }.count == 1)
        }
    }

    @Test func devicesComeAndGoAndAReloadReplacesThem() async throws {
        let place = try Workplace()
        for name in ["front", "side"] { try KeyDevice.make(place.path(name)) }
        try await withHost(config(place), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "\(place.path("back")) is not there: waiting for it")
            try KeyDevice.make(place.path("back"))
            try await host.log.next(containing: "\(place.path("back")) is there")
            let back = try KeyDevice(place.path("back"))
            try back.key(KeyDevice.volume, 1)
            try await host.log.next(containing: "heard back KEY_VOLUMEUP (115) down")
            try FileManager.default.removeItem(atPath: place.path("back"))
            try back.close()
            try await host.log.next(containing: "\(place.path("back")) is gone: waiting for it")
            try await Deadline.poll("the plugin's word of the key") {
                host.log.text.contains("heard back KEY_VOLUMEUP (115) up") ? true : nil
            }
            try place.write(config(place, ", keys: [KEY_MUTE]"), to: "config.yaml")
            #expect(try await host.ask("reload").ending == .exit(0))
            // It is another input now, which looks for itself.
            try await host.log.next(containing: "\(place.path("back")) is not there: waiting for it")
            try KeyDevice.make(place.path("back"))
            try await host.log.next(containing: "\(place.path("back")) is there")
            let again = try KeyDevice(place.path("back"))
            try again.key(KeyDevice.volume, 1)
            try again.key(113, 1)
            try await host.log.next(containing: "heard back KEY_MUTE (113) down")
            try await host.terminate()
            #expect(host.log.lines.filter { $0.contains("heard back KEY_VOLUMEUP (115) down") }.count == 1)
        }
    }

    @Test func aRuleFollowsAKey() async throws {
        let place = try Workplace()
        for name in ["front", "side", "back"] { try KeyDevice.make(place.path(name)) }
        let rules = """
            rules:
              - { when: input.key, source: host, if: { input: front, key: KEY_VOLUMEUP, press: short }, lifecycle: lock }
              - { when: input.key, if: { input: back, key: KEY_POWER, press: hold }, pipeline: { stop: tone } }
            """
        try await withHost(config(place) + rules + "\n", in: place, plugins: ThirdParty.plugins()) { host in
            for name in ["front", "back"] {
                try await host.log.next(containing: "input \(name): \(place.path(name)) is there")
            }
            let front = try KeyDevice(place.path("front"))
            let back = try KeyDevice(place.path("back"))
            try front.key(KeyDevice.volume, 1)
            try front.key(KeyDevice.volume, 0)
            try await Deadline.poll("the lock") {
                try await host.answer("status")["lifecycle"]["desired"].list.map(\.string) == ["locked"] ? true : nil
            }
            try back.key(KeyDevice.power, 1)
            try await Deadline.poll("the stop") {
                try await host.answer("status")["pipelines"]["tone"]["state"].string == "stopped" ? true : nil
            }
            try await host.terminate()
        }
    }
}
