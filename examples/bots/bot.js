// A bot for node: reads a question a line, answers with a legal move. Make it cleverer where it chooses.
const lines = require("readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { legal } = JSON.parse(line); // also game, position, moves, time_ms
  const move = legal[Math.floor(Math.random() * legal.length)];
  console.log(JSON.stringify({ move }));
});
