import HostTestKit
import Testing

@testable import HostCore

@Suite struct WireCodeTests {
    private func value(_ random: inout Campaign, depth: Int = 0) -> Value {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .int([.min, .max, 0, -1].randomElement(using: &random) ?? 0)
        case 3: .double([0, -0.5, .infinity, -.infinity, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0)
        case 4:
            .string(
                ["", "a", "ü\u{10ffff}\u{1}", String(repeating: "x", count: 300)].randomElement(using: &random) ?? "")
        case 5: .list((0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random, depth: depth + 1) })
        default:
            .map((0..<Int.random(in: 0...4, using: &random)).map { .init("k\($0)", value(&random, depth: depth + 1)) })
        }
    }

    @Test func whatIsWrittenIsRead() throws {
        var random = Campaign(rounds: 500)
        for _ in 0..<random.rounds {
            let call = TrialCall(
                named: "f", 7, [value(&random), value(&random)], data: [0, 1, 255])
            #expect(try WireFrame(WireFrame.call(call).bytes) == .call(call), "\(random.note)")
            let answer = WireFrame.answer([value(&random)])
            #expect(try WireFrame(answer.bytes) == answer, "\(random.note)")
        }
    }

    /// A plugin can write to any file: what is no frame is refused, whatever it is.
    @Test func whatIsCutOrChangedIsRefusedOrAnotherFrame() {
        var random = Campaign(rounds: 500)
        for _ in 0..<random.rounds {
            var bytes = WireFrame.call(TrialCall(named: "f", 1, [value(&random)])).bytes
            #expect(throws: WireReader.Damage.self) { try WireFrame(Array(bytes.dropLast())) }
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? WireFrame(bytes)
        }
    }
}
