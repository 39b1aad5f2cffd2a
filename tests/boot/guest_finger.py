"""A touchscreen made by uinput, for the guest's own Python: nothing of Saloon is imported here.

The first line of the input is width and height in pixels, each other one ``x y seconds``: a finger lies there
for so long. Each is answered by ``done``.
"""

import fcntl
import struct
import sys
import time

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
BTN_TOUCH, INPUT_PROP_DIRECT = 0x14A, 1
ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_X, ABS_MT_Y, ABS_MT_ID = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
UI_DEV_CREATE, UI_DEV_SETUP, UI_ABS_SETUP = 0x5501, 0x405C5503, 0x401C5504
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_PROPBIT = 0x40045564, 0x40045565, 0x4004556E
SEEN_S = 15.0

device = open("/dev/uinput", "wb", buffering=0)  # noqa: SIM115, PTH123 (as long as the script lives)
width, height = map(int, sys.stdin.readline().split())
for request, value in (
    (UI_SET_EVBIT, EV_KEY),
    (UI_SET_KEYBIT, BTN_TOUCH),
    (UI_SET_EVBIT, EV_ABS),
    (UI_SET_PROPBIT, INPUT_PROP_DIRECT),
):
    fcntl.ioctl(device, request, value)
for axis, most in (
    (ABS_X, width - 1),
    (ABS_Y, height - 1),
    (ABS_MT_SLOT, 4),
    (ABS_MT_X, width - 1),
    (ABS_MT_Y, height - 1),
    (ABS_MT_ID, 65535),
):
    fcntl.ioctl(device, UI_ABS_SETUP, struct.pack("=Hxx6i", axis, 0, 0, most, 0, 0, 0))
fcntl.ioctl(device, UI_DEV_SETUP, struct.pack("=HHHH80sI", 3, 0x5A10, 1, 1, b"Saloon test touchscreen", 0))
fcntl.ioctl(device, UI_DEV_CREATE)
time.sleep(SEEN_S)  # until udev has told everybody, and everybody has looked
print("done", flush=True)


def tell(*events: tuple[int, int, int]) -> None:
    report = [*events, (EV_SYN, 0, 0)]
    device.write(b"".join(struct.pack("=qqHHi", 0, 0, *event) for event in report))


for number, line in enumerate(sys.stdin):
    x, y, seconds = line.split()
    place = ((EV_ABS, ABS_MT_X, int(x)), (EV_ABS, ABS_MT_Y, int(y)))
    single = ((EV_ABS, ABS_X, int(x)), (EV_ABS, ABS_Y, int(y)))
    laid = ((EV_ABS, ABS_MT_SLOT, 0), (EV_ABS, ABS_MT_ID, number), *place, (EV_KEY, BTN_TOUCH, 1), *single)
    tell(*laid)
    time.sleep(float(seconds))
    tell((EV_ABS, ABS_MT_ID, -1), (EV_KEY, BTN_TOUCH, 0))
    print("done", flush=True)
