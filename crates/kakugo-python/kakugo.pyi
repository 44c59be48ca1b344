"""Gomoku and Renju: rules, a strong engine, a solver for forced wins, and game records.

Points are names such as ``"h8"`` (column letter, row number from the bottom), or pairs
``(x, y)`` that count columns and rows from the top left corner, from 0. Results are names.
Sides are ``"black"`` and ``"white"``. Rules are ``"freestyle"``, ``"standard"`` (exactly five),
``"renju"``, ``"caro"`` and ``"caro-overline"``.

>>> import kakugo
>>> board = kakugo.Board(15, rule="renju", moves="h8h9i9")
>>> engine = kakugo.Engine()
>>> board.play(engine.best_move(board, time=0.2))

Searches release the global interpreter lock, and Ctrl-C stops them. Invalid values raise
``ValueError`` with the reason. Boards, games and results can be compared, copied and pickled.
"""

from os import PathLike
from types import TracebackType
from typing import Iterator, List, Literal, Optional, Sequence, Tuple, Type, Union, final

_Point = Union[str, Tuple[int, int]]
_Moves = Union[str, Sequence[_Point]]
_Size = Union[int, Tuple[int, int]]
_Side = Literal["black", "white"]
_Rule = Literal["freestyle", "standard", "renju", "caro", "caro-overline"]
_Winner = Literal["black", "white", "draw"]
_Format = Literal[
    "sgf",
    "psq",
    "rec",
    "pos",
    "pos-bottom",
    "pos-top",
    "offset",
    "lib",
    "pos-binary",
    "sav",
    "diagram",
    "rif",
    "link",
    "pgn",
]

__version__: str

@final
class Board:
    """A position, with the moves that led to it. Black moves first."""

    def __init__(
        self,
        size: _Size = 15,
        rule: Union[_Rule, str] = "freestyle",
        win_length: int = 5,
        moves: Optional[_Moves] = None,
    ) -> None:
        """An empty board of 3 to 32 columns and rows, after some moves (``"h8h9i8"`` or a list)."""
    @staticmethod
    def from_diagram(
        text: str,
        rule: Union[_Rule, str] = "freestyle",
        win_length: int = 5,
        side_to_move: Optional[_Side] = None,
    ) -> "Board":
        """A board drawn with ``X`` (Black), ``O`` (White), ``.`` (empty) and ``#`` (blocked), top
        row first. Its stones are set up: see `settle`."""
    @property
    def width(self) -> int:
        """Number of columns."""
    @property
    def height(self) -> int:
        """Number of rows."""
    @property
    def rule(self) -> str:
        """The rule, such as ``"renju"``."""
    @property
    def win_length(self) -> int:
        """Number of stones in a row that win."""
    @property
    def side_to_move(self) -> _Side:
        """``"black"`` or ``"white"``; may be set."""
    @side_to_move.setter
    def side_to_move(self, side: _Side) -> None: ...
    @property
    def stones(self) -> List[Tuple[str, _Side]]:
        """The stones in the order in which they were placed."""
    @property
    def blocked(self) -> List[str]:
        """The blocked points."""
    @property
    def key(self) -> int:
        """A hash of the position: rule, size, stones, blocked points and side to move. Equal
        positions have equal keys, whatever the order of the moves. Keys may differ between
        versions."""
    @property
    def winner(self) -> Optional[_Winner]:
        """``None`` while the game goes on. A forbidden move wins for White."""
    @property
    def is_over(self) -> bool:
        """True if a side has won or the board is full."""
    @property
    def winning_line(self) -> List[str]:
        """The stones of the winning row; empty if there is none."""
    def play(self, point: _Point) -> None:
        """Places a stone of the side to move. Renju's forbidden points may be played: they lose."""
    def place(self, point: _Point, side: _Side) -> None:
        """Places a stone of either side. The opponent of ``side`` is to move after it. Call
        `settle` after the last stone of a position that is set up."""
    def settle(self) -> None:
        """Declares the stones on the board as set up rather than played: none is a forbidden move,
        and a five of them ends the game, even if its last stone was placed before others."""
    def block(self, point: _Point) -> None:
        """Blocks a free point for the whole game: nobody may play there."""
    def undo(self) -> str:
        """Takes back the last stone and returns its point. Raises ``IndexError`` without stones."""
    def is_legal(self, point: _Point) -> bool:
        """True if the point is empty and not forbidden to the side to move."""
    def legal_points(self) -> List[str]:
        """The points that the side to move may play; empty if the game is over."""
    def forbidden_points(self) -> List[Tuple[str, str]]:
        """The points that renju forbids to Black, with ``"overline"``, ``"double-four"`` or
        ``"double-three"``."""
    def name(self, x: int, y: int) -> str:
        """The name of a point."""
    def xy(self, point: _Point) -> Tuple[int, int]:
        """Column and row of a point."""
    def copy(self) -> "Board":
        """A copy with the same moves."""
    def __eq__(self, other: object) -> bool:
        """True if the positions are equal, whatever the order of the moves."""
    __hash__: None  # type: ignore[assignment]
    def __getitem__(self, point: _Point) -> Optional[_Side]: ...
    def __len__(self) -> int:
        """The number of stones."""
    def __bool__(self) -> bool: ...

