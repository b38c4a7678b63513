"""What is in the .proto files, as C and Swift see it, and what is refused there."""
import re

from google.protobuf import descriptor_pb2

F = descriptor_pb2.FieldDescriptorProto
FLOATS = (F.TYPE_DOUBLE, F.TYPE_FLOAT)
SCALARS = {  # proto type -> (Swift type, default, kind)
    F.TYPE_DOUBLE: ("Double", "0", "scalar"), F.TYPE_FLOAT: ("Float", "0", "scalar"),
    F.TYPE_INT32: ("Int32", "0", "scalar"), F.TYPE_INT64: ("Int64", "0", "scalar"),
    F.TYPE_SINT32: ("Int32", "0", "scalar"), F.TYPE_SINT64: ("Int64", "0", "scalar"),
    F.TYPE_SFIXED32: ("Int32", "0", "scalar"), F.TYPE_SFIXED64: ("Int64", "0", "scalar"),
    F.TYPE_UINT32: ("UInt32", "0", "scalar"), F.TYPE_UINT64: ("UInt64", "0", "scalar"),
    F.TYPE_FIXED32: ("UInt32", "0", "scalar"), F.TYPE_FIXED64: ("UInt64", "0", "scalar"),
    F.TYPE_BOOL: ("Bool", "false", "bool"), F.TYPE_STRING: ("String", '""', "string"),
    F.TYPE_BYTES: ("[UInt8]", "[]", "bytes"),
}
SWIFT_KEYWORDS = set("""
as associatedtype await break case catch class continue default defer deinit do else enum extension
fallthrough false fileprivate for func guard if import in inout internal is let nil operator
precedencegroup private protocol public repeat rethrows return static struct subscript super switch
throw throws true try typealias var where while""".split())
C_KEYWORDS = set("""
and and_eq asm auto bitand bitor bool break case catch char class compl const const_cast continue
default delete do double dynamic_cast else enum explicit extern false float for friend goto if
inline int long mutable namespace new not not_eq operator or or_eq private protected public register
reinterpret_cast return short signed sizeof static static_cast struct switch template this throw
true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
xor_eq""".split())
# Fields of these names would clash with what every Swift type, or every generated one, has.
RESERVED_FIELDS = set("""
Protocol Self Type allCases encode fill hashValue init initialize packed protobufName rawValue self
unrecognized withPacked""".split())
# Types of these names would hide Swift's, Foundation's, or those that generated code is made with.
RESERVED_TYPES = set("""
Any AnyObject Array Bool CaseIterable Character Clock Codable Coding Collection Comparable
CustomStringConvertible Data Date Decimal Decodable Decoder Dictionary Double Duration Encodable
Encoder Equatable Error Failure FieldReader FieldValue FieldWriter Float Hashable Hasher
Identifiable Int Int8 Int16 Int32 Int64 Iterator KeyPath Locale MessageID Messages Mirror Never
Notification Optional PackArena PackedMessage Process ProtobufEnum ProtobufError ProtobufMessage
Protocol Range RawRepresentable RawValue Regex Result Self Sendable Sequence Set Slice Span
StaticString String Substring Task Thread TimeZone Timer Type UInt UInt8 UInt16 UInt32 UInt64 URL
UUID Unicode UnpackLimits UnsafeMutablePointer UnsafePointer UnsafeRawBufferPointer Void""".split())


class Problem(Exception):
    """A .proto file that can't be generated from; the text names the place."""


# ---- how protobuf-c names things (protoc-c/c_helpers.cc) ----
def snake(name):
    out, was_upper = "", True
    for character in name:
        if character.isupper() and not was_upper:
            out += "_"
        out, was_upper = out + character.lower(), character.isupper()
    return out


def c_type(full):
    parts = [re.sub(r"_+(.?)", lambda m: m[1].upper(), p) for p in full.strip(".").split(".")]
    return "__".join(p[:1].upper() + p[1:] for p in parts)


def c_function(full):
    return "__".join(snake(p) for p in full.strip(".").split("."))


