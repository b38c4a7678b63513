import Foundation
import TestSupport

do {
    try FaultyNetwork(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch {
    FileHandle.standardError.write(Data("toy-network: \(error)\n".utf8))
    exit(1)
}
