import HostTestKit
import Testing

@testable import HostCore

/// What is remembered of probes: the key, the text, and what damage does to it.
@Suite struct ProbeCacheTests {
    private static let identity = LibraryIdentity(
        path: "/lib/libX.so", device: .max, inode: 42, modifiedNanoseconds: 1_763_700_000_123_456_789, bytes: 7)
    private static let facts = LibraryFacts(
        abi: "0.1", builtWith: "cc",
        descriptors: [
            PluginDescriptor(
                id: "x", name: "Ünï \"x\"", vendor: "v", version: "1", license: "MIT", summary: "s", requires: [])
        ])
    private static let sound = ProbeCache.Entry(identity: identity, probed: 5, outcome: .sound(facts))

    private static var filled: ProbeCache {
        var cache = ProbeCache(host: "1")
        cache.keep(sound)
        var other = identity
        other.path = "/lib/libY.so"
        cache.keep(
            .init(identity: other, probed: 6, outcome: .dangerous(ProbeFault(text: "crashed", lastWords: "oh"))))
        return cache
    }

    @Test func textIsReadBackAsItWas() {
        #expect(ProbeCache(text: Self.filled.text, host: "1") == Self.filled)
        #expect(ProbeCache(text: ProbeCache(host: "1").text, host: "1").entries == [])
    }

    @Test func anyOtherFileIsUnknown() {
        let cache = Self.filled
        #expect(cache.entry(for: Self.identity) == Self.sound)
        let changes: [(inout LibraryIdentity) -> Void] = [
            { $0.path = "/lib/libZ.so" }, { $0.device = 1 }, { $0.inode += 1 }, { $0.modifiedNanoseconds += 1 },
            { $0.bytes += 1 },
        ]
        for change in changes {
            var identity = Self.identity
            change(&identity)
            #expect(cache.entry(for: identity) == nil)
        }
    }

    @Test func anotherHostKnowsNothing() {
        #expect(ProbeCache(text: Self.filled.text, host: "2").entries == [])
    }

    @Test func aPathHasOneAnswerAndAllHaveABound() {
        var cache = Self.filled
        var newer = Self.sound
        newer.identity.inode = 43
        cache.keep(newer)
        #expect(cache.entries.count == 2 && cache.entry(for: Self.identity) == nil)
        for number in 0..<1000 {
            newer.identity.path = "/lib/\(number).so"
            cache.keep(newer)
        }
        #expect(cache.entries.count == 256)
        #expect(cache.entry(for: newer.identity) != nil)
    }

    @Test(arguments: ["", "{", "[]", "null", #"{"format":2,"host":"1","libraries":[]}"#, #"{"format":1,"host":"1"}"#])
    func whatIsNoCacheIsEmpty(_ text: String) { #expect(ProbeCache(text: text, host: "1").entries == []) }

    /// Whatever is left of a file is a cache with no more than it had, never a crash.
    @Test func randomDamageIsHarmless() {
        var campaign = Campaign(rounds: 2000)
        print("ProbeCacheTests: \(campaign.note)")
        let whole = Array(Self.filled.text.utf8)
        for _ in 0..<campaign.rounds {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &campaign) {
                bytes[Int.random(in: 0..<bytes.count, using: &campaign)] = UInt8.random(in: 0...255, using: &campaign)
            }
            bytes.removeLast(Bool.random(using: &campaign) ? Int.random(in: 0..<bytes.count, using: &campaign) : 0)
            let cache = ProbeCache(text: String(decoding: bytes, as: UTF8.self), host: "1")
            #expect(cache.entries.count <= 2, "\(campaign.note)")
        }
    }

    @Test func placeIsTheServicesOwnElseTheUsers() {
        let log = Log { _ in }
        func path(_ environment: [String: String]) -> String? {
            ProbeCacheFile(environment: environment, log: log).path
        }
        let state = ["STATE_DIRECTORY": "/var/lib/m", "HOME": "/srv/u"]
        #expect(path(state.merging(["CACHE_DIRECTORY": "/c/a:/c/b"]) { $1 }) == "/c/a/plugins.json")
        #expect(path(state) == "/var/lib/m/plugins.json")
        #expect(path(["HOME": "/srv/u"]) == "/srv/u/.local/state/mediahost/plugins.json")
        #expect(path(["CACHE_DIRECTORY": "relative"]) == nil)
    }
}
