#!/bin/sh
# The first process of a guest: makes the usual file systems, runs /lab/command, says how it ended
# and switches the machine off.  The kernel's log goes to ttyS0, the command's output to ttyS1 and
# ttyS2, and what the runner must know (one line each) to ttyS3.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 cgroup /sys/fs/cgroup
mkdir -p /dev/shm /dev/pts && mount -t tmpfs -o mode=1777 shm /dev/shm
ln -sf /proc/self/fd /dev/fd
hostname guest
ip link set lo up 2>/dev/null

for port in 1 2 3; do
  stty -F /dev/ttyS$port raw -echo 2>/dev/null
done
exec 3>/dev/ttyS3
for cpu in $(sed -n 's/.*lab\.offline=\([0-9,]*\).*/\1/p' /proc/cmdline | tr , ' '); do
  echo 0 >/sys/devices/system/cpu/cpu"$cpu"/online
done

# The command writes to pipes, because a terminal would make it show progress.
mkfifo -m 666 /run/out /run/err
cat </run/out >/dev/ttyS1 3>&- &
out=$!
cat </run/err >/dev/ttyS2 3>&- &
err=$!
echo "started $(cut -d' ' -f1 /proc/uptime)" >&3
/lab/command </dev/null >/run/out 2>/run/err 3>&-
status=$?
# What the command left running would keep the pipes open.
for process in /proc/[0-9]*; do
  case ${process#/proc/} in
    1 | $out | $err) ;;
    *) kill -9 "${process#/proc/}" 2>/dev/null ;;
  esac
done
wait
echo "status $status" >&3
exec 3>&-  # closing waits until the line has left the port
poweroff -f
