// The toy's messages need a debug build; see toy.proto.
#if DEBUG
    ToyAccounts.main()
#endif
