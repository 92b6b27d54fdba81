import Testing

@testable import HostCore

/// Heads that two readers could understand differently. The raw-bytes fuzzer found that libsoup takes the last of two.
@Suite struct RequestHeadTests {
    @Test func clearHeadsPass() {
        for head in [
            RequestHead(), RequestHead(lengths: "0", hosts: "a"), RequestHead(hosts: "a", encodings: "chunked"),
            RequestHead(lengths: "1234567890123456789"),
        ] { #expect(head.refusal == nil, "\(head)") }
    }

    @Test(arguments: ["-1", "+1", "", "1 ", "0x1", "1e3", "12345678901234567890", "9223372036854775808", "\u{663}"])
    func aLengthIsANumberOfBytes(_ text: String) {
        #expect(RequestHead(lengths: text).refusal?.message.hasPrefix("`Content-Length` is a number of bytes") == true)
    }

    @Test func whatIsSaidTwiceIsNamed() {
        #expect(RequestHead(lengths: "4, 4").refusal?.message == "the head has more than one `Content-Length`")
        #expect(RequestHead(hosts: "a, b").refusal?.message == "the head has more than one `Host`")
        #expect(RequestHead(encodings: "chunked, chunked").refusal?.code == .invalid)
        #expect(RequestHead(lengths: "4", encodings: "chunked").refusal?.message.contains("send one of them") == true)
    }
}
