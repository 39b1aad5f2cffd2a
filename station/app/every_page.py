"""The names of features that every page may show."""

from collections.abc import Mapping

from station.calls.service import JudgeCalls
from station.pace.service import LivePace
from station.pace.text import show_pace
from station.terminals.alarm_words import alarm_words
from station.web.site import PageRequest, site_of, words_of


def of_features(request: PageRequest) -> Mapping[str, object]:
    """Return the names that all templates know, beside those of the site."""
    service, words = site_of(request).service, words_of(request)
    return {
        "departures": service.troubles.departures,
        "disputes": lambda state: service.troubles.disputed_tables(state.tournament),
        "open_calls": service.of(JudgeCalls).open_calls,
        "alarm_words": lambda problem: alarm_words(problem, words.gettext),
        "pace_of": lambda state: show_pace(service.of(LivePace).of(state)),
    }
