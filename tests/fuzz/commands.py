"""Command lines at random: every command and option that there is, with values that are right, nearly right, or rubbish."""

import random
from collections.abc import Iterator

import click

from zermelo.cli import main

RUBBISH = (
    "", " ", "-", "--", "-1", "0", "1", "3", "7", "99999999999999999999", "-9223372036854775809", "1e400", "nan", "inf",
    "x", "X", "..", "../..", "a\nb", "\x1b[2J", "\u202e", "\udcff", "é", "٣", "1,2,3", "'", '"', "`$(x)`", "%s{}", "=1+1",
    "9" * 5000, "A" * 5000, "a1", "b2 a1 c3", "0..3", "9..1", "X.O", "a/b/c", ":", "::", "a:b", "None", "true", "[]", "\\",
)  # fmt: skip
GAMES = (
    "tictactoe", "nim:1,2", "mnk:2,2,2", "mnk:3,2,2,misere", "connect:3,2,2", "figure:two-ply", "figure:three-player",
    "figure:together", "figure:nine", "tree:good.json", "tree:good.yaml", "tree:", "tree:.", "tree:/dev/zero", "tree:pipe",
    "tree:none.json", "tree:zermelo.db", "own:Good", "own:Raises", "own:Lies", "own:Stops", "own:none", "own.py:Good", "own.py:Sized:3",
    "own.py:Sized:", "own.py:Sized:x,9", "./own.py:Good", "..:x", "own.py:", "/dev/zero.py:x", "pipe.py:x", "none.py:x",
    "os:getcwd", "sys:exit", "json:loads", "no.such:thing", "mnk:", "mnk:9,9,9", "mnk:3,3,0", "mnk:0,0,0", "mnk:٣,٣,٣",
    "nim:", "nim:-1", "nim:0", "nim:" + "9" * 50, "connect:3,3", "chess", "tictactoe:3", "dodgem:x", "quixo:99", "morris:",
)  # fmt: skip
GOOD_GAMES = (
    "tictactoe",
    "nim:1,2",
    "nim:1,2",
    "figure:two-ply",
    "own:Good",
    "tree:good.json",
    "mnk:3,2,2",
    "hexapawn:3,3",
)
DATABASES = (
    "zermelo.db", "zermelo.db", "zermelo.db", "packed.db", "keyed.db", "a.ztb", "nim.ztb", "keyed.ztb", "sqlite:///zermelo.db", "none.db", "none.ztb",
    "empty.db", "text.txt", "mine.txt", ".", "pipe", "/dev/zero", "/dev/null", "no/such.db", "sqlite://", "sqlite:///:memory:",
    "postgresql://me:secret@host:port/name", "postgresql://127.0.0.1:1/name?connect_timeout=1", "nosuch://x", "mysql://a:b@c/d",
)  # fmt: skip
POSITIONS = (
    ".../.../...", "XO./.X./..O", "XOX/OO./.X.", "XXX/OO./...", "xo-_.", "--X/-O-/---", "0,2", "1,2", "1,0", "A", "B", "B.b1",
    "root", "../..", "-", "p.p/.../P.P 1",
)  # fmt: skip
OUTPUTS = (
    "-",
    "-",
    "out.csv",
    "out.jsonl",
    "out.ztb",
    "out.svg",
    "out.txt",
    "mine.txt",
    "zermelo.db",
    "pipe",
    ".",
    "no/out",
)
STDIN = (b"", b"\n", b"XO./.X./..O\nnonsense\n\xff\xfe\n", b"a1\nb2\nhint\nundo\nquit\n", b"\x00" * 50, b"X" * 5000)
SEARCHES = ("search", "trace", "tree", "check")
"""They run the game: what takes minutes from the start of tic-tac-toe is no mistake."""
_VALUES = {
    "db": DATABASES,
    "output": OUTPUTS,
    "frames": ("frames", "mine.txt", ".", "no/frames"),
    "host": ("no.such.host.",),
}


def names(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command there is, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from names(command, (*before, name))
        else:
            yield (*before, name)


COMMANDS = list(names(main))


def command_line(chance: random.Random, files: dict[str, list[str]]) -> list[str]:
    """A command line; `files` are damaged databases (`db`) and trees (`tree`) to choose from too."""
    name = chance.choice(COMMANDS)
    group: click.Command = main
    for part in name:
        assert isinstance(group, click.Group)
        found = group.get_command(click.Context(group), part)
        assert found is not None
        group = found
    words = list(name)
    if chance.random() < 0.03:
        words[-1] = chance.choice(RUBBISH)
    for parameter in group.params:
        if isinstance(parameter, click.Argument):
            words += _positions(chance) if chance.random() < 0.4 else []
        elif chance.random() < {"db": 0.7, "game": 0.5, "output": 0.5}.get(parameter.name or "", 0.12):
            words += _option(chance, parameter, files, name[0])
    if name[0] == "serve":  # or it would serve until it is stopped
        words += ["--db", chance.choice(("text.txt", "mine.txt", "."))]
    if name[0] in SEARCHES and "tictactoe" in words and "XOX/OO./.X." not in words:
        words += ["-g", "nim:1,2"]
    return words


def _positions(chance: random.Random) -> list[str]:
    return [chance.choice(POSITIONS if chance.random() < 0.8 else RUBBISH) for _ in range(chance.choice((1, 1, 1, 2)))]


def _option(chance: random.Random, option: click.Parameter, files: dict[str, list[str]], command: str) -> list[str]:
    word = chance.choice([*option.opts, *option.secondary_opts])
    if getattr(option, "is_flag", False):
        return [word]
    assert option.name is not None
    if option.name == "game":
        kinds = GOOD_GAMES, GOOD_GAMES, GAMES, [f"tree:{file}" for file in files["tree"]]
        value = chance.choice(chance.choice(kinds))
    elif option.name == "db" and command != "build":
        value = chance.choice([*DATABASES, *files["db"]])
    elif option.name in _VALUES:
        value = chance.choice(_VALUES[option.name])
    elif isinstance(option.type, click.Choice) and chance.random() < 0.9:
        value = str(chance.choice(list(option.type.choices)))
    elif option.name in ("depth", "time_limit", "limit", "sample", "jobs", "port", "seed", "plies", "value"):
        value = chance.choice(
            ("1", "2", "3", "0", "-1", "0..2" if option.name == "plies" else "0.5", chance.choice(RUBBISH))
        )
    else:
        value = chance.choice(RUBBISH)
    return [word, value] if chance.random() < 0.9 else [f"{word}={value}"]
