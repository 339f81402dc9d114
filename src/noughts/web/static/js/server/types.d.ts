// The requests and answers of the table of questions. Written by `make page-types`; do not edit.

/** All questions by name. */
export interface Questions {
  about: { request: NoRequest; answer: AboutAnswer; progress: never };
  catalogue: { request: NoRequest; answer: CatalogueAnswer; progress: never };
  game: { request: GameRequest; answer: GameAnswer; progress: never };
  position: { request: ShowRequest; answer: PositionAnswer; progress: never };
  setup: { request: SetupRequest; answer: PositionAnswer; progress: never };
  puzzles: { request: NoRequest; answer: PuzzlesAnswer; progress: never };
  daily_puzzle: { request: DayRequest; answer: PuzzleAnswer; progress: never };
  move: { request: MoveRequest; answer: MoveAnswer; progress: never };
  hint: { request: HintRequest; answer: HintAnswer; progress: never };
  analyse: { request: AnalyseRequest; answer: AnalysisAnswer; progress: AnalysisAnswer };
  judge: { request: JudgeRequest; answer: JudgeAnswer; progress: never };
  review: { request: ReviewRequest; answer: ReviewAnswer; progress: StepProgress };
  solve: { request: SolveRequest; answer: SolutionAnswer; progress: SolveProgressAnswer };
  puzzle: { request: PuzzleRequest; answer: MadePuzzleAnswer; progress: never };
  trace: { request: TraceRequest; answer: TraceAnswer; progress: never };
  compare: { request: CompareRequest; answer: ComparisonAnswer; progress: ComparisonProgress };
  learn: { request: LearnRequest; answer: LearningAnswer; progress: never };
  import: { request: ImportRequest; answer: ImportAnswer; progress: never };
  export: { request: ExportRequest; answer: ExportAnswer; progress: never };
  change_game: { request: GameChange; answer: SavedRecord; progress: never };
  show_game: { request: SavedRecord; answer: SavedPlaythroughAnswer; progress: never };
}

/** The server, its features and its limits. */
export interface AboutAnswer {
  version: string;
  /** Raised when fields of requests or answers are renamed or removed. */
  api_version: number;
  levels: string[];
  algorithms: string[];
  orders: string[];
  evaluations: string[];
  labels: string[];
  /** Usual time controls, to choose from. */
  time_controls: TimeControlAnswer[];
  is_local: boolean;
  /** Whether friends can be invited by a link. */
  has_friends: boolean;
  /** Whether the page can check certificates. */
  checks_proofs: boolean;
  /** The most that each question may ask for; null is no bound. */
  limits: Record<string, PublicBounds>;
}

/** A move, an offer, the answer to one, or an emote. */
export interface ActionMessage {
  type: "move" | "offer" | "accept" | "decline" | "emote";
  ply?: number | null;
  move?: number | string | null;
  what?: Offer | null;
  emote?: string | null;
}

/** A position to analyse. */
export interface AnalyseRequest extends SearchRequest {
  /** Number of moves to return. */
  lines?: number;
  /** Return every legal move instead. */
  every?: boolean;
  /** Whether this continues an analysis whose time was up. */
  resumed?: boolean;
}

/** The best moves with their lines, best first. */
export interface AnalysisAnswer {
  game: string;
  position: string;
  turn: Side;
  depth: number;
  nodes: number;
  moves: Candidate[];
  /** Why a finished analysis ended; null while it is in progress. */
  reason: "limit" | "proven" | "stopped" | null;
}

/** A move worth considering: its evaluation for the side that makes it, and the expected line of play. */
export interface Candidate extends Evaluation {
  move: string;
  cell: number;
  /** The expected line of play, beginning with the move. */
  line: string[];
  /** The line as cell numbers. */
  cells: number[];
}

/** The catalogue. */
export interface CatalogueAnswer {
  games: CatalogueEntry[];
}

/** A game of the catalogue. */
export interface CatalogueEntry extends GameSummary {
  /** The cells of a short playthrough, for a small picture of the game. */
  sample: number[];
}

/** An invitation, exchanged for the free side of a friend game. */
export interface ClaimRequest {
  invite: string;
  name?: string;
}

