/// Something that must go on for the service to be alive: a pipeline.
@HostActor
public protocol ProgressSource: AnyObject {
    var name: String { get }
    /// Whether whoever looks after it does its work. A pipeline that stalled and is being restarted makes progress, as does
    /// one that failed for good and stands still: restarting the process would not mend it. One whose controller is stuck
    /// does not.
    var isMakingProgress: Bool { get }
}