def c_field(name):
    lower = name.lower()
    return quoted(lower + "_" if lower in C_KEYWORDS else lower)


# ---- how Swift names things ----
def quoted(name):
    return f"`{name}`" if name in SWIFT_KEYWORDS else name


def lower_camel(name):
    head, *rest = [p for p in name.split("_") if p] or [name]
    head = head.lower() if head.isupper() else head[0].lower() + head[1:]
    camel = head + "".join(p[0].upper() + p[1:] for p in rest)
    return "_" + camel if camel[0].isdigit() else camel


def field_name(name, place):
    if name.lower() == "base":
        raise Problem(f"{place}: protobuf-c reserves the field name base; choose another")
    camel = lower_camel(name)
    if name in RESERVED_FIELDS or camel in RESERVED_FIELDS:
        raise Problem(f"{place}: the name {camel} is reserved in Swift; choose another")
    return camel


def type_name(name, place):
    if not name[0].isupper() or "_" in name:
        raise Problem(f"{place}: names of types are in UpperCamelCase")
    if name in RESERVED_TYPES:
        raise Problem(f"{place}: a type named {name} would hide another one; choose another name")
    return name


def is_plain_float(f):
    return f.type in FLOATS and f.label != F.LABEL_REPEATED and not f.HasField("oneof_index")


class Limits:
    """What a field may hold, as the comment behind it says: clauses with commas in between.

    at most 200 bytes   of a text, or of bytes; in a list or map, of each
    at most 20 items    of a list or map
    ASCII               of a text
    unique              of a list: no item twice
    0 to 100            of a number
    a time              of a number: milliseconds since 1970, to the end of 9999
    any time            the same without a limit
    finite              of a floating point number
    required            of a message: it is there
    """

    LATEST_TIME = 253402300799999
    CLAUSES = {
        r"at most (\d+) bytes?": "bytes", r"at most (\d+) items?": "items", "ASCII": "ascii",
        "unique": "unique", r"(-?\d+) to (-?\d+)": "range", "a(?:ny)? time": "time",
        "finite": "finite", "required": "required",
    }

    def __init__(self, text, place):
        self.text, self.bytes, self.items, self.range = text, None, None, None
        self.ascii = self.unique = self.finite = self.required = self.time = False
        for clause in text.split(", ") if text else []:
            for pattern, name in self.CLAUSES.items():
                found = re.fullmatch(pattern, clause)
                if not found:
                    continue
                if name == "time":
                    self.time = True
                    if clause == "a time":
                        self.range = (0, self.LATEST_TIME)
                elif name == "range":
                    self.range = (int(found[1]), int(found[2]))
                else:
                    setattr(self, name, int(found[1]) if found.groups() else True)
                break
            else:
                raise Problem(f"{place}: “{clause}” is no limit; see class Limits in schema.py")

    def check(self, field):
        """Refuses a field without the limits that its type needs, or with others."""
        def need(what, is_given, is_wanted, can_be=None):
            if is_wanted and not is_given:
                raise Problem(f"{field.place}: a limit is missing; say behind it, // {what}")
            if is_given and not (is_wanted if can_be is None else can_be):
                raise Problem(f"{field.place}: it can't have the limit “{what}”")
        kinds = [x.kind for x in field.map] if field.map else [field.kind]
        is_number = field.kind == "scalar" and not field.repeated
        is_float = field.type in ("Double", "Float")
        if is_float and field.repeated:
            raise Problem(f"{field.place}: many floating point numbers have no limits yet")
        need("at most 200 bytes", self.bytes is not None, bool({"string", "bytes"} & set(kinds)))
        need("at most 20 items", self.items is not None, field.repeated)
        need("ASCII", self.ascii, False, "string" in kinds and not field.map)
        need("unique", self.unique, False,
             field.repeated and not field.map and field.kind != "message")
        need("0 to 100", self.range is not None, False, is_number and not is_float)
        need("a time", self.time, False, field.type == "Int64" and not field.repeated)
        need("finite", self.finite, is_number and is_float)
        need("required", self.required, False, field.kind == "message" and not field.repeated)


