"""Writes the files beside it: arrays by NumPy 2.2.0, images by Pillow 13.0.0, expected pixels by both.

python make.py, in this folder. `NAME.rgb` and `NAME.grey` are Pillow's pixels of NAME in modes RGB and L; `NAME.HxW` are those of
mode RGB after a bilinear resize with half-pixel centres, without antialias, in float64."""
import io, zipfile
import numpy as np
from PIL import Image, ImageCms

np.save("plain.npy", np.array([[1, -2, 3], [4, 5, -6]], "<i4"))
np.save("fortran.npy", np.asfortranarray(np.array([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]], "<i2")))
np.save("big.npy", np.array([1.5, -0.0, np.nan, np.inf], ">f8"))
np.save("half.npy", np.array([1 / 3, 65504, -6e-8, 0], "<f2"))
np.save("single.npy", np.array([[0.1], [-1e-45]], ">f4"))
np.save("bool.npy", np.array([True, False, True]))
np.save("unsigned.npy", np.array([2**64 - 1, 2**63, 0], "<u8"))
np.save("narrow.npy", np.array([[-128, 127]], "i1"))
np.save("scalar.npy", np.array(7, "<u2"))
np.save("empty.npy", np.zeros((0,), "<f4"))
np.save("complex.npy", np.array([1j]))
np.save("text.npy", np.array(["ab"]))
np.savez("one.npz", np.arange(6, dtype="<u4").reshape(2, 3))
np.savez_compressed("packed.npz", a=np.arange(6, dtype=">i8").reshape(3, 2))
np.savez("two.npz", a=np.zeros(2), b=np.zeros(2))
for version in (2, 3):
    with open(f"version{version}.npy", "wb") as f:
        np.lib.format.write_array(f, np.array([9, 8], "<i8"), (version, 0))

rng = np.random.default_rng(1)
y, x = np.mgrid[0:13, 0:19]
smooth = np.stack([x * 13, y * 19, 255 - x * 6 - y * 5], -1).astype(np.uint8)
pixels = np.clip(smooth + rng.integers(-20, 20, smooth.shape), 0, 255).astype(np.uint8)
rgb = Image.fromarray(pixels)
grey = rgb.convert("L")
exif = Image.Exif()
exif[0x0112] = 6
swap = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
a, b = swap.find(b"rXYZ"), swap.find(b"bXYZ")
swap[a:a + 4], swap[b:b + 4] = b"bXYZ", b"rXYZ"
rgb.save("photo.jpg", quality=75)
rgb.save("full.jpg", quality=95, subsampling=0)
rgb.save("half.jpg", quality=85, subsampling=1)
rgb.save("progressive.jpg", quality=80, progressive=True)
rgb.save("tagged.jpg", quality=75, exif=exif, icc_profile=bytes(swap))
rgb.save("raw.jpg", quality=90, keep_rgb=True)
grey.save("grey.jpg", quality=80)
rgb.convert("CMYK").save("four.jpg")
rgb.save("colour.png", icc_profile=bytes(swap))
rgba = rgb.copy(); rgba.putalpha(Image.fromarray((x * 10).astype(np.uint8))); rgba.save("alpha.png")
grey.save("grey.png")
la = grey.copy().convert("LA"); la.putalpha(Image.fromarray((y * 10).astype(np.uint8))); la.save("greyalpha.png")
rgb.quantize(17).save("palette.png", transparency=3)
grey.point(lambda v: 255 * (v > 120)).convert("1").save("bit.png")
deep = (rng.integers(0, 65536, (13, 19))).astype(np.uint16)
Image.fromarray(deep).save("deep.png")
(deep >> 8).astype(np.uint8).tofile("deep.png.grey")
names = ["photo.jpg", "full.jpg", "half.jpg", "progressive.jpg", "tagged.jpg", "raw.jpg", "grey.jpg", "colour.png", "alpha.png",
         "grey.png", "greyalpha.png", "palette.png", "bit.png"]
for name in names:
    image = Image.open(name)
    image.load()
    if "transparency" in image.info: del image.info["transparency"]
    colour = image.convert("RGB")
    np.asarray(colour).tofile(name + ".rgb")
    np.asarray(image if image.mode == "L" else colour.convert("L")).tofile(name + ".grey")

def resized(a, h, w):
    def axis(n, m):
        s = np.clip((np.arange(m) + 0.5) * n / m - 0.5, 0, n - 1)
        low = np.floor(s).astype(int)
        return low, np.minimum(low + 1, n - 1), s - low
    t, b, d = axis(a.shape[0], h)
    l, r, e = axis(a.shape[1], w)
    e, d = e[None, :, None], d[:, None, None]
    a = a.astype(np.float64)
    above = a[t][:, l] * (1 - e) + a[t][:, r] * e
    below = a[b][:, l] * (1 - e) + a[b][:, r] * e
    return np.rint(above * (1 - d) + below * d).astype(np.uint8)
for h, w in [(5, 7), (26, 30), (1, 1), (13, 40)]:
    resized(pixels, h, w).tofile(f"colour.png.{h}x{w}")
