import Foundation
import Testing

@testable import HostCore

@Suite struct WebPageTests {
    private func policy(_ html: String) -> [String] {
        WebPage.policy(of: Array(html.utf8)).components(separatedBy: "; ")
    }

    @Test func itsOwnScriptsAndStylesAreAllowedByTheirHashes() {
        let rules = policy("<p><style>a{}</style><script>one()</script><b><script>two()</script></p>")
        #expect(
            rules.contains(
                "script-src 'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4=' 'sha256-iMrPAWirDC2X0OhZzLsM2MRIWSmepJGI4r7D8ZlwBOw='"
            ), "\(rules)")
        #expect(rules.contains("style-src 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='"))
    }

    @Test func whereThereIsNoneNoneIsAllowed() {
        for html in ["", "<p>", "<script>never closed", "<script src=x></script>"] {
            #expect(policy(html).contains("script-src 'none'"), "\(html)")
        }
    }

    /// The page is one document: with a source elsewhere, or a handler in an attribute, its policy would break it.
    @Test func thePageNeedsNothingFromElsewhere() throws {
        let page = String(decoding: try #require(WebPage.answer().payload?.bytes), as: UTF8.self)
        #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("</html>\n"))
        for part in ["<script", "</script>", "<style", "</style>", "<body", "<main"] {
            #expect(page.components(separatedBy: part).count == 2, "\(part)")
        }
        let addresses = page.components(separatedBy: "//").dropFirst().filter { $0.first?.isLetter == true }
        #expect(addresses.allSatisfy { $0.hasPrefix("www.w3.org/2000/svg") }, "\(addresses.map { $0.prefix(40) })")
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " onclick=", " style=",
            "@import",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test func whoIsRefusedGetsNoMarkupOfAnybodyElses() throws {
        let answer = WebPage.answer(.init(error: ControlError(.unauthorized, "<script>x</script> & so on")))
        let page = String(decoding: try #require(answer.payload?.bytes), as: UTF8.self)
        #expect(answer.status == 401 && page.contains("mediahost web") && !page.contains("<script>"))
    }
}
