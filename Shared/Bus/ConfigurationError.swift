/// A setting that can't be used. Its description is a sentence for the person who set it.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// What is wrong and what to write instead.
    public let description: String

    /// Makes an error with this sentence.
    public init(_ description: String) { self.description = description }
}
