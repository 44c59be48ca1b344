//! Examples for `--help` and the man page, for commands that do not define their own.

/// Examples of the program.
pub const PROGRAM: &str = "\
Examples:
  pbrain-kakugo                       speak the Gomocup protocol, for managers
  pbrain-kakugo --level 3             the same, at reduced strength
  pbrain-kakugo play                  open the browser board
  pbrain-kakugo play --text           play in the terminal
  pbrain-kakugo analyze game.sgf      analyse a game move by move
  pbrain-kakugo help match            show the help of a subcommand
";

/// Examples of `match`.
pub const MATCH: &str = "\
Examples:
  pbrain-kakugo match --engine self --engine ./pbrain-other --each turn=100ms --games 20
  pbrain-kakugo match --engine self --engine ./pbrain-other name=Other --each turn=1s \\
      memory=100M --openings balanced:50 --games 100 --concurrency 2 --record games.jsonl
  pbrain-kakugo match --engine ./new name=new --engine ./old name=old --each turn=100ms \\
      --openings balanced:500 --sprt elo0=0,elo1=10 --concurrency 2
  pbrain-kakugo match --engine \"self --level 5\" --engine \"self --level 6\" name=six \\
      --each turn=1s --rule renju --games 40 --openings balanced:20
  pbrain-kakugo match --config match.toml --record games.jsonl --resume
  pbrain-kakugo match report games.jsonl --json        print the result as JSON
";

/// Examples of `check`.
pub const CHECK: &str = "\
Examples:
  pbrain-kakugo check ./pbrain-mine   run all checks
  pbrain-kakugo check \"wine pbrain-mine.exe\" --profile judge --rules freestyle,renju
  pbrain-kakugo check ./pbrain-mine --only start,time.turn --json
  pbrain-kakugo check ./pbrain-mine --zip mine.zip --html report.html
  pbrain-kakugo check --list          list all checks and who requires them
";

/// Examples of `bench`.
pub const BENCH: &str = "\
Examples:
  pbrain-kakugo bench                 the last line is the signature
  pbrain-kakugo bench --net none      measure the classical evaluation
";

/// Examples of `perft`.
pub const PERFT: &str = "\
Examples:
  pbrain-kakugo perft --depth 2
  pbrain-kakugo perft --rule renju --size 9x9 --depth 3
";

/// Examples of `solve`.
pub const SOLVE: &str = "\
Examples:
  pbrain-kakugo solve g8a1h8o1i6a15i7o15
  pbrain-kakugo solve h8i9g7 --to-move black --rule renju --time 5000
  pbrain-kakugo solve problem.sgf --to-move white   set-up stones, whose side is not specified
  pbrain-kakugo solve problems.sgf                  every position of a collection
  pbrain-kakugo solve problems.sgf --check          is the first move unique, how short is the win?
  pbrain-kakugo solve problems.sgf --game 7 --json
  pbrain-kakugo solve problem.sgf --vcf --nodes 100000000   a win by fours with its whole line
  pbrain-kakugo solve --pack renju                  the built-in problems
  pbrain-kakugo solve positions.jsonl --time 500 --unsolved

A line of JSON is one position. Points are [column, row], counted from 0 at the top left. win_moves lists
the first moves that are known to win:
  {\"rule\":0,\"size\":15,\"moves\":[[7,7],[0,0],[8,7],[0,14],[9,7],[14,0]],\"kind\":\"vcf\",\"win_moves\":[[6,7],[10,7]]}
";

/// Examples of `completions`.
pub const COMPLETIONS: &str = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc ~/.config/fish/completions
  pbrain-kakugo completions bash > ~/.local/share/bash-completion/completions/pbrain-kakugo
  pbrain-kakugo completions zsh > ~/.zfunc/_pbrain-kakugo      in a folder of $fpath
  pbrain-kakugo completions fish > ~/.config/fish/completions/pbrain-kakugo.fish
";

/// Examples of `man`.
pub const MAN: &str = "\
Examples:
  pbrain-kakugo man | man -l -
  mkdir -p ~/.local/share/man/man1
  pbrain-kakugo man > ~/.local/share/man/man1/pbrain-kakugo.1
";
