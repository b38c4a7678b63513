/// The version of Steward, the same in every process.
public let stewardVersion = "0.1.0"
