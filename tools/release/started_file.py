"""The program in the single file: ``saloon-station``, which by default serves and opens a browser."""

import os
import runpy
import sys
import webbrowser

_OWN_MODULE = ["-P", "-m"]
"""The options with which the station starts one of its modules as another process of ``sys.executable``."""


def _run_own_module() -> None:
    """Run a module of the file. Programs that it starts, such as a browser, use the system's libraries."""
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    sys.argv = sys.argv[3:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _serve() -> None:
    """Run the station and open a browser. On Windows, keep the console open if it fails."""
    sys.argv += ["serve", "--open"]
    try:
        _run_program()
    except SystemExit as end:
        if end.code and sys.platform == "win32":
            input("Press Enter to close this window.")
        raise


def _run_program() -> None:
    from station.cli.main import main

    if sys.platform == "linux":
        opener = webbrowser.GenericBrowser([sys.executable, *_OWN_MODULE, webbrowser.__name__, "%s"])
        webbrowser.register("system", None, opener, preferred=True)
    main()


if __name__ == "__main__":
    if sys.argv[1:3] == _OWN_MODULE:
        _run_own_module()
    elif len(sys.argv) == 1:
        _serve()
    else:
        _run_program()