/** The clocks at the time of the answer, in seconds; `running` is the side whose clock runs. */
export interface ClockAnswer {
  control: string;
  left: Record<Side, number>;
  running: Side | null;
}

/** The clocks of the match that a move is for: its time control, and the seconds that each side has left. */
export interface ClockRequest {
  /** Minutes plus seconds per move, or with units: `5+3`, `90s`, `40/5`. */
  control: string;
  left: Record<Side, number>;
}

/** Textbook searches to compare. */
export interface CompareRequest extends PositionRequest {
  /** Depth of the searches; null: to the end. */
  depth?: number | null;
  evaluate?: string;
  /** Time limit for each search, in seconds. */
  seconds?: number;
}

/** Effort of one search. */
export interface ComparedSearch {
  algorithm: string;
  order: string;
  label: string;
  nodes: number | null;
  seconds: number | null;
  nodes_per_second: number | null;
  reduction: number | null;
  move: string | null;
  cell: number | null;
  value: number | null;
  note: string;
}

/** Textbook searches compared on a position. */
export interface ComparisonAnswer {
  name: string;
  game: string;
  position: string;
  depth: number | null;
  evaluate: string;
  tree: TreeSize;
  whole_tree: TreeSize;
  rows: ComparedSearch[];
}

/** The search that runs, and the number of nodes it has visited. */
export interface ComparisonProgress {
  text: string;
  nodes: number;
}

/** A day. */
export interface DayRequest {
  date: string;
}

/** The question or message could not be served. */
export interface ErrorMessage {
  type: "error";
  error: string;
}

/** The evaluation of a position or a move for one side: a proven `value` or an estimated `score`. */
export interface Evaluation {
  /** Proven with best play from both sides; null if it is not proven. */
  value: Value | null;
  /** A proven win or loss takes at most this many plies, if that is known. */
  plies: number | null;
  /** The engine's estimate; null if the value is proven. */
  score: number | null;
  /** The expected share of the point: 1 for a win, a half for a draw. */
  chance: number;
  /** The origin of the evaluation. */
  source: Source;
  /** In words; an estimate as the chance to win: `win in 3 moves`, `57 %`. */
  text: string;
}

/** A file. */
export interface ExportAnswer {
  text: string;
  filename: string;
}

/** A playthrough to write to a file. */
export interface ExportRequest extends PlaythroughRequest {
  tags?: Record<string, string>;
  /** By ply. */
  comments?: Record<string, string>;
  format?: "ngn" | "sgf";
}

/** The kinds of search trees, which differ in the numbers at their nodes. */
export type Family = "depth_first" | "monte_carlo" | "proof_number";

/** A new friend game: your side, and the invitation for the other one. */
export interface FriendAnswer extends JoinAnswer {
  invite: string;
}

/** A game to play with a friend. */
export interface FriendRequest extends TimedRequest {
  side?: Side | "random";
  name?: string;
}

/** A friend game as everyone may see it. */
export interface FriendState {
  friend: string;
  version: number;
  /** A game as requests name it: an id, or the object of a custom game. */
  data: string | Record<string, unknown>;
  position: PositionAnswer;
  players: Record<Side, string>;
  presence: Record<Side, "here" | "away" | "open">;
  watching: number;
  offer: OfferState | null;
  outcome: OutcomeAnswer | null;
  clock: ClockAnswer | null;
  series: SeriesAnswer;
  next: string | null;
}

/** Everything needed to draw a game. */
export interface GameAnswer extends GameSummary {
  dimensions: number[] | null;
  block_size: number | null;
  blocks: number;
  has_gravity: boolean;
  is_misere: boolean;
  options: string[];
  /** The name of each cell, as moves are written. */
  names: string[];
  coordinates: number[][];
  panels: PanelAnswer[];
  /** The winning lines. */
  lines: number[][];
  outer_lines: number[][] | null;
  block_of: number[] | null;
  /** How to type a move. */
  how_to_type: string;
  /** The outcomes by resignation and on time, for each winner. */
  forfeits: OutcomeAnswer[];
  /** A game as requests name it: an id, or the object of a custom game. */
  data: string | Record<string, unknown>;
}