@final
class Line:
    """A line of play. Scores are from the point of view of the side to move."""

    def __init__(
        self,
        rank: int,
        depth: int,
        selective_depth: int,
        score: int,
        mate: Optional[int],
        win_rate: float,
        nodes: int,
        time: float,
        moves: Sequence[str],
    ) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    @property
    def rank(self) -> int:
        """The rank among the lines of its depth, from 1."""
    @property
    def depth(self) -> int:
        """Depth in plies (moves of either side)."""
    @property
    def selective_depth(self) -> int:
        """Length of the longest path searched, in plies."""
    @property
    def score(self) -> int:
        """The evaluation: 200 units multiply the odds of winning by *e*."""
    @property
    def mate(self) -> Optional[int]:
        """Plies to the five of a forced win, negative for a loss; ``None`` if not decided."""
    @property
    def win_rate(self) -> float:
        """The expected result, 0 to 1: 0 and 1 only if a loss or win is forced."""
    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
    @property
    def time(self) -> float:
        """Seconds since the search began."""
    @property
    def moves(self) -> List[str]:
        """The expected moves of both sides, starting with the side to move."""

@final
class Analysis:
    """The result of an analysis, for the side to move."""

    def __init__(
        self,
        best: Optional[str],
        score: int,
        mate: Optional[int],
        win_rate: float,
        depth: int,
        nodes: int,
        lines: Sequence[Line],
    ) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    @property
    def best(self) -> Optional[str]:
        """The best move; ``None`` if the game is over or no move is allowed."""
    @property
    def score(self) -> int:
        """The evaluation, as in `Line`."""
    @property
    def mate(self) -> Optional[int]:
        """Plies to the five, as in `Line`; 0 if the game is over and somebody has won."""
    @property
    def win_rate(self) -> float:
        """The expected result, 0 to 1."""
    @property
    def depth(self) -> int:
        """Depth of the last finished iteration, in plies."""
    @property
    def nodes(self) -> int:
        """Nodes searched."""
    @property
    def lines(self) -> List[Line]:
        """The best lines, best first."""

@final
class LiveAnalysis(Iterator[Line]):
    """An analysis under way: iterate over its lines. Leaving a ``with`` block stops it."""

    def __iter__(self) -> "LiveAnalysis": ...
    def __next__(self) -> Line: ...
    def stop(self) -> None:
        """Stops the search. The lines found so far can still be read."""
    def __enter__(self) -> "LiveAnalysis": ...
    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None: ...

@final
class Engine:
    """A search engine with its transposition table. Use one for a whole game."""

    def __init__(self, hash_mb: int = 64, threads: int = 1) -> None:
        """An engine with a table of this size in MB and up to 1024 threads."""
    def best_move(
        self,
        board: Board,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        level: Optional[int] = None,
    ) -> Optional[str]:
        """The best move within the limits (seconds, nodes, plies): one is needed, except for levels
        1 to 9. ``None`` if the game is over. Levels 1 to 10 are strengths from beginner to full."""
    def analyze(
        self,
        board: Board,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        lines: int = 1,
        only: Optional[Sequence[_Point]] = None,
        without: Optional[Sequence[_Point]] = None,
    ) -> Analysis:
        """Searches for the best lines, among ``only`` these first moves, or ``without`` those."""
    def analyze_live(
        self,
        board: Board,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        lines: int = 1,
        only: Optional[Sequence[_Point]] = None,
        without: Optional[Sequence[_Point]] = None,
    ) -> LiveAnalysis:
        """Searches in the background and passes on each line as it is found. Without limits, until
        it is stopped. The engine can do nothing else meanwhile (``RuntimeError``)."""
    def clear(self) -> None:
        """Clears the transposition table and the histories."""

