"""`python -m zermelo` is the program `zermelo`; an interrupt while it is still being imported is one line too."""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `-m` puts the current folder first: a file there called as a module of the standard library would be taken for it.
    sys.path.append(sys.path.pop(0))


def main() -> None:
    """Run the program."""
    try:
        import signal

        try:
            from zermelo.cli import main

            main(prog_name="zermelo")
        finally:
            # While the interpreter ends, an interrupt would be told with a traceback: what is done is done.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("zermelo: interrupted\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
