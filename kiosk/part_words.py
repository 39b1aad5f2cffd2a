"""The names of a terminal's parts, for the people at the table."""

from saloon.kiosk.i18n import Words


def part_name(part: str, words: Words) -> str:
    """Return the name of a part."""
    _ = words.gettext
    names = {
        "button reshuffle": _("reshuffle button"),
        "button end-turn": _("end-turn button"),
        "button call-judge": _("call-judge button"),
        "button shut-down": _("shutdown button"),
        "lamp in reshuffle": _("reshuffle button light"),
        "lamp in end-turn": _("end-turn button light"),
        "lamp in call-judge": _("call-judge button light"),
        "lamp in shut-down": _("shutdown button light"),
        "key": _("judge's key switch"),
        "lamp": _("status lamp"),
        "lamp red": _("red lamp"),
        "lamp green": _("green lamp"),
        "lamp blue": _("blue lamp"),
        "lamp white": _("lamp in all colours"),
        "buzzer": _("buzzer"),
        "backlight": _("screen backlight"),
        "pixels": _("screen pixels"),
        "touch": _("touch panel"),
        "calibration": _("touch calibration"),
        "power": _("power and heat"),
        "fan": _("fan"),
        "battery": _("battery"),
        "supply": _("power supply monitor"),
        "heat": _("thermometer"),
        "pins": _("all buttons and lamps"),
    }
    return names.get(part, part)
