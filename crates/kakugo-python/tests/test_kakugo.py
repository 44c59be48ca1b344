"""Tests of the Python package. `KAKUGO` names the program to compare with, if there is one."""

import ast
import copy
import json
import os
import pathlib
import pickle
import random
import subprocess
import threading
import time

import kakugo
import pytest

PROGRAM = os.environ.get("KAKUGO")


def test_rules():
    board = kakugo.Board(15, rule="renju")
    assert (board.width, board.height, board.rule, board.win_length) == (15, 15, "renju", 5)
    assert (board.side_to_move, len(board), board.winner, board.is_over) == ("black", 0, None, False)
    board.play("h8")
    board.play((8, 6))
    assert (board["h8"], board["i9"], board["a1"]) == ("black", "white", None)
    assert board.stones == [("h8", "black"), ("i9", "white")]
    assert (board.xy("i9"), board.name(8, 6)) == ((8, 6), "i9")
    twin = copy.copy(board)
    assert board.undo() == "i9"
    assert (len(board), len(twin), len(board.copy())) == (1, 2, 1)
    assert not twin.is_legal("h8") and twin.is_legal("a1")
    assert len(twin.legal_points()) == 223


def test_winner():
    board = kakugo.Board(moves="h8a1i8b1j8c1k8d1")
    board.play("l8")
    assert (board.winner, board.is_over) == ("black", True)
    assert board.winning_line == ["h8", "i8", "j8", "k8", "l8"]
    assert board.legal_points() == []
    with pytest.raises(ValueError, match="over"):
        board.play("a2")


def test_positions_that_are_set_up():
    five = kakugo.Board()
    for name in ["h8", "i8", "j8", "k8", "l8"]:
        five.place(name, "black")
    five.place("a1", "white")
    assert five.winner is None
    five.settle()
    assert (five.winner, len(five.winning_line)) == ("black", 5)
    fork = kakugo.Board(rule="renju")
    for name in ["f8", "g8", "h6", "h7", "h8"]:
        fork.place(name, "black")
    assert fork.winner == "white"
    fork.settle()
    assert (fork.winner, fork.side_to_move) == (None, "white")


def test_blocked_points():
    board = kakugo.Board(moves="h8")
    board.block("h9")
    board.block((0, 14))
    assert (board.blocked, board["h9"], board.is_legal("h9")) == (["h9", "a1"], None, False)
    assert len(board.legal_points()) == 222
    for point in ["h8", "h9"]:
        with pytest.raises(ValueError, match=point):
            board.block(point)
    assert kakugo.Board.from_diagram(str(board)).blocked == board.blocked


def test_boards_are_compared():
    one, other = kakugo.Board(moves="h8h9i8"), kakugo.Board(moves="i8h9h8")
    assert (one == other, one.key == other.key, one == one.copy()) == (True, True, True)
    other.undo()
    assert one != other and one.key != other.key
    assert one != kakugo.Board(moves="h8h9i8", rule="standard")
    assert one != "h8h9i8"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def copies(value):
    """Copies of a value in every way."""
    return [copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]


def test_boards_are_pickled():
    board = kakugo.Board((15, 11), rule="renju", moves="h8")
    board.block("a1")
    board.place("h9", "black")
    board.settle()
    board.side_to_move = "white"
    board.play("i9")
    board.side_to_move = "white"
    for twin in copies(board):
        assert (twin, twin.stones, twin.blocked) == (board, board.stones, ["a1"])
        assert (twin.width, twin.height, twin.rule, twin.winner) == (15, 11, "renju", None)
        twin.undo()
        assert twin.side_to_move == "white"
    # A stone that was played is a forbidden move, one that is set up is not.
    fork = kakugo.Board(rule="renju", moves="f8a1g8a15h6o1h7o15h8")
    for twin in copies(fork):
        assert twin.winner == "white"
        twin.settle()
        assert pickle.loads(pickle.dumps(twin)).winner is None


def test_results_and_games_are_pickled():
    analysis = kakugo.Engine(hash_mb=1).analyze(kakugo.Board(moves="h8h9"), nodes=500, lines=2)
    win = kakugo.solve(kakugo.Board(moves="g8a1h8o1i6a15i7o15"))
    text = ("(;GM[4]SZ[15]RU[renju]PB[Ann]EV[Cup]RO[2]DT[2026]RE[W+T]TE[time]"
            "AB[aa]AW[bb]PL[W]KBL[oo];W[hh]MS[1500]C[centre];B[];B[hi])")
    (game,) = kakugo.read(text)
    # With a choice of colours.
    (swap,) = kakugo.read("(;GM[4]SZ[15];B[hh];W[ii];B[jj]KCH[white];W[hg])")
    drawn = kakugo.Game("h8h9", result="draw")
    for value in [analysis, analysis.lines[0], win, game, swap, drawn]:
        for twin in copies(value):
            assert twin == value and repr(twin) == repr(value)
    twin = pickle.loads(pickle.dumps(game))
    assert (twin.comments, twin.event, twin.board()) == (game.comments, "Cup", game.board())
    assert hash(twin) == hash(game) and twin != kakugo.Game("h8h9")
    assert kakugo.write([twin]) == kakugo.write([game])


