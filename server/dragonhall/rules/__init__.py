"""The games' rules: pure, typed, and nothing else. No I/O, no clock, no global randomness, no protobuf."""