/** A request to save a game under an id, which may have a record already; `now` is the time in ISO format. */
export interface GameChange {
  id: number;
  request: SaveRequest;
  old: SavedRecord | null;
  now: string;
}

/** A game. */
export interface GameRequest {
  /** An id, an alias, or a custom game as an object. */
  game: string | Record<string, unknown>;
}

/** A game in a few words. */
export interface GameSummary {
  /** For example `4x4x4`. */
  id: string;
  /** An alias if there is one: `qubic`. */
  name: string;
  /** The name for people: `Qubic`. */
  title: string;
  about: string;
  family: "flat" | "cube" | "hyper" | "ultimate" | "custom";
  /** The number of cells. */
  cells: number;
  /** The number of marks in a line. */
  k: number;
}

/** The outcome of a playthrough that did not end by the rules of its game. */
export interface GivenResult {
  reason: Termination;
  winner?: Side | null;
}

/** The task of a puzzle. */
export type Goal = "win" | "draw";

/** The evaluation for X of the position after `ply` moves. */
export interface GraphPoint extends Evaluation {
  ply: number;
}

/** The first message of a client: a player's token, or none to watch. */
export interface HelloMessage {
  type: "hello";
  token?: string | null;
}

/** A hint with all its steps: an idea, an area, candidates, the best move and the reasons for it. */
export interface HintAnswer extends Candidate {
  game: string;
  position: string;
  turn: Side;
  /** A hint that does not give the move away. */
  idea: string;
  /** The cells of a part of the board with the move in it. */
  area: number[];
  area_name: string;
  candidates: Candidate[];
  /** The reasons for the move. */
  why: string[];
  /** The verdict on the move that was asked about. */
  proposal: ProposalAnswer | null;
}

/** A position to give a hint for. */
export interface HintRequest extends SearchRequest {
  /** A legal move to compare with the best one. */
  move?: number | string | null;
}

/** The id of a saved game. */
export interface IdAnswer {
  id: number;
}

/** The playthroughs of a file. */
export interface ImportAnswer {
  plays: PlaythroughAnswer[];
}

/** A file with playthroughs. */
export interface ImportRequest {
  text: string;
  format?: "ngn" | "sgf" | null;
}

/** A side of a friend game. The token gives control of that side: keep it secret. */
export interface JoinAnswer {
  friend: string;
  side: Side;
  token: string;
}

/** The evaluation of a position for the side to move, and all legal moves with their regrets, best first. */
export interface JudgeAnswer extends Evaluation {
  game: string;
  position: string;
  turn: Side;
  /** All moves that give nothing away, the best first. */
  best: string[];
  moves: JudgedMoveAnswer[];
  /** The verdict on the proposed move. */
  proposal: ProposalAnswer | null;
  limit: string;
}

/** A position whose moves are to be judged. */
export interface JudgeRequest extends SearchRequest {
  /** A proposed move: text in any notation, or a cell number. Anything else is invalid. */
  move?: unknown;
}

/** A legal move with its regret. */
export interface JudgedMoveAnswer extends Candidate {
  /** What the move gives away: 1 turns a win into a draw or a draw into a loss; 2 turns a win into a loss. */
  regret: number;
  /** Whether the regret is proven, not estimated. */
  is_exact: boolean;
}

/** The judgement of a move. */
export type Label = "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "missed win";

/** A textbook learner to train. */
export interface LearnRequest extends GameRequest {
  algorithm?: "q_learning" | "td_learning";
  playthroughs?: number;
  /** Probability of a random move. */
  exploration?: number;
  learning_rate?: number;
  seed?: number;
}

/** A learning curve. */
export interface LearningAnswer {
  curve: LearningPoint[];
  /** False: the time was up before the last playthrough. */
  is_whole: boolean;
}

/** Results of 100 playthroughs against a random player, half of them as X, after some training. */
export interface LearningPoint {
  playthroughs: number;
  wins: number;
  draws: number;
  losses: number;
}

/** The puzzle made of a position; null if its solution is not the only one, or not proven to be. */
export interface MadePuzzleAnswer {
  puzzle: PuzzleAnswer | null;
}

