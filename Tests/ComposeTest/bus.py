"""Talks to the services as any person's program may: over ZeroMQ with keys, in protobuf."""
import os
import subprocess
import sys
import time

import zmq


def load(protos, folder):
    """Generates the Python classes of every message, and returns the modules by name."""
    names = [name for name in sorted(os.listdir(protos)) if name.endswith(".proto")]
    subprocess.run(["protoc", "-I", protos, f"--python_out={folder}", *names], check=True)
    sys.path.insert(0, folder)
    return {name[:-6]: __import__(name[:-6] + "_pb2") for name in names}


def new_id():
    """A UUIDv7."""
    return (time.time_ns() // 10**6).to_bytes(6, "big") + b"\x70\0\x80" + os.urandom(7)


def text(identifier):
    """The id as text, as people and entities have it."""
    digits = identifier.hex()
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


class Refused(Exception):
    """A service refused a message."""


class Client:
    """Sends messages to one service, each again and again until it is answered."""

    def __init__(self, bus, port, server_key, pair, token=b""):
        self.bus, self.token = bus, token
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.curve_serverkey = server_key
        self.socket.curve_publickey, self.socket.curve_secretkey = pair
        self.socket.linger = 0
        self.socket.reconnect_ivl_max = 500
        self.socket.connect(f"tcp://127.0.0.1:{port}")

    def ask(self, message, reply, identifier=None, within=60):
        identifier = identifier or new_id()
        now = time.time_ns() // 10**6
        request = self.bus.Envelope(
            id=identifier, source="compose-test", time=now, token=self.token,
            type=message.DESCRIPTOR.full_name, data=message.SerializeToString(),
            correlation_id=identifier, deadline=now + within * 1000).SerializeToString()
        end = time.monotonic() + within
        while time.monotonic() < end:
            self.socket.send(request)
            while self.socket.poll(1000):
                answer = self.bus.Envelope.FromString(self.socket.recv())
                if answer.causation_id != identifier:
                    continue
                if answer.type == "bus.Refusal":
                    raise Refused(self.bus.Refusal.FromString(answer.data).message)
                assert answer.type == reply.DESCRIPTOR.full_name, answer.type
                return reply.FromString(answer.data)
        raise TimeoutError(f"no answer to {message.DESCRIPTOR.full_name} in {within} s")
