// The toy's messages need a debug build; see toy.proto.
#if DEBUG
    import Foundation
    import TestSupport

    do {
        var client = try ToyClient(arguments: Array(CommandLine.arguments.dropFirst()))
        try client.run()
    } catch {
        FileHandle.standardError.write(Data("toy-client: \(error)\n".utf8))
        exit(1)
    }
#endif