class Type:
    """A message or an enum, with its place in the file (for comments) and its name in Swift."""

    def __init__(self, descriptor, full, swift, path, file):
        self.descriptor, self.full, self.swift, self.path = descriptor, full, swift, path
        self.file, self.place = file, full[1:]
        self.is_enum = isinstance(descriptor, descriptor_pb2.EnumDescriptorProto)
        self.is_map_entry = not self.is_enum and descriptor.options.map_entry
        self.deprecated = descriptor.options.deprecated
        self.messages, self.enums = [], []

    def cases(self):
        """(name, number, index) of each enum value, without the prefix that the style asks for."""
        prefix = snake(self.descriptor.name).upper() + "_"
        cases = []
        for i, v in enumerate(self.descriptor.value):
            place = f"{self.place}.{v.name}"
            if not v.name.startswith(prefix) or not v.name[len(prefix):][:1].isalpha():
                raise Problem(f"{place}: values of this enum begin with {prefix} and a letter")
            name = field_name(v.name[len(prefix):].lower(), place)
            if any(name == other or v.number == number for other, number, _ in cases):
                raise Problem(f"{place}: this name or number is already there")
            cases.append((name, v.number, i))
        return cases


class Field:
    """A field as both languages see it."""

    members = None

    def __init__(self, schema, message, f, index):
        self.path, self.number, self.deprecated = (2, index), f.number, f.options.deprecated
        self.place = f"{message.place}.{f.name}"
        self.json = field_name(f.name, self.place)
        self.name, self.c = quoted(self.json), c_field(f.name)
        self.count = f"c.pointee.n_{self.c.strip('`')}"
        # A deprecated property is computed over one that generated code uses without a warning.
        self.storage = "_" + self.json if self.deprecated else self.name
        self.repeated, self.optional, self.map = f.label == F.LABEL_REPEATED, False, None
        if f.type in SCALARS:
            self.type, self.default, self.kind = SCALARS[f.type]
        elif f.type == F.TYPE_ENUM:
            self.type, self.default, self.kind = schema.types[f.type_name].swift, ".init()", "enum"
            self.c_type = c_type(f.type_name)
        elif f.type == F.TYPE_MESSAGE:
            target = schema.types[f.type_name]
            self.type, self.default, self.kind = target.swift, "nil", "message"
            if target.is_map_entry:
                self.map = schema.fields(target)
                self.entry = c_type(f.type_name), c_function(f.type_name)
        else:
            raise Problem(f"{self.place}: groups are not supported")
        self.limits = Limits(schema.limit_of(message, self.path), self.place)
        if schema.is_limited and not message.is_map_entry:
            self.limits.check(self)
        # SQLite keeps no larger number.
        if schema.is_limited and self.type == "UInt64" and not self.limits.range:
            self.limits.range = (0, (1 << 63) - 1)
        # Presence is told by a synthetic oneof: `optional`, and floats (see `prepared_for_c`).
        self.case = None
        if f.proto3_optional or is_plain_float(f):
            self.case = f"c.pointee.{quoted('_' + snake(f.name) + '_case')}"
        if self.map:
            self.swift, self.default = f"[{self.map[0].type}: {self.map[1].type}]", "[:]"
        elif self.repeated:
            self.swift, self.default = f"[{self.type}]", "[]"
        elif self.limits.required:
            self.swift, self.default = self.type, self.type + "()"
        elif self.kind == "message" or f.proto3_optional:
            self.swift, self.default, self.optional = self.type + "?", "nil", True
        else:
            self.swift = self.type


class OneOf:
    """A oneof, which is one property of an enum type in Swift."""

    map, deprecated, default = None, False, "nil"

    def __init__(self, declaration, index, message):
        self.path, self.members = (8, index), []
        self.place = f"{message.place}.{declaration.name}"
        self.json = field_name(declaration.name, self.place)
        self.name = self.storage = quoted(self.json)
        self.type = type_name(self.json[0].upper() + self.json[1:], self.place)
        self.swift = self.type + "?"
        self.case = f"c.pointee.{quoted(snake(declaration.name) + '_case')}"


