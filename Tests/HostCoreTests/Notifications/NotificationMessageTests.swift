import PluginABI
import Testing

@testable import HostCore

/// What a plugin may ask for, and what of it is sent to which service.
@Suite struct NotificationMessageTests {
    private static let action = NotificationRequest.Action(id: "yes", label: "Yes & no")

    private func message(_ abilities: [String], isHeard: Bool = true) -> NotificationMessage {
        var request = NotificationRequest("a < b")
        request.body = "<b>1</b> & 2"
        request.actions = [Self.action]
        request.urgency = .critical
        request.expiry = .after(.milliseconds(1500))
        return NotificationMessage(
            request, from: "Plugin", replacing: nil, for: .init(abilities), isHeard: isHeard)
    }

    @Test func plainTextStaysPlainText() {
        let knowsMarkup = message(["body", "body-markup", "actions"])
        #expect(knowsMarkup.body == "&lt;b&gt;1&lt;/b&gt; &amp; 2")
        #expect(knowsMarkup.summary == "a < b")
        #expect(message(["body"]).body == "<b>1</b> & 2")
    }

    @Test func actionsAreForServicesThatHaveThemAndPluginsThatHear() {
        #expect(message(["actions"]).actions == [Self.action])
        #expect(message(["body"]).actions == [])
        #expect(message(["actions"], isHeard: false).actions == [])
    }

    @Test func numbersAreThoseOfTheSpecification() {
        let it = message([])
        #expect(it.urgency == 2 && it.expireMilliseconds == 1500 && it.replaces == 0)
        var request = NotificationRequest("a")
        func expire() -> Int32 {
            NotificationMessage(request, from: "", replacing: 5, for: .init([]), isHeard: true).expireMilliseconds
        }
        #expect(expire() == -1)
        request.expiry = .never
        #expect(expire() == 0)
        request.expiry = .after(.seconds(1 << 33))
        #expect(expire() == .max)
        request.urgency = .low
        #expect(NotificationMessage(request, from: "", replacing: 5, for: .init([]), isHeard: true).urgency == 0)
    }

    // MARK: - Over the ABI

    private func refusal(
        summary: String? = "a", body: String? = nil, actions: [(String?, String?)] = [],
        _ change: (inout mh_notification_1) -> Void = { _ in }
    ) -> String? {
        let strings = Strings()
        let rows = actions.map { mh_notification_action_1(id: strings.add($0.0), label: strings.add($0.1)) }
        return rows.withUnsafeBufferPointer { rows in
            var raw = mh_notification_1()
            raw.summary = strings.add(summary)
            raw.body = strings.add(body)
            raw.actions = rows.baseAddress
            raw.action_count = UInt32(rows.count)
            change(&raw)
            return withExtendedLifetime(strings) {
                do throws(NotificationRequest.Refusal) {
                    _ = try NotificationRequest(copying: raw)
                    return nil
                } catch {
                    return error.reason
                }
            }
        }
    }

    @Test func whatMakesNoSenseIsNamed() {
        #expect(refusal() == nil)
        #expect(refusal(summary: nil) == "its summary is empty")
        #expect(refusal(summary: "") == "its summary is empty")
        #expect(refusal(summary: String(repeating: "a", count: 1025)) == "its summary is longer than 1024 bytes")
        #expect(refusal(body: String(repeating: "a", count: 8193)) == "its body is longer than 8192 bytes")
        #expect(refusal { $0.urgency = 2 } == "there is no urgency 2")
        #expect(refusal { $0.expire_ms = -2 } == "it cannot expire after -2 ms")
        #expect(refusal { $0.flags = 8 } == "it has flags that do not exist: 8")
        #expect(refusal { $0.action_count = 9 } == "it has more than 8 actions")
        #expect(refusal { $0.action_count = 1 } == "an action lacks its id or label")
        #expect(refusal(actions: [("", "x")]) == "an action lacks its id or label")
        #expect(refusal(actions: [("x", nil)]) == "an action lacks its id or label")
        #expect(refusal(actions: [("x", "1"), ("x", "2")]) == "action \"x\" is given twice")
        #expect(refusal(actions: [("x", "1"), ("y", "2")]) == nil)
    }

    @Test func aStructOfZerosWithASummaryIsAnOrdinaryOne() throws {
        let strings = Strings()
        var raw = mh_notification_1()
        raw.summary = strings.add("a")
        let request = try withExtendedLifetime(strings) { try NotificationRequest(copying: raw) }
        #expect(request == NotificationRequest("a"))
    }

    /// C strings that live as long as this object.
    private final class Strings {
        private var copies: [UnsafeMutableBufferPointer<CChar>] = []

        deinit { for copy in copies { copy.deallocate() } }

        func add(_ text: String?) -> UnsafePointer<CChar>? {
            guard let characters = text?.utf8CString else { return nil }
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
            _ = copy.initialize(from: characters)
            copies.append(copy)
            return UnsafePointer(copy.baseAddress)
        }
    }
}
