// Steps through one recorded search or two: shows the parts reached so far and hides the rest.
(() => {
  "use strict";

  /**
   * @typedef {{text: string, choices: string[], right: number}} QuizItem
   * @typedef {{kind: string, node: number, text: string, part: "node"|"pruned"|"more", tally: string, mark: boolean,
   *   writes: Record<string, Record<string, string>>, question: QuizItem|null, picture?: string, code: number[]}} Step
   */

  const OPENS = ["enter", "select"];
  const CLOSES = ["leave", "backpropagate"];
  const byId = (/** @type {string} */ id) => document.getElementById(id);
  const score = { right: 0, asked: 0 };

  /** One search: its steps, its picture, and how far it has been shown. */
  class Panel {
    constructor(/** @type {Step[]} */ steps, /** @type {Element} */ status, /** @type {Element} */ svg) {
      this.steps = steps;
      this.status = status;
      this.svg = svg;
      this.lines = [...svg.closest(".panel").querySelectorAll(".code li")];
      this.parts = { node: this.collect(".node", "id"), pruned: this.collect(".pruned[data-parent]", "parent") };
      this.parts.more = this.collect(".more", "parent");
      this.principal = [...svg.querySelectorAll(".node.pv")];
      this.done = 0;
      this.answered = -1; // the step whose question has been answered
      this.reset();
      this.show();
    }

    /** @returns {Map<number, Element>} the parts of the picture by the number of their node */
    collect(selector, name) {
      return new Map([...this.svg.querySelectorAll(selector)].map((part) => [Number(part.dataset[name]), part]));
    }

    reset() {
      for (const part of [...this.parts.node.values(), ...this.parts.pruned.values(), ...this.parts.more.values()]) {
        part.classList.add("unseen");
        part.classList.remove("open", "current", "pv");
      }
      // The leaf values of a typed tree are given.
      const nodes = this.svg.closest(".typed") ? ".node:not(.leaf)" : ".node";
      for (const text of this.svg.querySelectorAll(`${nodes} > .value, .node .window:not(.note)`)) text.textContent = "";
      this.done = 0;
    }

    /** Takes one step without moving the view. */
    apply(/** @type {Step} */ step) {
      const part = this.partOf(step);
      part.classList.remove("unseen");
      for (const [node, texts] of Object.entries(step.writes)) {
        for (const [name, text] of Object.entries(texts)) {
          const place = this.parts.node.get(Number(node)).querySelector(`.${name}`);
          if (place) place.textContent = text;
        }
      }
      if (OPENS.includes(step.kind)) part.classList.add("open");
      if (CLOSES.includes(step.kind)) part.classList.remove("open");
    }

    partOf(/** @type {Step} */ step) {
      return this.parts[step.part].get(step.node);
    }

    get isAtEnd() {
      return this.done === this.steps.length;
    }

    go(/** @type {number} */ target) {
      const wanted = Math.max(0, Math.min(this.steps.length, target));
      if (wanted < this.done) this.reset();
      const before = this.svg.querySelector(".current");
      before?.classList.remove("current");
      before?.removeAttribute("data-kind");
      while (this.done < wanted) this.apply(this.steps[this.done++]);
      const step = this.steps[this.done - 1];
      const part = step && this.partOf(step);
      part?.classList.add("current");
      part?.setAttribute("data-kind", step.kind);
      if (this.isAtEnd) this.principal.forEach((node) => node.classList.add("pv"));
      this.show();
      part?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    show() {
      const step = this.steps[this.done - 1];
      this.status.querySelector(".message").textContent = step?.text ?? "Press forward, or play.";
      const tally = [`step ${this.done} of ${this.steps.length}`, step?.tally];
      this.status.querySelector(".counts").textContent = tally.filter(Boolean).join(" · ");
      this.status.querySelector(".rollout").innerHTML = step?.picture ?? "";
      this.lines.forEach((line, at) => line.classList.toggle("now", step?.code.includes(at) ?? false));
      if (this.answered !== this.done - 1) this.hideQuestion();
    }

    /** Whether the reader has to predict the next step first. */
    get mustAsk() {
      return byId("predict").checked && !this.isAtEnd && this.steps[this.done].question && this.answered !== this.done;
    }

    get isAsking() {
      return this.status.querySelector(".choices").childElementCount > 0;
    }

    ask() {
      if (this.isAsking) return;
      const { text, choices } = this.steps[this.done].question;
      this.write(text, "");
      this.status.querySelector(".choices").replaceChildren(
        ...choices.map((choice, number) => {
          const button = document.createElement("button");
          button.textContent = choice;
          button.addEventListener("click", () => answer(this, number));
          return button;
        }),
      );
    }

    /** Takes the step that the reader has predicted, and says whether the prediction was right. */
    answer(/** @type {number} */ choice) {
      const { choices, right } = this.steps[this.done].question;
      score.asked += 1;
      score.right += choice === right ? 1 : 0;
      this.answered = this.done;
      this.status.querySelector(".choices").replaceChildren();
      this.go(this.done + 1);
      this.write(choice === right ? "Right." : `No: ${choices[right]}.`, choice === right ? "right" : "wrong");
    }

    write(text, result) {
      const question = this.status.querySelector(".question");
      question.hidden = false;
      question.className = `question ${result}`;
      question.querySelector(".ask").textContent = text;
    }

    hideQuestion() {
      this.status.querySelector(".question").hidden = true;
      this.status.querySelector(".choices").replaceChildren();
    }
  }

  const statuses = document.querySelectorAll(".status");
  const pictures = document.querySelectorAll("main svg.tree");
  /** @type {Panel[]} */
  const panels = JSON.parse(byId("steps").textContent).map((steps, i) => new Panel(steps, statuses[i], pictures[i]));
  let timer = 0;

  /** The searches that the buttons move: both, or one of them. */
  function targets() {
    const chosen = byId("target")?.value ?? "both";
    return chosen === "both" ? panels : [panels[Number(chosen)]];
  }

  function showControls() {
    const moved = targets();
    const longest = moved.reduce((a, b) => (b.steps.length > a.steps.length ? b : a));
    byId("scrub").max = String(longest.steps.length);
    byId("scrub").value = String(longest.done);
    byId("back").disabled = byId("first").disabled = moved.every((panel) => panel.done === 0);
    byId("forward").disabled = byId("last").disabled = moved.every((panel) => panel.isAtEnd);
    byId("next-mark").disabled = !moved.some((panel) => panel.steps.slice(panel.done).some((step) => step.mark));
    byId("score").hidden = !byId("predict").checked;
    byId("score").textContent = `${score.right} of ${score.asked} predicted`;
    panels.forEach((panel) => panel.svg.closest(".panel").classList.toggle("aside", !moved.includes(panel)));
  }

  function move(/** @type {(panel: Panel) => number} */ target) {
    targets().forEach((panel) => panel.go(target(panel)));
    showControls();
  }

  /** Goes one step on, unless the reader has to predict it first. */
  function forward() {
    const asking = targets().filter((panel) => panel.mustAsk);
    if (asking.length) {
      pause();
      asking.forEach((panel) => panel.ask());
      return;
    }
    move((panel) => panel.done + 1);
    if (targets().every((panel) => panel.isAtEnd)) pause();
  }

  function answer(/** @type {Panel} */ panel, /** @type {number} */ choice) {
    panel.answer(choice);
    // The other search takes its step too, unless its own question is still open.
    for (const other of targets()) if (other !== panel && !other.isAsking) other.go(other.done + 1);
    showControls();
  }

  function nextMark() {
    const predicts = byId("predict").checked;
    move((panel) => {
      const ahead = panel.steps.findIndex((step, i) => i >= panel.done && step.mark);
      if (ahead < 0) return panel.done;
      // A reader who predicts is asked about the step instead of being shown it.
      return predicts && panel.steps[ahead].question ? ahead : ahead + 1;
    });
    if (predicts) targets().filter((panel) => panel.mustAsk).forEach((panel) => panel.ask());
  }

  function play() {
    byId("play").textContent = "⏸ pause";
    if (targets().every((panel) => panel.isAtEnd)) move(() => 0);
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

  let zoom = 1;

  /** Draws the trees larger or smaller and keeps the middle of what is shown. */
  function setZoom(/** @type {number} */ wanted) {
    const before = zoom;
    zoom = Math.max(0.25, Math.min(6, wanted));
    for (const { svg } of panels) {
      const frame = svg.parentElement;
      const middle = [frame.scrollLeft + frame.clientWidth / 2, frame.scrollTop + frame.clientHeight / 2];
      svg.style.maxWidth = "none";
      svg.style.width = `${zoom * fitting(svg, frame)}px`;
      frame.scrollLeft = (middle[0] * zoom) / before - frame.clientWidth / 2;
      frame.scrollTop = (middle[1] * zoom) / before - frame.clientHeight / 2;
    }
  }

  /** The width of a tree that is not enlarged: its own, or that of its frame. */
  function fitting(svg, frame) {
    return Math.min(svg.viewBox.baseVal.width, frame.clientWidth);
  }

  /** Two fingers on a tree enlarge it, as they do a photograph. */
  function pinch(/** @type {Element} */ frame) {
    let start = { apart: 0, zoom: 1 };
    const apart = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    frame.addEventListener("touchstart", ({ touches }) => {
      if (touches.length === 2) start = { apart: apart(touches), zoom };
    });
    frame.addEventListener(
      "touchmove",
      (event) => {
        if (event.touches.length !== 2) return;
        event.preventDefault();
        setZoom((start.zoom * apart(event.touches)) / start.apart);
      },
      { passive: false },
    );
  }
  panels.forEach(({ svg }) => pinch(svg.parentElement));

  const actions = {
    larger: () => setZoom(zoom * 1.3),
    smaller: () => setZoom(zoom / 1.3),
    first: () => move(() => 0),
    back: () => move((panel) => panel.done - 1),
    forward,
    "next-mark": nextMark,
    last: () => move((panel) => panel.steps.length),
    play: () => (timer ? pause() : play()),
  };
  for (const [id, action] of Object.entries(actions)) {
    byId(id).addEventListener("click", () => {
      if (!["play", "larger", "smaller"].includes(id)) pause();
      action();
    });
  }
  const keys = {
    ArrowRight: "forward",
    ArrowLeft: "back",
    " ": "play",
    c: "next-mark",
    Home: "first",
    End: "last",
    "+": "larger",
    "-": "smaller",
  };
  /** Whether the focused element itself answers to a key: the space bar presses buttons, arrows move sliders. */
  function usesKey(target, key) {
    if (target.closest?.('select, input[type="range"]')) return true;
    return key === " " && Boolean(target.closest?.("input, button, summary"));
  }
  document.addEventListener("keydown", (event) => {
    if (!keys[event.key] || usesKey(event.target, event.key)) return;
    event.preventDefault();
    byId(keys[event.key]).click();
  });
  byId("scrub").addEventListener("input", () => {
    pause();
    move(() => Number(byId("scrub").value));
  });
  byId("target")?.addEventListener("change", showControls);
  byId("predict").addEventListener("change", () => {
    document.body.classList.toggle("predicting", byId("predict").checked); // even faint branches would tell
    panels.forEach((panel) => panel.hideQuestion());
    showControls();
  });
  showControls();
})();
