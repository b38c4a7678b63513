"""A mail server on loopback that keeps what it takes over, with faults by the recipient's name.

    mail_server.py DIRECTORY [--port N] [--tls CERTIFICATE KEY] [--immediate] [--user NAME PASSWORD]

It says `port N` when it listens, and ends when its standard input closes. A mail becomes the file
DIRECTORY/<number>.eml as it was sent, and DIRECTORY/<number>.to has its recipient. The part of the
address before the `@` says what happens:

    refused  RCPT is answered with 550            spam   the mail is answered with 554
    busy     RCPT is answered with 451            later  451 the first time, then as usual
    hang     the mail is never answered           cut    the first time the mail is kept, and the
                                                         connection cut instead of an answer
    denied   RCPT is answered with 530            full   RCPT is answered with 452
    closing  RCPT is answered with 421            client RCPT is answered with 450 4.7.1
    sender   RCPT is answered with 450 4.1.8

A sender named `limited` is answered with 451, `banned` with 550, `large` with 552, and one named
`terse` with 250 and no words.
"""
import argparse, asyncio, errno, os, ssl, sys, threading
from aiosmtpd.smtp import SMTP, AuthResult

arguments = argparse.ArgumentParser()
arguments.add_argument("directory")
arguments.add_argument("--port", type=int, default=0)
arguments.add_argument("--tls", nargs=2)
arguments.add_argument("--immediate", action="store_true")
arguments.add_argument("--user", nargs=2)
options = arguments.parse_args()


class Handler:
    """Takes mails over."""

    seen = set()

    def fault(self, address):
        name = address.split("@")[0]
        is_first = address not in self.seen
        self.seen.add(address)
        return name if name not in ("later", "cut") or is_first else ""

    async def handle_MAIL(self, server, session, envelope, address, options):
        if address.split("@")[0] == "limited":
            return "451 4.7.1 too many mails from you"
        if address.split("@")[0] == "banned":
            return "550 5.7.1 sender address rejected"
        if address.split("@")[0] == "large":
            return "552 5.3.4 message too big"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250" if address.split("@")[0] == "terse" else "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name == "refused":
            return "550 5.1.1 no such mailbox"
        if name == "busy" or name == "later" and self.fault(address):
            return "451 4.3.0 come back later"
        if name == "full":
            return "452 4.2.2 mailbox full"
        if name == "closing":
            return "421 4.4.5 too many connections"
        if name == "client":
            return "450 4.7.1 client host rejected"
        if name == "sender":
            return "450 4.1.8 sender address rejected: domain not found"
        if name == "denied":
            return "530 5.7.0 log in first"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        fault = self.fault(envelope.rcpt_tos[0])
        if fault == "spam":
            return "554 5.7.1 this looks like spam"
        if fault == "hang":
            await asyncio.Event().wait()
        number = len([name for name in os.listdir(options.directory) if name.endswith(".eml")])
        base = os.path.join(options.directory, str(number))
        for ending, content in ("to", envelope.rcpt_tos[0].encode()), ("eml", envelope.content):
            with open(base + "." + ending + ".new", "wb") as file:
                file.write(content)
            os.rename(base + "." + ending + ".new", base + "." + ending)
        if fault == "cut":
            server.transport.abort()
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    wanted = [text.encode() for text in options.user]
    # Not handled: aiosmtpd tells the client.
    return AuthResult(success=[data.login, data.password] == wanted, handled=False)


async def serve():
    context = None
    if options.tls:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*options.tls)
    more = {}
    if options.user:
        more = dict(authenticator=authenticate, auth_required=True,
                    auth_require_tls=bool(options.tls) and not options.immediate)
    if context and not options.immediate:
        more.update(tls_context=context, require_starttls=True)
    handler = Handler()
    server = None
    while server is None:
        try:
            server = await asyncio.get_running_loop().create_server(
                lambda: SMTP(handler, hostname="localhost", **more), "127.0.0.1", options.port,
                ssl=context if options.immediate else None)
        except OSError as error:
            # The system may have given a port that was free before to a connection.
            if error.errno != errno.EADDRINUSE:
                raise
            await asyncio.sleep(0.1)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def end_with_standard_input():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_standard_input, daemon=True).start()
asyncio.run(serve())
