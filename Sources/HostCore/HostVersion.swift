/// The version of this host.
public enum HostVersion {
    public static let text = "0.1.0"
}
