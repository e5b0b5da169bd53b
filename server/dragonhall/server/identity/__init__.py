"""Who calls, what they may do, and how much of it. Nothing here knows gRPC: the services bring what a call shows."""
