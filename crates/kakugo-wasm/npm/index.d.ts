/** A rule. */
export type Rule = 'freestyle' | 'standard' | 'renju' | 'caro' | 'caro-overline';

/** Names of points: a list, or a text such as `h8 i9` or `h8i9`. Row 1 is at the bottom. */
export type Points = string[] | string;

/** A position: a board, stones that are set up, and the moves from there. */
export interface Position {
  /** Default: `freestyle`. */
  rule?: Rule;
  /** Columns, 3 to 32. Default: 15. */
  width?: number;
  /** Rows, 3 to 32. Default: 15. */
  height?: number;
  /** Stones in a row that win. Default: 5. */
  winLength?: number;
  /** Points where nobody may play. */
  blocked?: Points;
  /** Black stones that are set up. */
  black?: Points;
  /** White stones that are set up. */
  white?: Points;
  /** The side to move after the stones that are set up. Default: Black if both have as many. */
  turn?: 'black' | 'white';
  /** The moves, of both sides in turn. */
  moves?: Points;
}

/** Bounds of a search. It ends at the first bound it reaches. */
export interface Limits {
  /** Milliseconds. */
  time?: number;
  /** Nodes. */
  nodes?: number;
  /** Depth in plies: moves of either side. */
  depth?: number;
  /** Ends the search. It returns what it has found so far. */
  signal?: AbortSignal;
}

/** A line of play. */
export interface Line {
  /** Rank among the lines of the same depth, from 1 for the best. */
  rank: number;
  /** Depth of the search, in plies. */
  depth: number;
  /** Length of the longest path searched, in plies. */
  selectiveDepth: number;
  /** For the side to move: units (200 are a factor of e in the odds), or `+M5`, a win in 5 plies. */
  score: string;
  /** Expected result for the side to move, from 0 to 1. */
  winRate: number;
  /** Plies to the five if a win or loss is forced. */
  pliesToFive: number | null;
  /** The expected moves of both sides. */
  moves: string[];
  /** Nodes searched so far. */
  nodes: number;
  /** Milliseconds since the search began. */
  ms: number;
}

/** The result of an analysis. */
export interface Analysis {
  /** The best move; null if the game is over. */
  best: string | null;
  /** As in `Line`. */
  score: string;
  /** As in `Line`. */
  winRate: number;
  /** Depth of the last finished iteration, in plies. */
  depth: number;
  /** Nodes searched. */
  nodes: number;
  /** The best lines, best first. */
  lines: Line[];
}

/** A forced win of the side to move. */
export interface ForcedWin {
  /** Fours only (VCF), or fours and open threes (VCT). */
  kind: 'fours' | 'threats';
  /** The moves of both sides up to the five. */
  moves: string[];
  /** False if the line ends before the five. */
  complete: boolean;
}

/** A point that renju forbids to Black. */
export interface ForbiddenPoint {
  point: string;
  foul: 'double-three' | 'double-four' | 'overline';
}

/** The engine. It runs in a worker, which starts with the first request. */
export class Kakugo {
  /**
   * @param options.hashMb Transposition table in MB. Default: 32.
   * @param options.networks False for the classical evaluation, which loads no network.
   */
  constructor(options?: { hashMb?: number; networks?: boolean });
  /** Returns the best move, such as `h8`; null if the game is over. `level`: 1 to 10, the strongest. */
  bestMove(position: Position, limits?: Limits & { level?: number }): Promise<string | null>;
  /** Returns the best lines. `onProgress` is called for each line of each iteration. */
  analyze(position: Position,
    limits?: Limits & { lines?: number; onProgress?: (line: Line) => void }): Promise<Analysis>;
  /** Returns a forced win by fours and open threes; null if none was found within the limits. */
  solve(position: Position, limits?: Limits): Promise<ForcedWin | null>;
  /** Returns the points that renju forbids to Black. */
  forbiddenPoints(position: Position): Promise<ForbiddenPoint[]>;
  /** Returns the number of legal sequences of `depth` moves, at most 8. */
  perft(position: Position, depth: number): Promise<number>;
  /** Searches fixed positions. The signature is the same in every build of a version. */
  bench(options?: { reduction?: number; signal?: AbortSignal }):
    Promise<{ signature: number; ms: number; cases: { nodes: number; ms: number }[] }>;
  /** Forgets earlier searches. */
  newGame(): Promise<null>;
  /** Ends the worker. Open requests are rejected. */
  close(): void;
}
