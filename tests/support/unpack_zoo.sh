#!/bin/sh
# unpack_zoo.sh DIRECTORY: unpacks the /sys and /proc trees of $KINJO_TEST_ZOO into DIRECTORY, each
# as DIRECTORY/NAME, unless they are there already.
set -eu
if [ -z "${KINJO_TEST_ZOO:-}" ]; then
  echo "KINJO_TEST_ZOO is not set: nothing to unpack"
  exit 0
fi
mkdir -p "$1"
for archive in "$KINJO_TEST_ZOO"/sysfs/*.tar.xz; do
  name=$(basename "$archive" .tar.xz)
  [ -d "$1/$name" ] && continue
  # Into place only when it is whole.
  part=$(mktemp -d "$1/.part-XXXXXX")
  tar -xJf "$archive" -C "$part"
  chmod -R u+w "$part"
  mv "$part/$name" "$1/$name"
  rmdir "$part"
done
