"""Writes the archive format of an initramfs ("newc"): enough of it to give a guest its files."""

import os
import stat

ALIGN = 4


class Archive:
    """A cpio archive under construction; parent directories are added by themselves."""

    def __init__(self, out):
        self._out = out
        self._inode = 0
        self._known = set()

    def directory(self, path, mode=0o755):
        """Adds a directory, once."""
        path = _relative(path)
        if path and path not in self._known:
            self._parents(path)
            self._known.add(path)
            self._entry(path, stat.S_IFDIR | mode, b"")

    def link(self, path, target):
        """Adds a symbolic link, unless the path is there already."""
        path = _relative(path)
        if path not in self._known:
            self._parents(path)
            self._known.add(path)
            self._entry(path, stat.S_IFLNK | 0o777, os.fsencode(target))

    def device(self, path, major, minor, mode=0o600):
        """Adds a character device."""
        path = _relative(path)
        self._parents(path)
        self._known.add(path)
        self._entry(path, stat.S_IFCHR | mode, b"", (major, minor))

    def file(self, path, data, mode=0o644):
        """Adds a file, unless the path is there already (what comes first stands)."""
        path = _relative(path)
        if path not in self._known:
            self._parents(path)
            self._known.add(path)
            self._entry(path, stat.S_IFREG | mode, data)

    def close(self):
        """Ends the archive; another one may follow it in the same initramfs."""
        self._inode = -1
        self._entry("TRAILER!!!", 0, b"")

    def _parents(self, path):
        parent = os.path.dirname(path)
        if parent:
            self.directory(parent)

    def _entry(self, path, mode, data, device=(0, 0)):
        self._inode += 1
        name = os.fsencode(path) + b"\0"
        # inode, mode, uid, gid, links, mtime, size, device, device it stands for, name, checksum
        fields = [self._inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0]
        header = b"070701" + b"".join(b"%08X" % value for value in fields)
        self._out.write(header + name + _padding(len(header) + len(name)))
        self._out.write(data)
        self._out.write(_padding(len(data)))


def _padding(length):
    return b"\0" * (-length % ALIGN)


def _relative(path):
    """Guest paths start at the root, and /bin, /sbin, /lib, /lib64 are links into /usr there."""
    path = os.path.normpath("/" + path).lstrip("/")
    top = path.split("/", 1)[0]
    return "usr/" + path if top in ("bin", "sbin", "lib", "lib64") and "/" in path else path
