import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Which outputs are there, and whether the one that is needed is.
@Suite struct OutputPresenceTests {
    private static let speaker = DeviceIdentity(name: "Porch Speaker", node: "alsa_output.porch")
    private static let headset = DeviceIdentity(name: "Headset", node: "bluez_output.headset")

    @Test func theFirstListIsNoNews() {
        var presence = OutputPresence(device: nil)
        #expect(!presence.isKnown)
        #expect(presence.handle(.begun([Self.speaker, Self.headset])) == [])
        #expect(presence.isKnown && !presence.isLost && presence.outputs == [Self.speaker, Self.headset])
        #expect(presence.handle(.added(Self.speaker)) == [])
    }

    @Test func theLastThatGoesIsTheLoss() {
        var presence = OutputPresence(device: nil)
        _ = presence.handle(.begun([Self.speaker]))
        #expect(presence.handle(.added(Self.headset)) == [.added(Self.headset)])
        #expect(presence.handle(.removed(Self.speaker)) == [.removed(Self.speaker)])
        #expect(presence.handle(.removed(Self.headset)) == [.removed(Self.headset), .lost])
        #expect(presence.handle(.removed(Self.headset)) == [] && presence.isLost)
        #expect(presence.handle(.added(Self.speaker)) == [.added(Self.speaker), .back(Self.speaker)])
        #expect(!presence.isLost)
    }

    @Test func anEmptyFirstListIsALoss() {
        var presence = OutputPresence(device: nil)
        #expect(presence.handle(.begun([])) == [.lost])
    }

    /// It was a loss for good: nobody on the machine could say that sound played.
    @Test func whatNobodyCanListIsNotLost() {
        var presence = OutputPresence(device: nil)
        #expect(presence.handle(.unlisted) == [.unlisted])
        #expect(!presence.isLost && !presence.isKnown && presence.isUnlisted)
        presence.renew()
        #expect(presence.handle(.unlisted) == [])
        presence.renew()
        #expect(presence.handle(.begun([])) == [.lost])
        #expect(presence.isKnown && !presence.isUnlisted)
        presence.renew()
        #expect(presence.handle(.unlisted) == [] && presence.isLost)
    }

    /// The sound server is gone, and nobody else would tell of outputs.
    @Test func whoCouldListThemAndCannotAnyMoreHasNone() {
        var presence = OutputPresence(device: nil)
        _ = presence.handle(.begun([Self.speaker]))
        presence.renew()
        #expect(presence.isWaiting)
        #expect(presence.handle(.unlisted) == [.removed(Self.speaker), .lost])
        #expect(!presence.isWaiting)
        presence.renew()
        #expect(presence.handle(.begun([Self.speaker])) == [.added(Self.speaker), .back(Self.speaker)])
    }

    @Test func aNamedOneIsNeededByEitherOfItsNames() {
        for name in [Self.headset.name, "bluez_output.headset"] {
            var presence = OutputPresence(device: name)
            #expect(presence.handle(.begun([Self.speaker])) == [.lost])
            #expect(presence.handle(.added(Self.headset)) == [.added(Self.headset), .back(Self.headset)])
            #expect(presence.handle(.removed(Self.speaker)) == [.removed(Self.speaker)])
            #expect(presence.handle(.removed(Self.headset)) == [.removed(Self.headset), .lost])
        }
        // A part of a name is none.
        var presence = OutputPresence(device: "Head")
        #expect(presence.handle(.begun([Self.headset])) == [.lost])
        #expect(presence.need(nil) == [.back(Self.headset)] && presence.need("x") == [.lost])
    }

    @Test func anotherNameIsAnotherOutput() {
        var presence = OutputPresence(device: "Porch")
        var renamed = Self.speaker
        renamed.name = "Porch"
        #expect(presence.handle(.begun([Self.speaker])) == [.lost])
        #expect(
            presence.handle(.changed(from: Self.speaker, to: renamed))
                == [.removed(Self.speaker), .added(renamed), .back(renamed)])
        #expect(presence.handle(.changed(from: renamed, to: renamed)) == [])
    }

    @Test func aDummyOfTheSoundServerIsNoOutput() {
        var presence = OutputPresence(device: nil)
        let dummy = DeviceIdentity(name: "Dummy Output", node: "auto_null")
        #expect(presence.handle(.begun([dummy])) == [.lost])
        #expect(presence.handle(.added(dummy)) == [] && presence.outputs.isEmpty)
    }

    @Test func whatComesBeforeTheListIsNotLost() {
        var presence = OutputPresence(device: nil)
        #expect(presence.handle(.added(Self.speaker)) == [])
        #expect(presence.handle(.removed(Self.headset)) == [])
        #expect(presence.handle(.begun([Self.speaker, Self.headset])) == [.removed(Self.headset)])
        #expect(presence.outputs == [Self.speaker])
    }

    @Test func anotherMonitorTellsOnlyWhatIsDifferent() {
        var presence = OutputPresence(device: nil)
        _ = presence.handle(.begun([Self.speaker]))
        presence.renew()
        #expect(presence.handle(.added(Self.speaker)) == [])
        #expect(presence.handle(.begun([Self.speaker, Self.headset])) == [.added(Self.headset)])
        presence.renew()
        #expect(presence.handle(.begun([])) == [.removed(Self.speaker), .removed(Self.headset), .lost])
    }

    /// Over random changes: what was told, applied in order, is what is there, and the loss is its absence.
    @Test func whatWasToldAddsUpToWhatIsThere() {
        var campaign = Campaign(rounds: 5000)
        let all = (0..<4).map { DeviceIdentity(name: "output \($0)", node: "node \($0)") }
        for device in [nil, "output 1", "node 2"] {
            var presence = OutputPresence(device: device)
            var world: [DeviceIdentity] = []
            var told: [DeviceIdentity]?
            var isLost = false
            for _ in 0..<campaign.rounds {
                let output = all[Int.random(in: 0..<4, using: &campaign)]
                let event: OutputPresence.Event
                switch Int.random(in: 0..<10, using: &campaign) {
                case 0:
                    presence.renew()
                    event = .begun(world)
                case 1...5:
                    if !world.contains(output) { world.append(output) }
                    event = .added(output)
                default:
                    world.removeAll { $0 == output }
                    event = .removed(output)
                }
                for action in presence.handle(event) {
                    switch action {
                    case .added(let output): told?.append(output)
                    case .removed(let output): told?.removeAll { $0 == output }
                    case .lost, .back:
                        let wasLost = isLost
                        isLost = action == .lost
                        #expect(wasLost != isLost, "\(campaign.note)")
                    case .unlisted: Issue.record("there is a list, \(campaign.note)")
                    }
                }
                guard presence.isKnown else { continue }
                if told == nil { told = presence.outputs }
                #expect(Set(told ?? []) == Set(world) && Set(presence.outputs) == Set(world), "\(campaign.note)")
                let isThere = world.contains { device == nil || $0.name == device || $0.node == device }
                #expect(isLost == !isThere && presence.isLost == isLost, "\(campaign.note)")
            }
        }
    }
}
