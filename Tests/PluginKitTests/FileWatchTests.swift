import HostTestKit
import PluginABI
import PluginKit
import Testing

extension WasherTests {
    /// Watched files of a Swift plugin, on a host that polls nothing.
    @Suite struct FileWatchTests {
        private func run(_ fake: FakeHost = FakeHost()) throws -> (FakeInstance, Washer) {
            let instance = try FakeInstance.running(
                Washer.descriptor.id, of: PluginEntry.entry(for: Washer.self), in: fake)
            let washer = try #require(Washer.last.withLock { $0.washer })
            washer.seen.withLock { $0 = [] }
            return (instance, washer)
        }

        private func watch(_ washer: Washer, _ file: Int32, _ events: FileEvents) throws -> FileWatch {
            try washer.host.watch(file, for: events) { washer.note("\(file) \($0.rawValue)") }
        }

        @Test func isToldWhatItAskedForUntilItEnds() throws {
            let (instance, washer) = try run()
            let watch = try watch(washer, 7, .readable)
            #expect(instance.fake.watchedFiles == [7: UInt32(MH_FD_READABLE)])
            #expect(try instance.signal(7, UInt32(MH_FD_READABLE | MH_FD_WRITABLE)))
            #expect(try !instance.signal(7, UInt32(MH_FD_WRITABLE)))
            #expect(try !instance.signal(8, UInt32(MH_FD_READABLE)))
            try watch.modify(.writable)
            #expect(try instance.signal(7, UInt32(MH_FD_WRITABLE | MH_FD_HUNG_UP)))
            #expect(washer.seen.withLock { $0 } == ["7 1", "7 10"])
            watch.end()
            watch.end()
            #expect(instance.fake.watchedFiles.isEmpty)
            let error = #expect(throws: PluginError.self) { try watch.modify(.readable) }
            #expect(error?.code == .notFound)
            instance.end()
        }

        /// The number of a descriptor is used again: an old watch must not end the new one.
        @Test func anOldWatchDoesNotEndANewOneOfTheSameNumber() throws {
            let (instance, washer) = try run()
            var old: FileWatch? = try watch(washer, 7, .readable)
            old?.end()
            let new = try watch(washer, 7, [.readable, .writable])
            old = nil
            #expect(instance.fake.watchedFiles == [7: 3])
            let error = #expect(throws: PluginError.self) { _ = try watch(washer, 7, .readable) }
            #expect(error?.code == .busy)
            withExtendedLifetime((old, new)) {}
            instance.end()
        }

        @Test func allEndWithTheInstance() throws {
            let (instance, washer) = try run()
            let watch = try watch(washer, 7, .readable)
            instance.deactivate()
            #expect(instance.fake.watchedFiles.isEmpty)
            #expect(try !instance.signal(7, UInt32(MH_FD_READABLE)))
            let late = #expect(throws: PluginError.self) { _ = try self.watch(washer, 8, .readable) }
            #expect(late?.code == .state)
            instance.destroy()
            watch.end()
            #expect(throws: PluginError.self) { _ = try self.watch(washer, 8, .readable) }
        }
    }
}
