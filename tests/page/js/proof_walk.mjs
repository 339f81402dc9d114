// Plays the games of a file of cases again: the page's walk through a proof must give the answers of the package's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { parseProof } from "../../../src/noughts/web/static/js/proof/nodes.js";
import { answerOf, begin, follow } from "../../../src/noughts/web/static/js/proof/walk.js";

const { text, game, games } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const proof = parseProof(new TextEncoder().encode(text));
for (const { claim: at, places, moves } of games) {
    const claim = proof.claims[at];
    let walk = begin(proof, claim, game);
    places.forEach(({ position, expected }, ply) => {
        const isReply = position.turn !== claim.side;
        const name = () => `claim ${at}, ${moves.slice(0, ply).join(" ")}`;
        if (!isReply) assert.deepEqual(answerOf(walk, game, position), expected, name());
        if (moves[ply] === undefined) return;
        walk = follow(walk, game, position, moves[ply], isReply);
        assert.ok(walk, name());
    });
}
