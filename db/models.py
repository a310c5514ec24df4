"""The tables, as typed SQLAlchemy models. The migrations say the same; a test holds them together."""

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """What the migrations are compared with."""


class SolutionRecord(Base):
    """One solved game. Its rows are seen by readers only once its status is `complete`.

    A game has at most one solution of each status, so that a rebuild leaves the finished one alone
    until it can take its place. `codec` is how a packed layout finds a position, and null for rows; `plies` is null
    where play need not end; `longest` is the most plies of any win or loss; `mover_wins` and `mover_losses` are
    counted from the side to move. `rules_at` is where the rules of somebody's own game were found, and null for ours.
    What nobody counted is null.
    """

    __tablename__ = "solutions"
    __table_args__ = (
        UniqueConstraint("game", "status", name="uq_solutions_game_status"),
        CheckConstraint("layout in ('rows', 'packed')", name="ck_solutions_layout"),
        CheckConstraint("status in ('building', 'complete')", name="ck_solutions_status"),
        # An id that is never given twice cannot lead an open reader to another game's rows.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game: Mapped[str] = mapped_column(String(200))
    layout: Mapped[str] = mapped_column(String(10))
    codec: Mapped[str | None] = mapped_column(String(10))
    can_repeat: Mapped[bool | None] = mapped_column(Boolean)
    symmetry: Mapped[bool] = mapped_column(Boolean)
    status: Mapped[str] = mapped_column(String(10))
    value: Mapped[int | None] = mapped_column(Integer)
    plies: Mapped[int | None] = mapped_column(Integer)
    positions: Mapped[int | None] = mapped_column(BigInteger)
    classes: Mapped[int | None] = mapped_column(BigInteger)
    games: Mapped[str | None] = mapped_column(Text)
    tree_nodes: Mapped[str | None] = mapped_column(Text)
    longest: Mapped[int | None] = mapped_column(Integer)
    mover_wins: Mapped[int | None] = mapped_column(BigInteger)
    mover_losses: Mapped[int | None] = mapped_column(BigInteger)
    rules_at: Mapped[str | None] = mapped_column(Text)
    digest: Mapped[str | None] = mapped_column(String(64))
    zermelo_version: Mapped[str] = mapped_column(String(40))
    started_at: Mapped[datetime] = mapped_column(DateTime)
    finished_at: Mapped[datetime | None] = mapped_column(DateTime)
    counts_checksum: Mapped[int | None] = mapped_column(BigInteger)
    checksum: Mapped[int | None] = mapped_column(BigInteger)


class CountRecord(Base):
    """How many positions of one ply and value a solution has, finished ones apart, and in how many classes."""

    __tablename__ = "counts"

    solution_id: Mapped[int] = mapped_column(ForeignKey("solutions.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    terminal: Mapped[bool] = mapped_column(Boolean, primary_key=True)
    value: Mapped[int] = mapped_column(Integer, primary_key=True)
    positions: Mapped[int] = mapped_column(BigInteger)
    classes: Mapped[int] = mapped_column(BigInteger)


class PositionRecord(Base):
    """A solved position in the layout `rows`: value from MAX's side, plies to the end or null if there need be none, best move."""

    __tablename__ = "positions"
    __table_args__ = ({"sqlite_with_rowid": False},)

    solution_id: Mapped[int] = mapped_column(ForeignKey("solutions.id", ondelete="CASCADE"), primary_key=True)
    board: Mapped[str] = mapped_column(String(200), primary_key=True)
    ply: Mapped[int] = mapped_column(Integer)
    value: Mapped[int] = mapped_column(Integer)
    plies: Mapped[int | None] = mapped_column(Integer)
    best_move: Mapped[str | None] = mapped_column(String(50))
    checksum: Mapped[int | None] = mapped_column(BigInteger)


class BlockRecord(Base):
    """Many positions at once in the layout `packed`: those that share the cells that are taken."""

    __tablename__ = "blocks"

    solution_id: Mapped[int] = mapped_column(ForeignKey("solutions.id", ondelete="CASCADE"), primary_key=True)
    occupancy: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    layer: Mapped[int] = mapped_column(Integer)
    data: Mapped[bytes] = mapped_column(LargeBinary)