/** A move of a level, and the position after it. */
export interface MoveAnswer {
  move: string;
  cell: number;
  level: string;
  /** The Elo rating of the level in this game. */
  rating: number;
  /** Whether the ratings of this game were measured; others are estimates. */
  is_measured: boolean;
  /** Whether the value of a move from the book is proven; null for others. */
  book: "proven" | "not proven" | null;
  /** The position after the move. */
  position: PositionAnswer;
}

/** A position for the engine to move in. */
export interface MoveRequest extends SearchRequest {
  /** Playing strength: random, beginner, easy, difficult, insane, master, or a rating from elo:0 to elo:3000. */
  level?: string;
  /** The engine chooses how much of its time to spend. */
  clock?: ClockRequest | null;
  /** Makes the moves of levels below master repeatable. */
  seed?: number | null;
}

/** A question without any fields. */
export interface NoRequest {
}

/** What is known of the exact value of a node: that it is the value found, at least that, or at most that. */
export type NodeBound = "" | "≥" | "≤";

/** An offer to the opponent. */
export type Offer = "draw" | "takeback" | "rematch";

/** An offer that has not been answered. */
export interface OfferState {
  what: Offer;
  side: Side;
}

/** The outcome of a playthrough. */
export interface OutcomeAnswer {
  winner: Side | null;
  reason: Termination;
  /** Of X, then of O. */
  points: number[];
  /** For example `X wins on the diagonal`. */
  text: string;
  /** How the winner won, to follow a name and `wins`: `on the diagonal`. */
  how: string;
}

/** A flat part of a board, top row first. */
export interface PanelAnswer {
  title: string;
  columns: string[];
  rows: string[];
  cells: number[][];
}

/** A move of a side. */
export interface PlayedMove {
  move: string;
  cell: number;
  side: Side;
}

/** A playthrough. */
export interface PlaythroughAnswer {
  game: string;
  /** A game as requests name it: an id, or the object of a custom game. */
  data: string | Record<string, unknown>;
  start: string | null;
  /** The moves. */
  line: string[];
  /** The moves, as cell numbers. */
  cells: number[];
  tags: Record<string, string>;
  result: string;
  outcome: OutcomeAnswer | null;
  /** By ply. */
  comments: Record<string, string>;
  /** By ply. */
  evals: Record<string, string>;
  /** The mover's time left after each move, in seconds. */
  clocks: (number | null)[];
}

/** A playthrough, perhaps with a result that its moves do not show. */
export interface PlaythroughRequest extends PositionRequest {
  result?: GivenResult | null;
}

/** Everything needed to draw and to announce a position. */
export interface PositionAnswer {
  game: string;
  /** The position string: `o2/1x1/3 x`. */
  position: string;
  /** The side to move; null when the game is over. */
  turn: Side | null;
  /** The position string of the start; null for the empty board. */
  start: string | null;
  /** The moves so far. */
  line: string[];
  /** The moves so far, as cell numbers. */
  cells: number[];
  ply: number;
  /** The mark on each cell; `.` is an empty one: `O...X....`. */
  marks: string;
  /** The board as text, if it was asked for. */
  board: string | null;
  legal_moves: string[];
  legal_cells: number[];
  last_cell: number | null;
  is_over: boolean;
  winner: Side | null;
  outcome: OutcomeAnswer | null;
  /** In Ultimate a line of blocks. */
  winning_line: number[] | null;
  winning_cells: number[];
  /** In Ultimate the owner of each block; `.` is an open one, `-` one that is full without an owner. */
  blocks: string | null;
  open_blocks: number[] | null;
  block_to_play: number | null;
  /** The block to play, in words: `the middle block`. */
  place_to_play: string | null;
  /** The cells with which each side would complete a line. */
  threats: Record<Side, number[]>;
  /** For example `X to move`. */
  status: string;
  /** The last move in words: `O plays a3.` */
  announcement: string;
}

/** A position: a game, its starting position, and the moves played since. */
export interface PositionRequest extends GameRequest {
  /** A position string; null for the empty board. */
  start?: string | null;
  /** Cell numbers, or moves as typed. */
  moves?: (number | string)[];
  /** The position string, in place of `start` and `moves`; with moves, the position that they lead to. */
  position?: string | null;
}