def test_forbidden_points():
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    board = kakugo.Board.from_diagram(diagram, rule="renju", side_to_move="black")
    assert board.forbidden_points() == [("e5", "double-three")]
    board.play("e5")
    assert board.winner == "white"
    free = kakugo.Board.from_diagram(diagram, side_to_move="black")
    assert free.forbidden_points() == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: kakugo.Board(2),
        lambda: kakugo.Board(15, rule="go"),
        lambda: kakugo.Board(15, win_length=0),
        lambda: kakugo.Board(moves="h8h8"),
        lambda: kakugo.Board(moves="z99"),
        lambda: kakugo.Board().play("p1"),
        lambda: kakugo.Board().play((15, 0)),
        lambda: kakugo.Board().place("h8", "red"),
        lambda: kakugo.Board.from_diagram("hello"),
        lambda: kakugo.Engine().best_move(kakugo.Board()),
        lambda: kakugo.Engine().best_move(kakugo.Board(), time=-1),
        lambda: kakugo.Engine().best_move(kakugo.Board(), time=float("nan")),
        lambda: kakugo.Engine().best_move(kakugo.Board(), level=11),
        lambda: kakugo.Engine(threads=0),
        lambda: kakugo.read(b"(;GM[4"),
        lambda: kakugo.read("h8", format="doc"),
        lambda: kakugo.write([], format="doc"),
        lambda: kakugo.Game("h8h8"),
        lambda: kakugo.Game(result="lost"),
        lambda: kakugo.Game("h8").board(2),
        lambda: kakugo.Game("h8").board(-1),
        lambda: kakugo.Board(256),
        lambda: kakugo.Board(-1),
        lambda: kakugo.Board((15, 2**70)),
        lambda: kakugo.Board(win_length=256),
        lambda: kakugo.Board().play((-1, 0)),
        lambda: kakugo.Board().play((0, 2**70)),
        lambda: kakugo.Board(moves=[(0, -1)]),
        lambda: kakugo.Board().name(-1, 0),
        lambda: kakugo.Engine().best_move(kakugo.Board(), nodes=-1),
        lambda: kakugo.Engine().best_move(kakugo.Board(), depth=2**40),
        lambda: kakugo.Engine().best_move(kakugo.Board(), level=-1),
        lambda: kakugo.Engine().analyze(kakugo.Board(), nodes=10, lines=0),
        lambda: kakugo.Engine().analyze(kakugo.Board(), nodes=10, lines=-1),
        lambda: kakugo.Engine(threads=1025),
        lambda: kakugo.Engine(threads=2**60),
        lambda: kakugo.Engine(hash_mb=0),
        lambda: kakugo.Engine(hash_mb=2**21),
        lambda: kakugo.solve(kakugo.Board(), nodes=-1),
        lambda: kakugo.read("h8", size=33),
    ],
)
def test_invalid_values_are_refused(call):
    with pytest.raises(ValueError):
        call()


def test_errors_name_what_is_expected():
    for call, reason in [
        (lambda: kakugo.Engine(threads=2**60), r"threads \d+: expected 1 to 1024"),
        (lambda: kakugo.Engine(hash_mb=2**21), "hash_mb 2097152: expected 1 to 1048576"),
        (lambda: kakugo.Board(256), "size 256: expected 3 to 32"),
        (lambda: kakugo.Board(7, moves="h8"), "'h8': expected a letter and a row from 1 to 7"),
        (lambda: kakugo.Board().play((-1, 0)), r"the point \(-1, 0\) is off the board"),
        (lambda: kakugo.read("(;GM[1]SZ[19];B[aa])"), "rule="),
    ]:
        with pytest.raises(ValueError, match=reason):
            call()
    board = kakugo.Board()
    for call in [lambda: board[0], lambda: "h8" in board, lambda: kakugo.Board("x")]:
        with pytest.raises(TypeError, match="expected a (point|board size)"):
            call()
    assert kakugo.read("(;GM[1]SZ[19];B[aa])", rule="renju")[0].moves == ["a19"]


def test_other_errors():
    with pytest.raises(IndexError):
        kakugo.Board().undo()
    with pytest.raises(OSError):
        kakugo.load("/no/such/file.sgf")
    with pytest.raises(TypeError):
        kakugo.Board().play(None)


