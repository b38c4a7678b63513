"""A relay at the address ::1 to a server on this machine, on which networks and proxies fail."""
import contextlib
import socket
import threading
import time

BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Relay:
    def __init__(self, port):
        self.port = port
        self.sockets = set()
        # Connections that no one has closed, but on which nothing arrives any more.
        self.lost = []
        self.isCut = False
        self.passes = True
        self.answers = b""
        # When connections came, in milliseconds since 1970.
        self.tries = []
        self.replies = 0
        self.mend()

    def mend(self):
        """Lets connections in again."""
        self.isCut = False
        self.listener = socket.create_server(("::1", self.port), family=socket.AF_INET6)
        threading.Thread(target=self.listen, args=(self.listener,), daemon=True).start()

    def cut(self):
        """Ends all connections, and refuses others."""
        self.isCut = True
        # A thread that waits for connections would keep the port in use.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.end()

    def lose(self):
        """The network is down: nothing passes, and neither side is told."""
        self.passes = False
        self.tries = []

    def deny(self):
        """The server is down, and a proxy in front of it says so."""
        self.answers = BAD_GATEWAY
        self.tries = []
        self.end()

    def restore(self):
        """From now on everything passes. What was sent before is lost."""
        self.passes, self.answers = True, b""

    def drop(self, count):
        """Ends all connections, this many times, each time after one of them was answered."""
        for _ in range(count):
            known = self.replies
            self.end()
            end = time.monotonic() + 180
            while self.replies == known:
                if time.monotonic() > end:
                    raise TimeoutError("no one came again")
                time.sleep(0.005)

    def end(self):
        for it in list(self.sockets):
            with contextlib.suppress(OSError):
                it.shutdown(socket.SHUT_RDWR)

    def listen(self, listener):
        with contextlib.suppress(OSError):
            while True:
                near = listener.accept()[0]
                self.tries.append(int(time.time() * 1000))
                if not self.passes:
                    self.lost.append(near)
                elif self.answers:
                    threading.Thread(target=self.refuse, args=(near,), daemon=True).start()
                else:
                    self.connect(near)

    def connect(self, near):
        try:
            far = socket.create_connection(("127.0.0.1", self.port))
        except OSError:
            return near.close()
        self.sockets |= {near, far}
        # It may have come just before all were ended.
        if self.isCut or self.answers:
            self.end()
        for ends in ((near, far), (far, near)):
            threading.Thread(target=self.pass_on, args=(*ends, near), daemon=True).start()

    def refuse(self, near):
        with contextlib.suppress(OSError):
            near.recv(65536)
            near.sendall(self.answers)
        near.close()

    def pass_on(self, source, target, near):
        isFirst = source is not near
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self.passes or near in self.lost:
                    if near not in self.lost:
                        self.lost.append(near)
                    break
                target.sendall(data)
                if isFirst:
                    self.replies += 1
                    isFirst = False
        for it in (source, target):
            # The browser isn't told that a connection is lost. The server notices on its own.
            if it is near and near in self.lost:
                continue
            with contextlib.suppress(OSError):
                it.shutdown(socket.SHUT_RDWR)
        self.sockets -= {source, target}
