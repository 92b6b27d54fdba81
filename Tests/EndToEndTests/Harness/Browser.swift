import Foundation

/// A headless Chromium, driven by WebDriver's JSON over HTTP: https://www.w3.org/TR/webdriver2/.
final class Browser: Sendable {
    private static let element = "element-6066-11e4-a52e-4f735466cecf"

    private let driver: ChildProcess
    private let port: UInt16
    private let session: String

    private init(driver: ChildProcess, port: UInt16, session: String) {
        self.driver = driver
        self.port = port
        self.session = session
    }

    /// Runs one for as long as `body` takes.
    static func with<Answer>(in place: Workplace, _ body: (Browser) async throws -> Answer) async throws -> Answer {
        let (driver, port) = try await drive(in: place)
        do {
            let made = try await send("POST", "/session", capabilities(place), port)
            guard let session = made["sessionId"].string else {
                throw LineLog.Missing(description: "no session: \(driver.errors.text)")
            }
            let browser = Browser(driver: driver, port: port, session: session)
            let result: Result<Answer, any Error>
            do { result = .success(try await body(browser)) } catch { result = .failure(error) }
            // Ends Chromium, too.
            _ = try? await browser.ask("DELETE", "")
            driver.send(SIGTERM)
            _ = try await driver.end()
            return try result.get()
        } catch {
            driver.send(SIGKILL)
            throw error
        }
    }

    /// It takes a free port of IPv6's for one of IPv4's, too, and gives up where that one is taken: then it tries another.
    private static func drive(in place: Workplace) async throws -> (ChildProcess, port: UInt16) {
        var tries = 5
        while true {
            let driver = try ChildProcess(
                "/usr/bin/chromedriver", ["--port=0"],
                environment: Workplace.environment([
                    "HOME": place.directory, "XDG_CONFIG_HOME": place.path("config"),
                    "XDG_CACHE_HOME": place.path("cache"),
                    // Of the tests' own allocation counter.
                    "LD_PRELOAD": "",
                ]), directory: place.directory)
            do {
                let line = try await driver.output.next(containing: "started successfully on port")
                guard let port = UInt16(line.split { !$0.isNumber }.last ?? "") else {
                    throw LineLog.Missing(description: "no port in \"\(line)\"")
                }
                return (driver, port)
            } catch {
                driver.send(SIGKILL)
                tries -= 1
                guard tries > 0, driver.output.text.contains("port not available") else { throw error }
            }
        }
    }

    private static func capabilities(_ place: Workplace) -> [String: Any] {
        [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": "chrome",
                    "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
                    "goog:chromeOptions": [
                        "binary": "/usr/bin/chromium",
                        "args": [
                            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--no-first-run",
                            "--disable-background-networking", "--disable-component-update", "--disable-sync",
                            "--disable-extensions", "--window-size=1280,800",
                            "--user-data-dir=\(place.path("profile"))",
                        ],
                    ],
                ]
            ]
        ]
    }

    // MARK: What a user does

    func open(_ url: String) async throws { _ = try await ask("POST", "/url", ["url": url]) }

    func click(_ selector: String) async throws {
        _ = try await ask("POST", "/element/\(try await find(selector))/click", [:])
    }

    func type(_ text: String, into selector: String) async throws {
        _ = try await ask("POST", "/element/\(try await find(selector))/value", ["text": text])
    }

    /// As a phone has it.
    func resize(width: Int, height: Int) async throws {
        _ = try await ask(
            "POST", "/goog/cdp/execute",
            [
                "cmd": "Emulation.setDeviceMetricsOverride",
                "params": ["width": width, "height": height, "deviceScaleFactor": 2, "mobile": true],
            ])
    }

    // MARK: What a user sees

    /// The value of a function's body.
    func run(_ script: String) async throws -> JSON {
        try await ask("POST", "/execute/sync", ["script": script, "args": [String]()])
    }

    /// Waits until an expression is true.
    func until(_ awaited: String, _ expression: String) async throws {
        do {
            try await Deadline.poll(awaited) {
                try await run("return Boolean(\(expression))").bool == true ? true : nil
            }
        } catch {
            // A browser that answers no more must not hide what was awaited.
            let text = try? await run("return document.body.innerText").string
            let said = try? await console()
            let asked = try? await requests().suffix(8)
            throw LineLog.Missing(
                description: "\(error)\nThe page:\n\(text ?? "?")\nIts console:\n\(said ?? ["?"])\n"
                    + "Its last requests:\n\((asked ?? ["?"]).joined(separator: "\n"))")
        }
    }

    /// What its console has said since it was asked before.
    func console() async throws -> [String] {
        try await ask("POST", "/se/log", ["type": "browser"]).list
            .map { "\($0["level"].string ?? "?") \($0["message"].string ?? "?")" }
    }

    /// The addresses of all requests since it was asked before.
    func requests() async throws -> [String] {
        try await ask("POST", "/se/log", ["type": "performance"]).list.compactMap { entry in
            let message = try JSON(entry["message"].string ?? "{}")["message"]
            guard message["method"].string == "Network.requestWillBeSent" else { return nil }
            return message["params"]["request"]["url"].string
        }
    }

    // MARK: WebDriver

    private func find(_ selector: String) async throws -> String {
        let found = try await ask("POST", "/element", ["using": "css selector", "value": selector])
        guard let id = found[Self.element].string else { throw LineLog.Missing(description: "there is no \(selector)") }
        return id
    }

    private func ask(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> JSON {
        try await Self.send(method, "/session/\(session)\(path)", body, port)
    }

    private static func send(
        _ method: String, _ path: String, _ body: [String: Any]?, _ port: UInt16
    ) async throws -> JSON {
        let text =
            try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) } ?? ""
        let answer = try await HTTPExchange.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)", port: port)
        guard let end = answer.range(of: "\r\n\r\n") else {
            throw LineLog.Missing(description: "\(method) \(path): no answer but \"\(answer)\"")
        }
        let value = try JSON(String(answer[end.upperBound...]))["value"]
        if let error = value["error"].string {
            throw LineLog.Missing(description: "\(method) \(path): \(error): \(value["message"].string ?? "")")
        }
        return value
    }
}
