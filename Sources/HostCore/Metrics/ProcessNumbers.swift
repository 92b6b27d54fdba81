internal import CGLib
internal import GStreamerKit
internal import Glibc

/// What the kernel says of this process, under the names that all of Prometheus' clients use.
///
/// - Thread: any. Reads a few small files of procfs.
enum ProcessNumbers {
    static var families: [MetricFamily] {
        var found: [MetricFamily] = []
        var usage = rusage()
        if getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
            let time = seconds(usage.ru_utime) + seconds(usage.ru_stime)
            found.append(
                MetricFamily(
                    "process_cpu_seconds_total", .counter, "What the process has taken of the processors.", time))
        }
        if let pages = words(of: "/proc/self/statm"), pages.count > 1 {
            let page = Double(sysconf(Int32(_SC_PAGESIZE)))
            found.append(
                MetricFamily("process_resident_memory_bytes", .gauge, "Memory that is in use now.", pages[1] * page))
            found.append(
                MetricFamily("process_virtual_memory_bytes", .gauge, "Address space that is in use.", pages[0] * page))
        }
        if let files = count(in: "/proc/self/fd") {
            // One of them reads the directory.
            found.append(MetricFamily("process_open_fds", .gauge, "Descriptors that are open.", Double(files - 1)))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            found.append(
                MetricFamily("process_max_fds", .gauge, "Descriptors that may be open.", Double(limit.rlim_cur)))
        }
        if let threads = count(in: "/proc/self/task") {
            found.append(MetricFamily("process_threads", .gauge, "Threads of the process.", Double(threads)))
        }
        return found
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func words(of path: String) -> [Double]? {
        var text: UnsafeMutablePointer<CChar>?
        guard g_file_get_contents(path, &text, nil, nil) != 0, let text else { return nil }
        defer { g_free(text) }
        return String(cString: text).split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    }

    private static func count(in path: String) -> Int? {
        guard let directory = g_dir_open(path, 0, nil) else { return nil }
        defer { g_dir_close(directory) }
        var count = 0
        while g_dir_read_name(directory) != nil { count += 1 }
        return count
    }
}
