#!/usr/bin/python3
"""The other side of InteropTests: Python's own protobuf, with the descriptors of `generate`.

interop.py DESCRIPTORS make COUNT SEED   writes COUNT random messages of each type: name, hex
interop.py DESCRIPTORS compare           reads lines: name, hex of one packing, of another, JSON;
                                         writes `equal` and its own packing, or `differs` and why
"""
import json
import os
import random
import struct
import sys

try:
    from google.protobuf import descriptor_pb2, message_factory
    from google.protobuf.descriptor import FieldDescriptor as F
except ImportError:
    sys.exit("Python's protobuf is missing: apt-get install python3-protobuf")

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../Shared/Proto"))
from schema import Limits  # noqa: E402

INTEGERS = {
    F.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1), F.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    F.CPPTYPE_UINT32: (0, (1 << 32) - 1), F.CPPTYPE_UINT64: (0, (1 << 64) - 1),
    F.CPPTYPE_ENUM: (-(1 << 31), (1 << 31) - 1),
}


LIMITS = {}  # by the full name of the field


def read_limits(message, scope, path, comments):
    name = f"{scope}.{message.name}"
    for i, field in enumerate(message.field):
        place = f"{name}.{field.name}"
        LIMITS[place] = Limits(comments.get(path + (2, i), ""), place)
        if field.type == F.TYPE_UINT64 and not place.startswith("every."):
            LIMITS[place].range = LIMITS[place].range or (0, (1 << 63) - 1)
    for i, nested in enumerate(message.nested_type):
        read_limits(nested, name, path + (3, i), comments)


def message_classes(path):
    files = descriptor_pb2.FileDescriptorSet.FromString(open(path, "rb").read())
    for file in files.file:
        comments = {
            tuple(p.path): p.trailing_comments.strip() for p in file.source_code_info.location}
        for i, message in enumerate(file.message_type):
            read_limits(message, file.package, (4, i), comments)
        file.ClearField("source_code_info")
    classes = dict(message_factory.GetMessages(files.file))
    for name in list(classes):
        add_nested(classes, classes[name].DESCRIPTOR)
    return classes


def add_nested(classes, descriptor):
    for nested in descriptor.nested_types:
        if not nested.GetOptions().map_entry:
            classes[nested.full_name] = nested._concrete_class
            add_nested(classes, nested)


def camel(name):
    head, *rest = [p for p in name.split("_") if p]
    head = head.lower() if head.isupper() else head[0].lower() + head[1:]
    return head + "".join(p[0].upper() + p[1:] for p in rest)


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def any_value(field, rng, limits=None):
    kind, own = field.cpp_type, LIMITS[field.full_name]
    limits = limits or own
    if kind == F.CPPTYPE_MESSAGE:
        return any_message(field.message_type._concrete_class, rng)
    if kind == F.CPPTYPE_ENUM and rng.random() < 0.7:
        return rng.choice(field.enum_type.values).number
    if kind in INTEGERS:
        low, high = own.range or INTEGERS[kind]
        value = rng.choice([0, 1, -1, low, high, rng.getrandbits(rng.randrange(1, 64))])
        return min(max(value, low), high)
    if kind in (F.CPPTYPE_DOUBLE, F.CPPTYPE_FLOAT):
        special = [0.0, -0.0, 1.5] + [float("inf"), float("-inf")] * (not own.finite)
        return rng.choice(special + [rng.randrange(-9999, 9999) / 64])
    if kind == F.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if field.type == F.TYPE_BYTES:
        return bytes(rng.getrandbits(8) for _ in range(rng.choice([0, 1, 16, 40])))[:limits.bytes]
    letters = "ab\0 \"" if limits.ascii else "ab\0 \"é€あ🚋"
    text = "".join(rng.choice(letters) for _ in range(rng.choice([0, 1, 15, 16, 40])))
    return text.encode()[:limits.bytes].decode(errors="ignore")


def any_message(cls, rng):
    message = cls()
    for field in cls.DESCRIPTOR.fields:
        limits = LIMITS[field.full_name]
        if rng.random() < 0.25 and not limits.required:
            continue
        most = 3 if limits.items is None else min(3, limits.items)
        target = getattr(message, field.name)
        if is_map(field):
            entry = field.message_type.fields_by_name
            key, value = entry["key"], entry["value"]
            for _ in range(rng.randrange(most + 1)):
                if value.message_type:
                    target[any_value(key, rng, limits)].CopyFrom(any_value(value, rng))
                else:
                    target[any_value(key, rng, limits)] = any_value(value, rng, limits)
        elif field.label == F.LABEL_REPEATED:
            items = [any_value(field, rng) for _ in range(rng.randrange(most + 1))]
            target.extend(set(items) if limits.unique else items)
        elif field.message_type:
            target.CopyFrom(any_value(field, rng))
            target.SetInParent()
        else:
            setattr(message, field.name, any_value(field, rng))
    return message


def plain_value(field, value):
    """A value as Steward's JSON has it."""
    if field.cpp_type == F.CPPTYPE_MESSAGE:
        return plain(value)
    if field.cpp_type == F.CPPTYPE_ENUM:
        known = field.enum_type.values_by_number.get(value)
        words = "".join("_" + c if c.isupper() else c for c in field.enum_type.name)
        prefix = words.strip("_").upper() + "_"
        return camel(known.name[len(prefix):].lower()) if known else value
    if field.type == F.TYPE_BYTES:
        return value.hex()
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def plain(message):
    result = {}
    for field in message.DESCRIPTOR.fields:
        value, name = getattr(message, field.name), camel(field.name)
        oneof = field.containing_oneof
        if is_map(field):
            entry = field.message_type.fields_by_name
            key, of = entry["key"], entry["value"]
            text = (lambda k: str(k).lower()) if key.cpp_type == F.CPPTYPE_BOOL else str
            result[name] = {text(k): plain_value(of, v) for k, v in value.items()}
        elif field.label == F.LABEL_REPEATED:
            result[name] = [plain_value(field, v) for v in value]
        elif field.has_presence and not message.HasField(field.name):
            continue
        elif oneof is not None and not oneof.name.startswith("_"):
            result[camel(oneof.name)] = {name: plain_value(field, value)}
        else:
            result[name] = plain_value(field, value)
    return result


def rounded(value):
    """Floats as 32 bits: the two languages print a float's digits differently."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, float):
        try:
            return struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            return value
    return value


def compare(cls, first, second, text):
    one, two = cls.FromString(bytes.fromhex(first)), cls.FromString(bytes.fromhex(second))
    packed = one.SerializeToString(deterministic=True)
    if packed != two.SerializeToString(deterministic=True):
        return f"differs: {one} is not {two}".replace("\n", " ")
    ours, theirs = rounded(plain(one)), rounded(json.loads(text))
    if ours != theirs:
        return f"differs: {json.dumps(ours)} is not {json.dumps(theirs)}"
    return f"equal {packed.hex()}"


def main():
    classes = message_classes(sys.argv[1])
    if sys.argv[2] == "make":
        rng = random.Random(int(sys.argv[4]))
        for name in sorted(classes):
            for _ in range(int(sys.argv[3])):
                print(name, any_message(classes[name], rng).SerializeToString().hex())
    else:
        for line in sys.stdin:
            name, first, second, text = line.rstrip("\n").split(" ", 3)
            print(compare(classes[name], first, second, text))


main()
