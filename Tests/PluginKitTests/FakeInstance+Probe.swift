import HostTestKit
import PluginKit

extension FakeInstance {
    static func probe(_ fake: FakeHost = FakeHost()) throws -> FakeInstance {
        try FakeInstance(Probe.descriptor.id, of: PluginEntry.entry(for: Probe.self), in: fake)
    }
}
