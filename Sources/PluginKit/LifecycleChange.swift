import PluginABI

/// What the host is about to do with its pipelines, or has done.
public enum LifecycleChange: Hashable, Sendable {
    /// Pipelines still run; they follow their background mode after the acknowledgements.
    case willPause
    /// They have.
    case didPause
    /// They are about to start again.
    case willResume
    /// They were started; `pipeline.first-buffer` follows for each.
    case didResume
    /// The state has changed without a pause or a resume.
    case changed
    /// From a newer host. The state that comes with it counts all the same.
    case unknown(Int32)

    init(abi: mh_lifecycle_change) {
        switch Int(abi) {
        case Int(MH_LIFECYCLE_WILL_PAUSE): self = .willPause
        case Int(MH_LIFECYCLE_DID_PAUSE): self = .didPause
        case Int(MH_LIFECYCLE_WILL_RESUME): self = .willResume
        case Int(MH_LIFECYCLE_DID_RESUME): self = .didResume
        case Int(MH_LIFECYCLE_CHANGED): self = .changed
        default: self = .unknown(abi)
        }
    }
}
