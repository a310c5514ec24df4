"""A second reader of tablebases, written from docs/tablebase-format.md alone: it imports nothing of Zermelo's.

It knows the rules of no game. It answers {position: (value, plies, best move)} for all positions at once.
"""

import hashlib
import json
import zlib
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

Answers = dict[str, tuple[int, int | None, str | None]]


class RefusedError(Exception):
    """The file is not one that may be read."""


def read(path: Path) -> tuple[dict[str, Any], str, Answers]:
    """The head, the digest and everything that the file answers."""
    data = path.read_bytes()
    if data[:7] != bytes.fromhex("89 5A 54 42 0D 0A 1A") or data[7] not in (1, 2) or len(data) < 8 + 52:
        raise RefusedError("start")
    length = int.from_bytes(data[-20:-16], "little")
    start = len(data) - 52 - length
    if start < 8 or hashlib.sha256(data[:8] + data[start:-16]).digest()[:16] != data[-16:]:
        raise RefusedError("checksum")
    head = json.loads(zlib.decompress(data[start : start + length], -15))
    chunks = []
    at = 8
    for first, size, crc in zip(*head["chunks"], strict=True):
        packed = data[at : at + size]
        at += size
        if zlib.crc32(packed) != crc:
            raise RefusedError("chunk")
        chunks.append((first, zlib.decompress(packed, -15)))
    if at != start:
        raise RefusedError("lengths")
    if head["kind"] == "board":
        answers = _board(head["game"], chunks)
    else:
        answers = _rows(chunks) if head["kind"] == "rows" else _keyed(chunks)
    return head, data[-52:-20].hex(), answers


def digest(answers: Answers) -> str:
    """The digest that the answers should have."""
    lines = [
        f"{text} {value} {'-' if plies is None else plies} {best or '-'}\n"
        for text, (value, plies, best) in sorted(answers.items())
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _rows(chunks: list[tuple[str, bytes]]) -> Answers:
    answers: Answers = {}
    for first, data in chunks:
        lines = data.decode().split("\n")
        assert lines.pop() == ""
        assert lines[0].split(" ", 4)[4] == first
        for line in lines:
            _ply, value, plies, best, text = line.split(" ", 4)
            answers[text] = (int(value), None if plies == "-" else int(plies), best if plies != "0" else None)
    return answers


def _keyed(chunks: list[tuple[int, bytes]]) -> Answers:
    """Under the states as texts: which position each is, only the rules say, and so which move is best."""
    answers: Answers = {}
    for first, data in chunks:
        count, widths, at = int.from_bytes(data[:4], "little"), data[4:8], 8
        columns: list[list[int]] = []
        for width in widths:
            planes = [data[at + plane * count : at + (plane + 1) * count] for plane in range(width)]
            columns.append([int.from_bytes(item, "little") for item in zip(*planes, strict=True)])
            at += width * count
        assert at == len(data)
        state = first
        for step, value, plies, _ply in zip(*columns, strict=True):
            state += step
            answers[str(state)] = (-(value + 1) // 2 if value % 2 else value // 2, plies - 1 if plies else None, None)
    return answers


def _board(game: str, chunks: list[tuple[int, bytes]]) -> Answers:
    family, _, parameters = game.partition(":")
    width, height = map(int, parameters.split(",")[:2])
    cells = width * height
    bytes_: dict[tuple[int, ...], int] = {}  # by the board as a tuple: 0 empty, 1 X, 2 O
    for first, data in chunks:
        numbers: list[int] = []
        at = number = shift = 0
        while not numbers or len(numbers) < 1 + numbers[0]:
            number |= (data[at] & 127) << shift
            shift += 7
            if data[at] < 128:
                numbers.append(number)
                number = shift = 0
            at += 1
        occupancy = 0
        for step in numbers[1:]:
            occupancy += step
            assert occupancy >= first
            taken = [cell for cell in range(cells) if occupancy >> cell & 1]
            size = comb(len(taken), len(taken) // 2)
            block = data[at : at + size]
            at += size
            for chosen in combinations(range(len(taken)), len(taken) // 2):
                byte = block[sum(comb(n, i) for i, n in enumerate(chosen, 1))]
                if byte == 128:
                    continue
                board = [0] * cells
                for n, cell in enumerate(taken):
                    board[cell] = 2 if n in chosen else 1
                for image in _images(board, width, height, family):
                    bytes_[image] = byte - 256 if byte > 127 else byte
        assert at == len(data)
    return {_text(board, width): _answer(board, bytes_, width, family) for board in bytes_}


def _images(board: list[int], width: int, height: int, family: str) -> set[tuple[int, ...]]:
    grid = [board[row * width : (row + 1) * width] for row in range(height)]
    images = [grid, [row[::-1] for row in grid]]
    if family == "mnk":
        images += [image[::-1] for image in images]
        if width == height:
            images += [[list(column) for column in zip(*image, strict=True)] for image in images]
    return {tuple(cell for row in image for cell in row) for image in images}


def _answer(board: tuple[int, ...], bytes_: dict[tuple[int, ...], int], width: int, family: str) -> Any:
    byte, left = bytes_[board], board.count(0)
    value = (byte > 0) - (byte < 0)
    plies = left + 1 - abs(byte) if byte else left
    if plies == 0:
        return value, 0, None
    cells = [cell for cell in range(len(board)) if not board[cell]]
    if family == "connect":
        lowest = (max((cell for cell in cells if cell % width == column), default=None) for column in range(width))
        cells = [cell for cell in lowest if cell is not None]
    stone = 1 if (len(board) - left) % 2 == 0 else 2
    for cell in cells:
        if bytes_.get((*board[:cell], stone, *board[cell + 1 :])) == byte:
            return value, plies, f"{chr(ord('a') + cell % width)}{cell // width + 1}"
    raise AssertionError(board)


def _text(board: tuple[int, ...], width: int) -> str:
    return "/".join("".join(".XO"[stone] for stone in board[i : i + width]) for i in range(0, len(board), width))
