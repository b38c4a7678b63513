"""Makes the pictures beside it with Pillow and zlib, so that what is read was not written by what
reads it: python3 make_pictures.py. Each shows the same four fields, 24 by 16 pixels each: red and
green above, blue and yellow below."""
import pathlib
import struct
import zlib

from PIL import Image, ImageCms, ImageOps

HERE = pathlib.Path(__file__).parent
RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 160, 60), (30, 60, 200), (240, 200, 40)


def fields(width=48, height=32):
    picture = Image.new("RGB", (width, height))
    for left, top, colour in [(0, 0, RED), (1, 0, GREEN), (0, 1, BLUE), (1, 1, YELLOW)]:
        box = (left * width // 2, top * height // 2)
        picture.paste(colour, box + (box[0] + width // 2, box[1] + height // 2))
    return picture


def chunk(kind, content):
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def png(name, header, rows, *chunks):
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *header))
    data += b"".join(chunks) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    (HERE / name).write_bytes(data)


def deep(picture):
    """16 bits, big-endian: each byte twice, so that 0xAB becomes 0xABAB."""
    rows = b""
    for y in range(picture.height):
        rows += b"\0"
        for x in range(picture.width):
            for part in picture.getpixel((x, y)):
                rows += bytes([part, part])
    return rows


def interlaced(picture):
    """The seven passes of Adam7."""
    rows = b""
    for x0, y0, dx, dy in [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                           (1, 0, 2, 2), (0, 1, 1, 2)]:
        for y in range(y0, picture.height, dy):
            rows += b"\0" + b"".join(
                bytes(picture.getpixel((x, y))) for x in range(x0, picture.width, dx))
    return rows


def exif(orientation, order):
    """A block of EXIF with one tag."""
    pack = "<" if order == b"II" else ">"
    return (b"Exif\0\0" + order + struct.pack(pack + "HI", 42, 8)
            + struct.pack(pack + "HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0))


def secret_exif():
    block = Image.Exif()
    block[0x010F] = "SECRET CAMERA"
    block[0x9286] = "SECRET REMARK"
    block.get_ifd(0x8825).update({1: "N", 2: (59.0, 54.0, 45.0), 29: "SECRET DAY"})
    return block.tobytes()


picture = fields()
picture.save(HERE / "rgb.png")
picture.convert("L").save(HERE / "grey.png")
picture.convert("L").point(lambda v: 255 if v > 100 else 0).convert("1").save(HERE / "bits.png")
palette = picture.quantize(4)
palette.save(HERE / "palette.png")
clear = picture.convert("RGBA")
clear.paste((*BLUE, 0), (0, 16, 24, 32))
clear.save(HERE / "alpha.png")
Image.merge("LA", (picture.convert("L"), clear.getchannel("A"))).save(HERE / "grey-alpha.png")
index = palette.getpixel((4, 28))
palette.save(HERE / "palette-clear.png", transparency=index)
png("deep.png", (48, 32, 16, 2, 0, 0, 0), deep(picture))
png("deep-alpha.png", (48, 32, 16, 6, 0, 0, 0), deep(clear))
png("interlaced.png", (48, 32, 8, 2, 0, 0, 1), interlaced(picture))
plain = b"".join(b"\0" + ImageOps.mirror(picture).crop((0, y, 48, y + 1)).tobytes()
                 for y in range(32))
png("mirrored.png", (48, 32, 8, 2, 0, 0, 0), plain, chunk(b"eXIf", exif(2, b"MM")[6:]))
plain = b"".join(b"\0" + picture.crop((0, y, 48, y + 1)).tobytes() for y in range(32))
png("secret.png", (48, 32, 8, 2, 0, 0, 0), plain, chunk(b"tEXt", b"Comment\0SECRET REMARK"),
    chunk(b"zTXt", b"Author\0\0" + zlib.compress(b"SECRET AUTHOR")), chunk(b"prVt", b"SECRET OWN"))
with open(HERE / "secret.png", "ab") as file:
    file.write(b"SECRET AFTER THE END")

picture.save(HERE / "baseline.jpg", quality=95, subsampling=0)
picture.save(HERE / "progressive.jpg", quality=95, progressive=True)
picture.convert("L").save(HERE / "grey.jpg", quality=95)
picture.convert("CMYK").save(HERE / "cmyk.jpg", quality=95)
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
picture.save(HERE / "secret.jpg", quality=95, exif=secret_exif(), comment=b"SECRET COMMENT",
             icc_profile=profile)
with open(HERE / "secret.jpg", "ab") as file:
    file.write(b"SECRET AFTER THE END")

# What a camera stores for each way of holding it: the picture, turned as no reader would leave it.
UNDO = {1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270}
for orientation, undo in UNDO.items():
    stored = picture if undo is None else picture.transpose(undo)
    block = exif(orientation, b"II" if orientation % 2 else b"MM")
    stored.save(HERE / f"held-{orientation}.jpg", quality=95, subsampling=0, exif=block)
    upright = ImageOps.exif_transpose(Image.open(HERE / f"held-{orientation}.jpg"))
    assert upright.size == picture.size
    for place in [(4, 4), (40, 4), (4, 28), (40, 28)]:
        there, here = upright.getpixel(place), picture.getpixel(place)
        assert all(abs(a - b) < 6 for a, b in zip(there, here)), (orientation, place)
