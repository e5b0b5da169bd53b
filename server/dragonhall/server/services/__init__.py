"""The gRPC services: the only place of the server that knows gRPC and the API's messages."""