/** A proposed move and its verdict; the judged move is null if it cannot be played, and `message` says why. */
export interface ProposalAnswer {
  proposed: unknown;
  verdict: Verdict;
  judged: JudgedMoveAnswer | null;
  /** The effects of the move. */
  reasons: string[];
  message: string;
}

/** The most that a stranger may ask for. Adapters that serve strangers check it; others do not. */
export interface PublicBounds {
  seconds: number | null;
  nodes: number | null;
  cells: number | null;
}

/** A position with one solution. The first `steps` moves of the solver in `line` are the only right ones. */
export interface PuzzleAnswer {
  id: string;
  game: string;
  /** The name of the game. */
  title: string;
  start: string;
  turn: Side;
  /** The task: `X wins in 3 moves`. */
  text: string;
  goal: Goal;
  line: string[];
  cells: number[];
  steps: number;
  rating: number;
}

/** A position that may be a puzzle. */
export interface PuzzleRequest extends PositionRequest {
}

/** The puzzles that come with the package, in an order that stays the same. */
export interface PuzzlesAnswer {
  puzzles: PuzzleAnswer[];
}

/** The dark modules of a QR code as the path of an SVG; the quiet zone around them is not included. */
export interface QrAnswer {
  /** Modules on each side. */
  size: number;
  path: string;
}

/** A text, usually a link. */
export interface QrRequest {
  text: string;
}

/** Number of jobs that are served before this question. */
export interface QueuedMessage {
  type: "queued";
  ahead: number;
}

/** A question about the next step, for a reader who predicts it; `right` is the number of the right choice. */
export interface QuizAnswer {
  text: string;
  choices: string[];
  right: number;
}

/** Answer to an action that was refused, with the state that holds; without a state the connection is closed. */
export interface RefusedMessage {
  type: "refused";
  error: string;
  ply: number | null;
  state: FriendState | null;
}

/** A step of a search in words. It makes a part of the tree visible and changes texts at nodes. */
export interface ReplayStep {
  /** enter, leave, cut; in a grown tree select, expand, simulate, backpropagate. */
  kind: string;
  part: "node" | "pruned" | "more";
  node: number;
  text: string;
  tally: string;
  /** Whether it is a cutoff or the beginning of a round. */
  mark: boolean;
  /** New texts by node and name. */
  writes: Record<string, Record<string, string>>;
  question: QuizAnswer | null;
  /** The moves of a simulation. */
  rollout: PlayedMove[];
  /** The lines of `pseudocode` that it carries out, from 0. */
  code: number[];
}

/** The resignation of the player who holds this token. */
export interface ResignRequest {
  token: string;
}

/** A review of a playthrough. */
export interface ReviewAnswer {
  game: string;
  /** The name of X. */
  x: string | null;
  o: string | null;
  result: string;
  termination: string | null;
  start: string | null;
  limit: string;
  accuracy: Record<Side, number | null>;
  /** The number of moves with each label. */
  labels: Record<Side, Record<Label, number>>;
  moves: ReviewedMove[];
  graph: GraphPoint[];
}

/** A playthrough to review. The seconds are for the whole review, depth and nodes for each position. */
export interface ReviewRequest extends SearchRequest {
  result?: GivenResult | null;
  tags?: Record<string, string>;
}

/** A move under review; evaluations are for the side that moved. */
export interface ReviewedMove {
  ply: number;
  side: Side;
  move: string;
  cell: number;
  label: Label;
  /** The best known move: the move itself if no better one was found. */
  best: string;
  best_cell: number;
  /** The expected line of play, beginning with the best move. */
  line: string[];
  cells: number[];
  before: Evaluation;
  after: Evaluation;
  before_for_x: Evaluation;
  after_for_x: Evaluation;
  /** The share of the point that the move gave away. */
  cost: number;
  /** From 100 for a move that costs nothing to 0 for one that turns a win into a loss. */
  accuracy: number;
  /** The number of legal moves. */
  choices: number;
}

