import PluginKit

/// Where a ring lies.
enum StorageKind: String, CaseIterable, FieldValue {
    /// Memory of this process: gone with it.
    case memory
    /// Memory that somebody else holds: gone with the machine, or with the service.
    case memfd
    /// A file.
    case disk
}
