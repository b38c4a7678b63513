// The toy's messages need a debug build; see toy.proto.
#if DEBUG
    ToyService.main()
#endif
