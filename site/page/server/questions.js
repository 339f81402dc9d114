// @ts-check
/** The names of questions by the way they are answered. tools/build-site fills them in from the package. */

export const QUESTIONS =
  /** @type {{constant: string[], thinking: string[], inTurns: string[]}} answers that are files; of the engine; in turns */ (
    /* QUESTIONS */ { constant: [], thinking: [], inTurns: [] }
  );
