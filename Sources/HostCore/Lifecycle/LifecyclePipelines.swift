/// Pipelines as the lifecycle sees them.
@HostActor
public protocol LifecyclePipelines: AnyObject {
    /// Brings each pipeline to its mode for this state, then calls `done`, once. What becomes quiet is waited for; what
    /// starts is not: a camera that does not come back must not keep the next pause from being followed.
    func follow(_ state: DesiredState, done: @escaping @HostActor () -> Void)
}
