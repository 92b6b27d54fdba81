/// Takes or gives nothing: a plugin without settings, a command without parameters or result.
public struct NoFields: PluginRecord, Hashable {
    public init() {}

    public static let fields = Fields(NoFields.init)
}