/** Something that happened in a room, sent to everyone in it. */
export interface RoomEvent {
  kind: "move" | "joined" | "presence" | "offer" | "declined" | "takeback" | "resign" | "draw" | "time" | "rematch" | "emote" | "repeated";
  side: Side | null;
  ply: number | null;
  move: string | null;
  cell: number | null;
  /** The offer or the emote. */
  name: string | null;
}

/** A playthrough to save. */
export interface SaveRequest extends PlaythroughRequest, TimedRequest {
  /** A random text chosen by the client: saving again with the same key changes the same game. */
  key?: string | null;
  x?: string;
  o?: string;
  /** The mover's time left after each move, in seconds. */
  clocks?: (number | null)[];
}

/** Summary of a saved game. */
export interface SavedGame {
  id: number;
  game: string;
  /** The name of the game for people: `Qubic`. */
  title: string;
  x: string;
  o: string;
  plies: number;
  started: string;
  updated: string;
  outcome: OutcomeAnswer | null;
  source: string;
}

/** The saved games, the most recent first. */
export interface SavedGamesAnswer {
  games: SavedGame[];
}

/** A saved game. */
export interface SavedPlaythroughAnswer extends PlaythroughAnswer {
  id: number;
  x: string;
  o: string;
}

/** A saved game: the request that saved it last, and its summary. */
export interface SavedRecord {
  id: number;
  request: SaveRequest;
  summary: SavedGame;
}

/** A position to think about. With a limit on nodes or depth alone and the same saved values it is reproducible. */
export interface SearchRequest extends PositionRequest {
  /** Thinking time limit in seconds; the default is used if there is no limit at all. */
  seconds?: number | null;
  /** Plies to look ahead. */
  depth?: number | null;
  /** Positions to visit. */
  nodes?: number | null;
}

/** The score of a game and the games before it, of which it is the rematch. */
export interface SeriesAnswer {
  /** Games won by the player of each side of this game. */
  won: Record<Side, number>;
  drawn: number;
}

/** A board that was set up by hand. */
export interface SetupRequest extends GameRequest {
  /** The mark on each cell; `.` is an empty one. */
  marks: string;
  /** In Ultimate; null for any block. */
  block_to_play?: number | null;
}

/** A position to describe. */
export interface ShowRequest extends PositionRequest {
  /** Whether to draw the board as text, too. */
  board?: boolean;
}

/** X, who moves first, or O. Prints as and equals `"X"` or `"O"`. */
export type Side = "X" | "O";

/** The value of a position with best play, for the side to move, or bounds for it. */
export interface SolutionAnswer {
  game: string;
  position: string;
  turn: Side | null;
  /** Null if it is not proven; then there are bounds. */
  value: Value | null;
  lower: Value;
  upper: Value;
  /** A proven win or loss takes at most this many plies, if that is known. */
  plies: number | null;
  /** A move that keeps the value. */
  move: string | null;
  cell: number | null;
  nodes: number;
  /** `store` if the value was known from an earlier solve. */
  source: Source;
}

/** Progress of a proof. */
export interface SolveProgressAnswer {
  text: string;
  nodes: number;
  /** The estimated share of the work that is done, then the ends of its range; null while it is unknown. */
  done: number[] | null;
  proof: number;
  disproof: number;
  attacker: Side | null;
  nodes_per_second: number;
  /** The use of the table, in thousandths. */
  hashfull: number;
  table_bytes: number;
  /** The line of play under study. */
  line: string[];
  /** The line as cell numbers. */
  cells: number[];
}

/** A position to solve. */
export interface SolveRequest extends PositionRequest {
  /** Time limit in seconds. */
  seconds?: number | null;
  /** Limit on positions to visit. */
  nodes?: number | null;
  /** Whether a value of the opening book is enough, which has no certificate. */
  book?: boolean;
}

/** The origin of an evaluation. */
export type Source = "store" | "book" | "solver" | "search" | "rules";

/** The number of positions that are judged. */
export interface StepProgress {
  done: number;
  of: number;
}

/** The question was stopped before it had an answer. */
export interface StoppedMessage {
  type: "stopped";
}

/** Why a playthrough ended. Prints as and equals its text. */
export type Termination = "line" | "full" | "count" | "time" | "resign" | "agreement" | "illegal" | "crash";

