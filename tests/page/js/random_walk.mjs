/**
 * Use the page at random for some time, while requests fail now and then, and check after every step that the game is
 * over, or a person is to move, or something is thinking, or an error with a way out is shown. Returns the first
 * problem with the last steps that led to it, or null as the problem. Evaluated in the page.
 */
async ({ seed, milliseconds, steps, failures, stuckMs, isPlaying }) => {
    const { state } = await import("/js/shell/app.js");
    const { mayMoveFriend } = await import("/js/friends/friend.js");
    const { rememberSeat } = await import("/js/friends/friend_seats.js");
    const { draft } = await import("/js/custom/workshop.js");
    const { isLookingBack, mayMove, phaseOf } = await import("/js/play/phase.js");

    // Views are fetched when they are first opened; on a busy machine that would look like a view without content.
    for (const name of [
        "analysis/analysis",
        "learn/learn",
        "custom/workshop",
        "puzzles/puzzles",
        "friends/friend",
        "friends/lobby",
        "home/games",
    ])
        await import(`/js/${name}_view.js`);

    // --- chance ---
    let seeded = seed;
    const chance = () => {
        seeded = (seeded + 0x6d2b79f5) | 0;
        let bits = Math.imul(seeded ^ (seeded >>> 15), 1 | seeded);
        bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
        return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
    };
    const one = (items) => items[Math.floor(chance() * items.length)];
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

    // --- requests: counted, and failing now and then ---
    const realFetch = window.fetch;
    const outstanding = { all: 0, moves: 0, positions: 0 };
    window.fetch = async (path, ...options) => {
        if (chance() < failures) throw new TypeError("the connection is lost");
        const kinds = ["all", path === "/api/move" && "moves", path === "/api/position" && "positions"].filter(
            Boolean,
        );
        for (const kind of kinds) outstanding[kind] += 1;
        try {
            return await realFetch(path, ...options);
        } finally {
            for (const kind of kinds) outstanding[kind] -= 1;
        }
    };

    // --- connections: some are lost soon ---
    const RealSocket = window.WebSocket;
    window.WebSocket = class extends RealSocket {
        constructor(...options) {
            super(...options);
            if (chance() < failures) setTimeout(() => this.close(), 1000 * chance());
        }
    };

    // --- a friend who plays at random, answers offers, and is cut off with the game ---
    const tell = async (path, body) =>
        (
            await realFetch(path, {
                method: "POST",
                headers: { "Content-Type": "application/json" },
                body: JSON.stringify(body),
            })
        ).json();
    let company = null;
    const answerAs = (side, socket, { state: now, type }) => {
        const reply = (message) =>
            setTimeout(() => socket.readyState === 1 && socket.send(JSON.stringify(message)), 60);
        if (type === "refused" || !now) return;
        if (now.offer && now.offer.side !== side) reply({ type: one(["accept", "decline"]), what: now.offer.what });
        else if (!now.outcome && now.position.turn === side)
            reply({ type: "move", ply: now.position.ply, move: one(now.position.legal_cells) });
    };
    const inviteCompany = async () => {
        company?.close();
        const made = await tell("/api/friends", { game: one(GAMES), side: one(["X", "O"]), name: "walker" });
        rememberSeat(made.friend, { token: made.token, side: made.side });
        const { token, side } = await tell(`/api/friends/${made.friend}/claim`, { invite: made.invite, name: "Bob" });
        const socket = (company = new RealSocket(`ws://${location.host}/api/friends/${made.friend}/play`));
        socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token }));
        socket.onmessage = ({ data }) => answerAs(side, socket, JSON.parse(data));
        location.hash = `#friend=${made.friend}`;
    };
    // --- a stranger who challenges everyone ---
    let stranger = null;
    const challengeAll = async () => {
        stranger?.close();
        const made = await tell("/api/friends", {
            game: one(GAMES),
            side: one(["X", "O"]),
            name: one(["", "<b>Eve</b>", "Eve"]),
            is_challenge: true,
        });
        const socket = (stranger = new RealSocket(`ws://${location.host}/api/friends/${made.friend}/play`));
        socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: made.token }));
        socket.onmessage = ({ data }) => answerAs(made.side, socket, JSON.parse(data));
        location.hash = "#view=lobby";
    };
    const join = () => {
        const button = one(find(".lobby .saved :is(button, a)"));
        button?.click();
        return button && `lobby ${nameOf(button)}`;
    };

    // --- steps ---
    const first = navigation.currentEntry.index;
    for (let entry = 0; entry < 10; entry += 1) history.pushState(null, "", location.hash);
    const FORBIDDEN = isPlaying
        ? /save as a file|^load$|analyse|review|make a link|challenge everyone/i
        : /save as a file|^load$/i;
    const visible = (node) => node.checkVisibility() && !node.closest("[inert]");
    const nameOf = (node) => node.getAttribute("aria-label") || node.textContent.trim().slice(0, 30) || node.name;
    const find = (selector) => {
        const root = document.querySelector("dialog[open]") ?? document;
        return [...root.querySelectorAll(selector)].filter(
            (node) => !node.disabled && visible(node) && !FORBIDDEN.test(nameOf(node)),
        );
    };
    const WORDS = "undo redo hint hint hint threats resign swap again board moves help level_master level_elo:900";
    const GAMES = ["3x3", "4x4:3", "5x4:4+gravity", "3x3x3", "ultimate:2", "2x2:2+misere"];
    const KEYS = "ArrowLeft ArrowRight ArrowUp ArrowDown Enter / ? n Escape z Home PageDown".split(" ");
    const VIEWS = [
        "play",
        "play",
        "play",
        "play",
        "play",
        "analyse",
        "learn",
        "games",
        "home",
        "puzzles",
        "own",
        "own",
        "lobby",
    ];

    const STEPS = {
        cell: () => {
            const cell = one(find(".planes [data-cell]"));
            cell?.click();
            return cell && `cell ${cell.dataset.cell}`;
        },
        button: () => {
            const button = one(find("button, label.button, summary"));
            button?.click();
            return button && `press ${nameOf(button)}`;
        },
        step: () => {
            const button = one(find(".tools button, .steps button"));
            button?.click();
            return button && `step ${nameOf(button)}`;
        },
        link: () => {
            const link = one(find('a[href^="#"]'));
            link?.click();
            return link && `follow ${link.getAttribute("href")}`;
        },
        choice: () => {
            const field = one(find("select, input[type=radio], input[type=range], input[type=checkbox]"));
            if (field?.tagName === "SELECT") field.selectedIndex = Math.floor(chance() * field.options.length);
            else if (field?.type === "range")
                field.value = String(+field.min + (field.max - field.min) * chance() ** 3);
            else field?.click();
            field?.dispatchEvent(new Event("change", { bubbles: true }));
            return field && `choose ${field.name} ${field.value}`;
        },
        word: () => {
            const entry = one(find("#entry"));
            if (!entry) return "";
            const names = Object.keys(state.play?.game.names ?? {}).map((cell) => state.play.game.names[cell]);
            const word = one([...WORDS.split(" "), `game_${one(GAMES)}`, one(names) ?? "a1", "nonsense"]).replace(
                "_",
                " ",
            );
            entry.value = word;
            entry.form.requestSubmit();
            return `type ${word}`;
        },
        key: () => {
            const key = one(KEYS);
            const target = document.activeElement ?? document.body;
            target.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: key === "z", bubbles: true }));
            return `key ${key}`;
        },
        canvas: () => {
            const board = one(find(".drawing-board"));
            if (!board) return "";
            const key = one(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", " ", " ", "Enter"]);
            board.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            return `canvas ${key}`;
        },
        friend: () => {
            inviteCompany();
            return "friend";
        },
        stranger: () => {
            challengeAll();
            return "stranger";
        },
        join,
        history: () => {
            const by = navigation.currentEntry.index > first + 5 ? one([-1, -1, 1]) : 1; // never before the walk
            history.go(by);
            return `history ${by}`;
        },
        view: () => {
            const view = one(VIEWS);
            location.hash = `#view=${view}`;
            return `view ${view}`;
        },
        shared: () => {
            location.hash = one(["#game=3x3&moves=0.4.8&ply=1", "#game=2y2", "#game=4x4:3&moves=5&view=analyse"]);
            return `address ${location.hash}`;
        },
    };
    const WEIGHTS = {
        cell: 30,
        step: 15,
        button: 20,
        link: 3,
        choice: 6,
        word: 6,
        key: 6,
        history: 1,
        view: 3,
        shared: 1,
        canvas: 6,
        friend: 1,
        stranger: 1,
        join: 4,
    };
    // A walk that stays in the view of a playthrough does much more there.
    if (isPlaying)
        Object.assign(WEIGHTS, {
            step: 30,
            button: 5,
            link: 0,
            history: 0,
            view: 0,
            shared: 0,
            friend: 0,
            stranger: 0,
        });
    const LOTS = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array(weight).fill(name));

    // --- what must hold ---
    const isOffered = () => document.querySelector(".failure button, .notice .offer") !== null;
    const since = {};
    /** Whether something has held for too long. */
    const lasts = (what, holds) => {
        since[what] = holds ? (since[what] ?? performance.now()) : undefined;
        return holds && performance.now() - since[what] > stuckMs;
    };
    /** Whether an engine is to move that has not been asked; for a moment after its answer that is right. */
    const isIdle = () => state.play && phaseOf(state.play) === "thinking" && outstanding.moves === 0;
    const troubleWithFriend = () => {
        const friend = state.view === "friend" && !state.failed ? state.friend : null;
        const isOpening = friend?.connection === "opening" && !friend.invitation && !friend.state;
        if (lasts("opening", isOpening)) return "a friend game does not open";
        const isUnconfirmed = friend?.connection === "open" && friend.unconfirmed !== null;
        if (lasts("unconfirmed", isUnconfirmed)) return "a move to a friend is never confirmed";
        if (!friend?.state || !friend.game) return null;
        if (!document.querySelector(".status")?.textContent.trim()) return "a friend game has no status";
        if (mayMoveFriend(friend) && !document.querySelector(".planes .cell.legal"))
            return "a person is to move against a friend and cannot";
        return null;
    };
    const problem = () => {
        const isEmpty = document.querySelector("main .waiting:not(:has(.failure))") !== null;
        if (lasts("empty", isEmpty && outstanding.all === 0)) return `nothing is shown in ${state.view}`;
        if (!document.querySelector("main")?.textContent.trim()) return "the page is empty";
        const play = state.play;
        const phase = play && phaseOf(play);
        if (lasts("thinking", isIdle())) return "the engine thinks, but nothing was asked";
        const isUnconfirmed = play !== null && play.pending !== null && outstanding.positions === 0;
        if (lasts("pending", isUnconfirmed)) return "a move was never confirmed";
        const isDraftUnclear = state.view === "own" && !draft.game && !draft.problem && !state.failed && !isOffered();
        if (lasts("draft", isDraftUnclear && outstanding.all === 0)) return "a draft is neither a game nor refused";
        const trouble = troubleWithFriend();
        if (trouble) return trouble;
        if (!play || state.view !== "play" || state.failed) return null;
        const legal = document.querySelectorAll(".planes .cell.legal").length;
        if (!document.querySelector(".status")?.textContent.trim()) return "there is no status";
        if (play.at > play.moves.length || play.position.ply !== play.at) return "the board shows another ply";
        if (play.end.ply !== play.moves.length) return "the end is not the end";
        if (phase === "failed" && !isOffered()) return "an error offers nothing";
        if (phase === "paused" && play.players.X.kind === "person") return "a game of a person is paused";
        if (mayMove(play) && !legal) return "a person is to move and cannot";
        if (phase === "person" && play.pending === null && !isLookingBack(play) && !legal)
            return "no cell can be played";
        return null;
    };

    const trail = [];
    addEventListener("beforeunload", () => console.error(`the page was left: ${trail.slice(-10).join(", ")}`));
    const counts = {};
    const end = performance.now() + milliseconds;
    let step = 0;
    const report = (found) => ({ problem: found, step, counts, trail: trail.slice(-40), view: state.view });
    try {
        for (; step < steps && performance.now() < end; step += 1) {
            const kind = one(LOTS);
            if (isPlaying && state.view !== "play") location.hash = "#view=play";
            const done = STEPS[kind]();
            if (done) {
                counts[kind] = (counts[kind] ?? 0) + 1;
                trail.push(done);
            }
            await pause(chance() < 0.05 ? 300 * chance() : 8 * chance());
            // Other steps could wake up an engine that has fallen silent: now and then, wait for it.
            const until = performance.now() + 2 * stuckMs;
            if (chance() < 0.3) while (isIdle() && !problem() && performance.now() < until) await pause(20);
            const found = problem();
            if (found) {
                // What is being drawn this very moment may be a little behind.
                await pause(30);
                if (problem() === found) return report(found);
            }
        }
        // Left alone, everything comes to rest.
        window.fetch = realFetch;
        company?.close();
        stranger?.close();
        document.querySelector("dialog[open]")?.close();
        await pause(500); // for a step in the history that is on its way
        location.hash = "#view=play";
        const restless = () => {
            if (state.failed) return null;
            const phase = state.play && phaseOf(state.play);
            const isWatched =
                state.play && Object.values(state.play.players).every((player) => player.kind === "engine");
            return phase === "thinking" && !isWatched ? "the engine still thinks" : problem();
        };
        for (let wait = 0; restless() && wait < 600; wait += 1) await pause(50);
        return report(restless());
    } finally {
        window.fetch = realFetch;
        window.WebSocket = RealSocket;
    }
};