def test_best_move():
    engine = kakugo.Engine(hash_mb=8)
    four = kakugo.Board(moves="d8d7e8e7f8f7g8a1")
    assert engine.best_move(four, nodes=1000) in ("c8", "h8")
    assert engine.best_move(four, depth=2) in ("c8", "h8")
    assert kakugo.Board().is_legal(engine.best_move(kakugo.Board(), level=1))
    over = kakugo.Board(moves="h8a1i8b1j8c1k8d1l8")
    assert engine.best_move(over, nodes=100) is None


def test_analysis():
    engine = kakugo.Engine(hash_mb=8)
    board = kakugo.Board(moves="h8h9")
    analysis = engine.analyze(board, nodes=5000, lines=3)
    assert [line.rank for line in analysis.lines] == [1, 2, 3]
    assert analysis.best == analysis.lines[0].moves[0]
    assert 0.0 <= analysis.win_rate <= 1.0 and analysis.mate is None
    other = engine.analyze(board, nodes=2000, without=[analysis.best])
    assert other.best != analysis.best
    assert engine.analyze(board, nodes=500, only=["a1"]).best == "a1"
    lost = engine.analyze(kakugo.Board(moves="h8a1i8b1j8c1k8d1l8"), nodes=10)
    assert (lost.best, lost.score, lost.mate, lost.win_rate) == (None, -30000, 0, 0.0)
    assert "-M0" in repr(lost)
    three = kakugo.Board(moves="h8a1i8o1j8a15")
    assert engine.analyze(three, nodes=5000).mate in (1, 3, 5)


def test_live_analysis():
    engine = kakugo.Engine(hash_mb=8)
    board = kakugo.Board(moves="h8h9")
    depths = []
    with engine.analyze_live(board) as live:
        for line in live:
            depths.append(line.depth)
            if line.depth >= 4:
                with pytest.raises(RuntimeError):
                    engine.best_move(board, nodes=10)
                break
    assert depths == sorted(depths) and depths[-1] >= 4
    # The engine is free again.
    assert engine.best_move(board, nodes=100)
    limited = list(engine.analyze_live(board, nodes=2000, lines=2))
    assert {line.rank for line in limited} == {1, 2}
    only = list(engine.analyze_live(board, nodes=500, only=["a1"]))
    assert {line.moves[0] for line in only} == {"a1"}


def test_a_stopped_live_analysis_has_no_engine():
    engine = kakugo.Engine(hash_mb=1)
    board = kakugo.Board(moves="h8h9")
    for _ in range(10):
        live = engine.analyze_live(board)
        live.stop()
        assert engine.best_move(board, nodes=10)
        for _ in engine.analyze_live(board):
            break
        engine.clear()
    running = engine.analyze_live(board)
    for call in [lambda: engine.clear(), lambda: engine.analyze_live(board)]:
        with pytest.raises(RuntimeError, match="is searching"):
            call()
    running.stop()


def test_boards_can_change_during_a_search():
    engine = kakugo.Engine(hash_mb=1)
    board = kakugo.Board(moves="h8h9")
    results = []
    searching = threading.Thread(target=lambda: results.append(engine.analyze(board, time=0.3)))
    searching.start()
    while searching.is_alive():
        board.play(board.legal_points()[0])
        board.undo()
    searching.join()
    assert len(results) == 1


def test_searches_release_the_lock():
    engine = kakugo.Engine(hash_mb=8)
    stop = threading.Event()
    ticks = 0

    def count():
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    counter = threading.Thread(target=count)
    counter.start()
    engine.analyze(kakugo.Board(moves="h8h9i8"), time=0.5)
    stop.set()
    counter.join()
    assert ticks >= 10


def test_solve():
    win = kakugo.solve(kakugo.Board(moves="g8a1h8o1i6a15i7o15"))
    assert (win.kind, win.is_complete, len(win.moves) % 2) == ("threats", True, 1)
    board = kakugo.Board(moves="g8a1h8o1i6a15i7o15")
    for move in win.moves:
        board.play(move)
    assert board.winner == "black"
    assert kakugo.solve(kakugo.Board(moves="h8"), nodes=100) is None


def random_game(rng):
    board = kakugo.Board(15, rule="standard")
    moves = []
    while not board.is_over and len(moves) < 40:
        move = rng.choice(board.legal_points())
        board.play(move)
        moves.append(move)
    return kakugo.Game(moves, rule="standard", black="Ann", white="Bob", result=board.winner)


@pytest.mark.parametrize("format", ["sgf", "psq", "pos-bottom", "lib"])
def test_records_come_back(format, tmp_path):
    rng = random.Random(1)
    game = random_game(rng)
    content = kakugo.write([game], format)
    (back,) = kakugo.read(content, format, rule="standard")
    assert back.moves == game.moves and len(back) == len(game)
    path = tmp_path / {"sgf": "a.sgf", "psq": "a.psq", "pos-bottom": "a.pos", "lib": "a.lib"}[format]
    kakugo.save(path, [game])
    assert [g.moves for g in kakugo.load(path, rule="standard")] == [game.moves]


