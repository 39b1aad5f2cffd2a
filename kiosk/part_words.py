"""The names of a terminal's parts, for the people at the table."""

from saloon.kiosk.i18n import Words


def part_name(part: str, words: Words) -> str:
    """Return the name of a part."""
    _ = words.gettext
    names = {
        "button reshuffle": _("button for reshuffles"),
        "button end-turn": _("button for the end of a turn"),
        "button call-judge": _("button that calls the judge"),
        "button shut-down": _("button for shutting down"),
        "lamp in reshuffle": _("light of the button for reshuffles"),
        "lamp in end-turn": _("light of the button for the end of a turn"),
        "lamp in call-judge": _("light of the button that calls the judge"),
        "lamp in shut-down": _("light of the button for shutting down"),
        "key": _("the judge's key switch"),
        "lamp": _("status lamp"),
        "lamp red": _("lamp: red"),
        "lamp green": _("lamp: green"),
        "lamp blue": _("lamp: blue"),
        "lamp white": _("lamp: all colours"),
        "buzzer": _("buzzer"),
        "backlight": _("light of the screen"),
        "pixels": _("dots of the screen"),
        "touch": _("touch panel"),
        "calibration": _("touch calibration"),
        "power": _("power and heat"),
        "fan": _("fan"),
        "battery": _("battery"),
        "supply": _("watch over the power supply"),
        "heat": _("thermometer"),
        "pins": _("all buttons and lamps"),
    }
    return names.get(part, part)
