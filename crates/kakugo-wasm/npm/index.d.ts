/** A rule. Names in other cases and the rule numbers of Gomocup are accepted, too. */
export type Rule = 'freestyle' | 'standard' | 'renju' | 'caro' | 'caro-overline';

/** A side. */
export type Side = 'black' | 'white';

/** Names of points: a list, or a text such as `h8 i9` or `h8i9`. Row 1 is at the bottom. */
export type Points = readonly string[] | string;

/**
 * A position: a board, stones that are set up, and the moves from there. Stones that are set up are
 * not moves: none is a forbidden move, and a five of them ends the game. No move may follow the end.
 */
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
  /**
   * The side to move after the stones that are set up. Default: Black, or White if there are more
   * black stones than white ones.
   */
  turn?: Side;
  /** The moves, of both sides in turn. */
  moves?: Points;
}

/**
 * Bounds of a search, which ends at the first bound it reaches. At least one is needed, except for
 * `solve` and for levels 1 to 9. Invalid numbers, such as NaN and Infinity, are rejected.
 */
export interface Limits {
  /** Milliseconds. */
  time?: number;
  /** Nodes. */
  nodes?: number;
  /** Depth in plies: moves of either side. */
  depth?: number;
  /**
   * Ends the search. It returns what it has found so far. On pages without isolation, it rejects
   * with an `AbortError` if that is nothing: see `README.md`.
   */
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
  /** The evaluation for the side to move: 200 units multiply the odds of winning by e. */
  score: number;
  /** Plies to the five of a forced win, negative for a loss; null if not decided. */
  mate: number | null;
  /** The expected result for the side to move: 0 and 1 only if a loss or win is forced. */
  winRate: number;
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
  score: number;
  /** As in `Line`; 0 if the game is over and somebody has won. */
  mate: number | null;
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
  /** True if the line ends with the five. */
  isComplete: boolean;
}

/** What the rules state about a position. */
export interface Status {
  sideToMove: Side;
  /** True if a side has won or the board is full. */
  isOver: boolean;
  /** Null while the game goes on. A forbidden move wins for White. */
  winner: Side | 'draw' | null;
  /** The stones of the winning row; empty if there is none. */
  winningLine: string[];
  /** The points that the side to move may play; empty if the game is over. */
  legalPoints: string[];
}

/** A point that renju forbids to Black. */
export interface ForbiddenPoint {
  point: string;
  foul: 'double-three' | 'double-four' | 'overline';
}

/**
 * The engine. It runs in a worker, which starts with the first request. A program in Node ends when
 * no request is open, even if the engine is not closed.
 */
export class Kakugo {
  /**
   * @param options.hashMb Transposition table in MB. Default: 32.
   * @param options.networks False for the classical evaluation, which loads no network.
   */
  constructor(options?: { hashMb?: number; networks?: boolean });
  /** Returns the best move, such as `h8`; null if the game is over. `level`: 1 to 10, the strongest. */
  bestMove(position: Position, limits: Limits & { level?: number }): Promise<string | null>;
  /**
   * Returns the best lines, among `only` these first moves, or `without` those. `onProgress` is
   * called for each line of each iteration. An exception in it ends the search and rejects the
   * promise.
   */
  analyze(position: Position, limits: Limits & { lines?: number; only?: Points; without?: Points;
    onProgress?: (line: Line) => void }): Promise<Analysis>;
  /**
   * Returns a forced win by fours and open threes; null if none was found within the limits.
   * Without limits, it ends after 200,000 nodes.
   */
  solve(position: Position, limits?: Omit<Limits, 'depth'>): Promise<ForcedWin | null>;
  /** Returns whose turn it is, the result on the board, and the points that may be played. */
  status(position: Position): Promise<Status>;
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
