// @ts-check
// Clocks in seconds.
import { float } from "../runtime/index.js";

export const $monotonic = () => float(performance.now() / 1000);
export const $perf_counter = $monotonic;
export const $time = () => float(Date.now() / 1000);
