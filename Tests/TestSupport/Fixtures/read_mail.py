"""Reads a mail from standard input with Python's own parser and prints what is in it as JSON: the
headers, the defects that the parser found, and each part that is no container.
"""
import base64, email, email.policy, json, sys

mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
parts = [part for part in mail.walk() if not part.is_multipart()]
print(json.dumps({
    "headers": {name: str(value) for name, value in mail.items()},
    "containers": [part.get_content_type() for part in mail.walk() if part.is_multipart()],
    "defects": [str(defect) for part in mail.walk() for defect in part.defects]
    + [str(defect) for value in mail.values() for defect in value.defects],
    "parts": [
        {
            "type": part.get_content_type(),
            "name": part.get_filename() or "",
            "disposition": part.get_content_disposition() or "",
            "bytes": base64.b64encode(part.get_payload(decode=True)).decode(),
        }
        for part in parts
    ],
}))