/** A time control; times in seconds. */
export interface TimeControlAnswer {
  /** For example `5+3`. */
  text: string;
  seconds: number;
  increment: number;
}

/** A game that may have a time control. */
export interface TimedRequest extends PositionRequest {
  time_control?: string | null;
}

/** The search tree of a real run; see docs/trace-format.md. */
export interface TraceAnswer extends TraceData {
  /** False: the search was longer, these are its first nodes. */
  is_whole: boolean;
  /** The steps of all passes in words, if they were asked for. */
  replay: ReplayStep[];
  /** The search in pseudocode, line by line; empty if there is none. */
  pseudocode: string[];
}

/** A branch of a typed tree, visited or not. */
export interface TraceBranch {
  /** Null unless it ends in a leaf. */
  value: number | null;
  children: number[];
}

/** Totals of a trace. */
export interface TraceCounts {
  visited: number;
  pruned: number;
  cutoffs: number;
  passes: number;
}

/** All passes of a trace, as files and answers hold them. */
export interface TraceData {
  format: string;
  version: number;
  /** Null for a typed tree. */
  game: TraceGame | null;
  position: string;
  /** The text of a typed tree. */
  leaves: string | null;
  /** All of a typed tree, by their numbers; the first is the root. */
  branches: TraceBranch[];
  marks: (Side | null)[];
  names: string[];
  algorithm: string;
  family: Family;
  options: Record<string, string | number | boolean | null>;
  value: number | null;
  principal: number[];
  counts: TraceCounts;
  nodes: TraceNode[];
  steps: TraceStep[];
}

/** The game of a trace. */
export interface TraceGame {
  id: string;
  /** A game as requests name it: an id, or the object of a custom game. */
  data: string | Record<string, unknown>;
  cells: number;
  dimensions: number[] | null;
  block_size: number | null;
  coordinates: number[][];
}

/** A node of a trace; values are from X's side, null stands for infinity or unknown. */
export interface TraceNode {
  id: number;
  parent: number | null;
  move: string | null;
  cell: number | null;
  side: Side | null;
  winner: Side | null;
  alpha: number | null;
  beta: number | null;
  value: number | null;
  /** ≥ or ≤ if the exact value is only known to be at least or at most `value`. */
  bound: NodeBound;
  note: string;
  entered: number;
  left: number | null;
  legal: number[];
  pruned: number[];
  cutoff: string;
  attacker: Side | null;
  /** In a grown tree, by name: visits, value, proof, … */
  numbers: Record<string, number | null>;
}

/** A textbook search to record, of a position or of a tree with typed leaf values. */
export interface TraceRequest extends PositionRequest {
  /** Leaf values of a tree to search in place of a position: spaces between the leaves of a node, `/` between nodes, `//` a level above, brackets for other shapes, `min:` before them if MIN moves first. */
  leaves?: string | null;
  algorithm?: string;
  order?: string;
  evaluate?: string;
  /** Depth of the search, of rollouts in mcts; null: to the end. */
  depth?: number | null;
  /** Rounds of Monte-Carlo tree search. */
  simulations?: number;
  /** Maximum number of nodes to record. */
  nodes?: number;
  /** Whether to answer with the steps in words and questions about them, too. */
  replay?: boolean;
}

/** A step of a search that grows a tree. */
export interface TraceStep {
  phase: string;
  node: number;
  numbers: Record<string, number | null>;
  rollout: number[];
  bounds: (Record<string, number | null>)[];
}

/** The number of nodes plain minimax would visit, root included: exact, or an estimate. */
export interface TreeSize {
  nodes: number;
  is_exact: boolean;
}

/** An event, and the state after it. */
export interface UpdateMessage {
  type: "state";
  event: RoomEvent;
  state: FriendState;
}

/** The proven value of a position for one side, usually the side to move. Prints as and equals its text. */
export type Value = "win" | "draw" | "loss";

/** The judgement of a proposed move. Prints as and equals its text. */
export type Verdict = "best" | "worse" | "illegal" | "invalid";

/** First message to a connection: the side it plays, or null if it watches. */
export interface WelcomeMessage {
  type: "welcome";
  side: Side | null;
  state: FriendState;
}