@pytest.mark.parametrize("format", ["psq", "pos", "sav", "offset", "pos-binary", "rec"])
def test_moves_that_a_format_cannot_hold_are_refused(format, tmp_path):
    head = "(;GM[4]SZ[15]RU[renju]"
    (passed,) = kakugo.read(head + ";B[hh];W[hg];B[];W[ii])")
    (turned,) = kakugo.read(head + ";B[hh];B[hg];W[ii])")
    for game, reason in [(passed, "move 3 is a pass"), (turned, "move 2 is out of turn")]:
        with pytest.raises(ValueError, match=reason):
            kakugo.write([game], format)
        with pytest.raises(ValueError, match=reason):
            kakugo.save(tmp_path / "game.txt", [game], format)
        for other in ["sgf", "link"]:
            (back,) = kakugo.read(kakugo.write([game], other))
            assert (back.board(), back.rule) == (game.board(), "renju")
    assert not (tmp_path / "game.txt").exists()
    assert len(kakugo.read(kakugo.write([passed], "lib"))[0]) == 4


def test_game():
    text = "(;GM[4]SZ[15]RU[renju]PB[Ann]PW[Bob]DT[2026-11-27]RE[B+R];B[hh]C[centre];W[hi])"
    (game,) = kakugo.read(text)
    assert (game.black, game.white, game.date, game.result) == ("Ann", "Bob", "2026-11-27", "black")
    assert (game.rule, game.states_rule, game.moves) == ("renju", True, ["h8", "h7"])
    assert (game.comments, game.result_on_board) == (["centre", ""], None)
    assert (len(game.board()), len(game.board(1))) == (2, 1)
    (free,) = kakugo.read("h8h9")
    assert (free.rule, free.states_rule) == ("freestyle", False)


@pytest.mark.skipif(PROGRAM is None, reason="KAKUGO names no program")
def test_results_are_those_of_the_program():
    for moves, rule in [("h8h9i9", "freestyle"), ("h8i9g7", "renju"), ("h8h9i8g8", "standard")]:
        command = [PROGRAM, "analyze", moves, "--rule", rule, "--nodes", "20000", "--lines", "2",
                   "--hash", "64", "--json"]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        expected = json.loads(run.stdout)
        board = kakugo.Board(moves=moves, rule=rule)
        analysis = kakugo.Engine(hash_mb=64).analyze(board, nodes=20000, lines=2)
        assert (analysis.best, analysis.depth) == (expected["best"], expected["depth"])
        assert len(analysis.lines) == len(expected["lines"]) == 2
        for line, known in zip(analysis.lines, expected["lines"]):
            assert (line.moves, line.nodes) == (known["moves"], known["nodes"])
            assert line.mate is not None or str(line.score) == known["eval"]


def test_time_limits_hold():
    engine = kakugo.Engine(hash_mb=8)
    began = time.monotonic()
    line = engine.analyze(kakugo.Board(moves="h8h9"), time=0.2).lines[0]
    assert line.nodes > 0 and time.monotonic() - began < 30


def test_everything_is_documented():
    assert "top left" in kakugo.__doc__
    stubs = (pathlib.Path(__file__).parents[1] / "kakugo.pyi").read_text(encoding="utf-8")
    assert stubs.startswith(f'"""{kakugo.__doc__}')
    for stub in ast.parse(stubs).body:
        for part in [stub, *getattr(stub, "body", [])]:
            if not isinstance(part, (ast.ClassDef, ast.FunctionDef)) or part.name.startswith("_"):
                continue
            value = getattr(kakugo, stub.name)
            value = value if part is stub else getattr(value, part.name)
            # A setter has none.
            text = ast.get_docstring(part) or value.__doc__
            assert text.split() == value.__doc__.split(), f"{stub.name}.{part.name}"
    for name in dir(kakugo):
        value = getattr(kakugo, name)
        if name.startswith("_") or not callable(value):
            continue
        assert value.__doc__, name
        if isinstance(value, type):
            for part in vars(value):
                if not part.startswith("_"):
                    assert getattr(value, part).__doc__, f"{name}.{part}"


def test_size_and_win_length_of_a_file_without_them_can_be_named():
    rec = b"Ann\nBob\n7,7,0\n8,8,0\n0\n"
    assert kakugo.read(rec, "rec")[0].width == 20
    assert kakugo.read(rec, "rec", size=15)[0].width == 15
    assert kakugo.read(rec, "rec", size=15)[0].moves[0] == "h8"
    six = "a1a2b1b2c1c2d1d2e1e2f1"
    assert kakugo.read(six, win_length=6)[0].board().winner == "black"


def test_empty_boards_and_games_are_true():
    assert kakugo.Board() and kakugo.Game()