class Schema:
    """Every type of the files. Packages are flattened: `bus.Job` is `Job` in Swift."""

    def __init__(self, request, is_limited):
        self.types, self.files, self.comments = {}, {}, {}
        # False for what is not published: only there a field may be without limits.
        self.is_limited = is_limited
        tops = {}
        for file in request.proto_file:
            self.comments[file.name] = {
                tuple(place.path): place for place in file.source_code_info.location}
            if file.name not in request.file_to_generate:
                raise Problem(f"{file.name} is imported, but is none of the files given")
            if file.syntax != "proto3":
                raise Problem(f"{file.name}: only proto3 is supported")
            if not file.package:
                raise Problem(f"{file.name}: it has no package, which begins every topic")
            if file.service or file.extension:
                raise Problem(f"{file.name}: services and extensions are not supported")
            for t in self.add_file(file):
                other = tops.setdefault(t.swift, t)
                if other is not t:
                    raise Problem(
                        f"{file.name}: {t.place} and {other.place} ({other.file.name}) would both "
                        f"be {t.swift} in Swift; rename one of them")
        for t in self.types.values():
            self.refuse_recursion(t, ())

    def limit_of(self, message, path):
        """The comment behind a field."""
        place = self.comments[message.file.name].get(message.path + path)
        return " ".join(place.trailing_comments.split()) if place else ""

    def add_file(self, file):
        top = Type(descriptor_pb2.DescriptorProto(), "." + file.package, "", (), file)
        self.files[file.name] = top
        top.enums = [self.add(e, top, (5, i)) for i, e in enumerate(file.enum_type)]
        top.messages = [self.add(m, top, (4, i)) for i, m in enumerate(file.message_type)]
        return top.enums + top.messages

    def add(self, descriptor, scope, path):
        full = f"{scope.full}.{descriptor.name}"
        name = type_name(descriptor.name, full[1:])
        swift = f"{scope.swift}.{name}" if scope.swift else name
        t = self.types[full] = Type(descriptor, full, swift, path, scope.file)
        if not t.is_enum:
            t.enums = [self.add(e, t, path + (4, i)) for i, e in enumerate(descriptor.enum_type)]
            t.messages = [
                self.add(m, t, path + (3, i)) for i, m in enumerate(descriptor.nested_type)]
        return t

    def refuse_recursion(self, t, trail):
        if t.full in trail:
            cycle = " -> ".join(n[1:] for n in trail[trail.index(t.full):] + (t.full,))
            raise Problem(f"{t.place}: a message must not contain itself ({cycle})")
        for f in [] if t.is_enum else t.descriptor.field:
            if f.type == F.TYPE_MESSAGE:
                self.refuse_recursion(self.types[f.type_name], trail + (t.full,))

    def of_file(self, file):
        """The file's messages and enums, nested ones too, but for the entries of maps."""
        return [t for t in self.types.values() if t.file is file and not t.is_map_entry]

    def fields(self, t):
        """A message's fields in order of declaration, the members of a oneof gathered in one."""
        result, oneofs = [], {}
        for i, f in enumerate(t.descriptor.field):
            field = Field(self, t, f, i)
            if not f.HasField("oneof_index") or f.proto3_optional:
                result.append(field)
                continue
            if f.oneof_index not in oneofs:
                declaration = t.descriptor.oneof_decl[f.oneof_index]
                oneofs[f.oneof_index] = OneOf(declaration, f.oneof_index, t)
                result.append(oneofs[f.oneof_index])
            oneofs[f.oneof_index].members.append(field)
        properties = [x.json for x in result]
        nested = [x.swift.split(".")[-1] for x in t.messages + t.enums]
        nested += [x.type for x in result if x.members]
        for names in properties, nested:
            for name in names:
                if names.count(name) > 1:
                    raise Problem(f"{t.place}: {name} would be there twice in Swift; rename one")
        return result