@final
class ForcedWin:
    """A forced win of the side to move, proven against every defence."""

    def __init__(
        self, kind: Literal["fours", "threats"], moves: Sequence[str], is_complete: bool
    ) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    @property
    def kind(self) -> Literal["fours", "threats"]:
        """Continuous fours (VCF), or fours and open threes (VCT)."""
    @property
    def moves(self) -> List[str]:
        """The moves of both sides. The loser plays one of the defences that last longest."""
    @property
    def is_complete(self) -> bool:
        """True if the line ends with the five."""

def solve(
    board: Board, time: Optional[float] = None, nodes: Optional[int] = None
) -> Optional[ForcedWin]:
    """Searches for a forced win by fours, then by fours and open threes. Without limits, it ends after
    200,000 nodes. ``None`` means that none was found, not that there is none."""

@final
class Game:
    """A game record: the main line of a game."""

    def __init__(
        self,
        moves: Optional[_Moves] = None,
        size: _Size = 15,
        rule: Union[_Rule, str] = "freestyle",
        win_length: int = 5,
        black: str = "",
        white: str = "",
        event: str = "",
        date: str = "",
        result: Optional[_Winner] = None,
    ) -> None: ...
    @property
    def width(self) -> int:
        """Number of columns."""
    @property
    def height(self) -> int:
        """Number of rows."""
    @property
    def rule(self) -> str:
        """The rule."""
    @property
    def win_length(self) -> int:
        """Number of stones in a row that win."""
    @property
    def states_rule(self) -> bool:
        """False if the file does not state the rule and it was assumed."""
    @property
    def black(self) -> str:
        """The name of the player with Black."""
    @property
    def white(self) -> str:
        """The name of the player with White."""
    @property
    def event(self) -> str:
        """The name of the event."""
    @property
    def round(self) -> str:
        """The round of the event."""
    @property
    def date(self) -> str:
        """The date as text."""
    @property
    def result(self) -> Optional[_Winner]:
        """The winner or ``"draw"``; ``None`` if unknown."""
    @property
    def result_on_board(self) -> Optional[_Winner]:
        """The result that the final position shows."""
    @property
    def moves(self) -> List[Optional[str]]:
        """The moves; ``None`` is a pass."""
    @property
    def comments(self) -> List[str]:
        """The comment on each move."""
    def board(self, ply: Optional[int] = None) -> Board:
        """The position after ``ply`` moves, by default after all of them."""
    def __eq__(self, other: object) -> bool:
        """True if everything that the records contain is equal."""
    def __hash__(self) -> int: ...
    def __len__(self) -> int:
        """The number of moves."""
    def __bool__(self) -> bool: ...

def read(
    content: Union[str, bytes],
    format: Optional[_Format] = None,
    rule: Union[_Rule, str, None] = None,
    size: Optional[_Size] = None,
    win_length: int = 5,
) -> List[Game]:
    """Reads the games in the content of a file. The format is detected; text without a signature is
    read as moves such as ``h8h9i8``. ``rule``, ``size`` and ``win_length`` are for files that do not
    state them; the size is 15 by default, or 20 for ``"rec"``."""

def load(
    path: Union[str, "PathLike[str]"],
    format: Optional[_Format] = None,
    rule: Union[_Rule, str, None] = None,
    size: Optional[_Size] = None,
    win_length: int = 5,
) -> List[Game]:
    """Reads the games in a file: SGF, Piskvork, Gomotur, RenLib, Yixin-Board, RenjuNet, PGN, or
    text."""

def write(games: Sequence[Game], format: _Format = "sgf") -> bytes:
    """The content of a file with these games. Raises ``ValueError`` if the format cannot hold their
    moves. It may omit the rest: all formats except ``"sgf"`` and ``"link"`` omit the rule (name it
    when you read the file), and all except ``"sgf"``, ``"psq"``, ``"rec"`` and ``"pgn"`` omit
    the names of players."""

def save(
    path: Union[str, "PathLike[str]"], games: Sequence[Game], format: Optional[_Format] = None
) -> None:
    """Writes games to a file, as `write` does. Its name determines the format."""
