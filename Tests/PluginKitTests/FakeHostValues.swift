import HostTestKit
import PluginABI

/// The value table of a fake host, as the kit finds it.
enum FakeHostValues {
    static func table(of fake: FakeHost) -> UnsafePointer<mh_value_ext_1> {
        let found = fake.lend(MH_EXT_VALUE) { fake.host.pointee.get_extension(fake.host, $0) }
        guard let found else { preconditionFailure("a fake host has values") }
        return found.assumingMemoryBound(to: mh_value_ext_1.self)
    }
}
