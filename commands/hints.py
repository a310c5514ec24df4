"""Which option or command helps: what the command line adds to the message of an error."""

import shlex

from zermelo.solver.errors import (
    AddressError,
    BuildingError,
    ClosedOutputError,
    CompileError,
    DamagedSolutionError,
    EmptyDatabaseError,
    ForeignDatabaseError,
    IncompleteSolutionError,
    MemoryLimitError,
    MissingDatabaseError,
    MissingPackageError,
    MissingSolutionError,
    MissingTablebaseError,
    NewerSchemaError,
    NotZeroSumError,
    OlderSchemaError,
    OtherGameError,
    OutputExistsError,
    RulesError,
    RulesNeededError,
    SelectionError,
    TooDeepError,
    ZermeloError,
)

HINTS: dict[type[ZermeloError] | str, str] = {
    MissingDatabaseError: "make it with `zermelo build`, or name another with --db",
    MissingTablebaseError: "make it with `zermelo export -o {db}`, or name another with --db",
    EmptyDatabaseError: "build a solution in it with `zermelo build`, or name another with --db",
    ForeignDatabaseError: "name another with --db",
    OlderSchemaError: "upgrade it with `zermelo db upgrade`",
    NewerSchemaError: "read it with a newer Zermelo, `pip install --upgrade zermelo`",
    MissingSolutionError: "add it with `zermelo build -g {game}`, or see `zermelo list`",
    OtherGameError: "leave out -g, or name another file with --db",
    BuildingError: "wait for it to finish, or if it was stopped, run `zermelo build -g {game}` again",
    DamagedSolutionError: "build it again with `zermelo build -g {game} --force`",
    IncompleteSolutionError: "see what else is wrong with `zermelo verify -g {game}`",
    RulesNeededError: "if they are your own, name them with -g {rules_at} or in ZERMELO_GAMES",
    CompileError: "or solve it as plain Python, without `compiled = True`",
    MemoryLimitError: "allow more with --memory if the machine has it, or take a smaller game",
    RulesError: "test the rules with `zermelo check`",
    NotZeroSumError: "search it with `zermelo search -g {game} --algorithm multiplayer`",
    TooDeepError: "limit the search with --depth, test the rules with `zermelo check -g {game}`, or solve the game with"
    " `zermelo build -g {game}`",
    SelectionError: "leave out --classes, --ply, --value and --to-move",
    "export": "choose some with --ply, write a tablebase with --format ztb, or add --yes to do it all the same",
    "find": "choose some with --ply, leave out --sort to see the first that are found, or add --yes to do it all the same",
    "verify": "look at some with --sample 10000, or add --yes to do it all the same",
    "tree": "choose a smaller --depth, one of each set of symmetric moves with --fold, or add --yes to draw it all the same",
    "map": "choose --paper a3, --pages with a PDF, --numbered, or a smaller game",
    "atlas": "choose --pages with a PDF, --paper a3, or a smaller game",
    "page": "explore it with `zermelo serve`",
    OutputExistsError: "overwrite it with --force, or name another file",
    ClosedOutputError: "name a file with -o",
    AddressError: "choose another with --host or --port",
    MissingPackageError: "install it with `pip install 'zermelo[{extra}]'`",
}
"""The words for each kind of error, with its facts in braces; an `AmountError` has those of its task."""


def with_hint(error: ZermeloError) -> str:
    """An error's message, and what helps where that is an option or a command.

    >>> with_hint(MissingSolutionError("database 'x.db' does not hold nim:1,2", db="x.db", game="nim:1,2"))
    "database 'x.db' does not hold nim:1,2: add it with `zermelo build -g nim:1,2`, or see `zermelo list`"
    """
    facts = {name: shlex.quote(str(fact)) for name, fact in vars(error).items()}
    for kind in (vars(error).get("task"), *type(error).__mro__):
        if kind in HINTS:
            try:
                return f"{error}: {HINTS[kind].format_map(facts)}"
            except KeyError:
                break  # the rules of somebody's own game raised it without the facts
    return str(error)
