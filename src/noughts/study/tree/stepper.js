// Steps through a recorded search: shows what has been reached so far and hides the rest.
(() => {
  "use strict";

  /**
   * @typedef {{kind: "enter"|"leave"|"cut"|"more", node: number, text: string, of: number|null, value: string,
   *   best: string, alpha: string, beta: string, count: number, ask: string}} Step
   */

  const byId = (/** @type {string} */ id) => document.getElementById(id);
  /** @type {Step[]} */
  const steps = JSON.parse(byId("steps").textContent);
  const svg = document.querySelector("svg.tree");
  const nodes = collect(".node", "id");
  const pruned = collect(".pruned[data-parent]", "parent");
  const more = collect(".more", "parent");
  const principal = [...svg.querySelectorAll(".node.pv")];
  const score = { right: 0, asked: 0 };

  let done = 0; // how many steps have been taken
  let timer = 0;
  let answered = -1; // the step whose question has been answered

  /** @returns {Map<number, Element>} the parts of the picture by the number of their node */
  function collect(selector, name) {
    return new Map([...svg.querySelectorAll(selector)].map((part) => [Number(part.dataset[name]), part]));
  }

  function reset() {
    for (const part of [...nodes.values(), ...pruned.values(), ...more.values()]) {
      part.classList.add("unseen");
      part.classList.remove("open", "current", "pv");
    }
    for (const node of nodes.values()) write(node, { best: "", alpha: "−∞", beta: "+∞" });
    done = 0;
  }

  /** Writes a node's running value and window into the picture. */
  function write(node, { best, alpha, beta }) {
    const put = (selector, text) => {
      const part = node.querySelector(selector);
      if (part) part.textContent = text;
    };
    put(".value", best);
    put(".alpha", `α ${alpha}`);
    put(".beta", `β ${beta}`);
  }

  /** Takes one step without moving the view. */
  function apply(/** @type {Step} */ step) {
    const part = { cut: pruned, more }[step.kind]?.get(step.node) ?? nodes.get(step.node);
    part.classList.remove("unseen");
    if (step.kind === "enter") {
      part.classList.add("open");
      write(part, step);
    }
    if (step.kind === "leave") {
      part.classList.remove("open");
      part.querySelector(".value").textContent = step.value;
      if (step.of !== null) write(nodes.get(step.of), step);
    }
    return part;
  }

  function go(/** @type {number} */ target) {
    const wanted = Math.max(0, Math.min(steps.length, target));
    if (wanted < done) reset();
    svg.querySelector(".current")?.classList.remove("current");
    let part = null;
    while (done < wanted) part = apply(steps[done++]);
    if (!part && done) part = current();
    part?.classList.add("current");
    if (done === steps.length) principal.forEach((node) => node.classList.add("pv"));
    show(part);
  }

  function current() {
    const step = steps[done - 1];
    return { cut: pruned, more }[step.kind]?.get(step.node) ?? nodes.get(step.node);
  }

  function show(part) {
    part?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const taken = steps.slice(0, done);
    const total = (kind) => taken.filter((s) => s.kind === kind).reduce((sum, s) => sum + s.count, 0);
    byId("message").textContent = done ? steps[done - 1].text : "Press forward, or play.";
    byId("counts").textContent = [
      `step ${done} of ${steps.length}`,
      `${plural(total("enter") + total("more"), "node", "nodes")} visited`,
      `${plural(total("cut"), "branch", "branches")} pruned`,
    ].join(" · ");
    byId("scrub").value = String(done);
    byId("back").disabled = byId("first").disabled = done === 0;
    byId("forward").disabled = byId("last").disabled = done === steps.length;
    byId("next-cut").disabled = !steps.slice(done).some((s) => s.kind === "cut");
    byId("score").hidden = !byId("predict").checked;
    byId("score").textContent = `${score.right} of ${score.asked} predicted`;
    hideQuestion();
  }

  const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

  function hideQuestion() {
    if (answered !== done - 1) {
      byId("question").hidden = true;
      byId("question").className = "";
    }
  }

  /** Goes one step on, unless the reader has to predict it first. */
  function forward() {
    if (done === steps.length) return pause();
    const { ask } = steps[done];
    if (byId("predict").checked && ask && answered !== done) {
      pause();
      answered = -1;
      byId("question").className = "";
      byId("question").hidden = false;
      byId("question").querySelector("span").textContent = ask;
      byId("say-pruned").hidden = byId("say-searched").hidden = false;
      return;
    }
    go(done + 1);
    if (done === steps.length) pause();
  }

  function answer(/** @type {boolean} */ saysPruned) {
    const right = saysPruned === (steps[done].kind === "cut");
    score.asked += 1;
    score.right += right ? 1 : 0;
    answered = done;
    go(done + 1);
    byId("question").className = right ? "right" : "wrong";
    byId("question").querySelector("span").textContent = right ? "Right." : "No:";
    byId("say-pruned").hidden = byId("say-searched").hidden = true;
  }

  function nextCut() {
    const ahead = steps.findIndex((step, i) => i >= done && step.kind === "cut");
    if (ahead < 0) return;
    // A reader who predicts is asked about the cutoff instead of being shown it.
    go(byId("predict").checked ? ahead : ahead + 1);
    if (byId("predict").checked) forward();
  }

  function play() {
    byId("play").textContent = "⏸ pause";
    if (done === steps.length) go(0);
    const tick = () => {
      timer = window.setTimeout(tick, 2000 / Number(byId("speed").value));
      forward();
    };
    tick();
  }

  function pause() {
    window.clearTimeout(timer);
    timer = 0;
    byId("play").textContent = "▶ play";
  }

  const actions = {
    first: () => go(0),
    back: () => go(done - 1),
    forward,
    "next-cut": nextCut,
    last: () => go(steps.length),
    play: () => (timer ? pause() : play()),
    "say-pruned": () => answer(true),
    "say-searched": () => answer(false),
  };
  for (const [id, action] of Object.entries(actions)) {
    byId(id).addEventListener("click", () => {
      if (id !== "play") pause();
      action();
    });
  }
  const keys = { ArrowRight: "forward", ArrowLeft: "back", " ": "play", c: "next-cut", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement || !keys[event.key]) return;
    event.preventDefault();
    byId(keys[event.key]).click();
  });
  byId("scrub").max = String(steps.length);
  byId("scrub").addEventListener("input", () => {
    pause();
    go(Number(byId("scrub").value));
  });
  byId("predict").addEventListener("change", () => {
    document.body.classList.toggle("predicting", byId("predict").checked); // even faint branches would tell
    show(null);
  });

  reset();
  show(null);
})();
