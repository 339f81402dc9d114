// @ts-check
/** The tree as it is shown, as a picture for slides: an SVG with its style inside, or a PNG. */

import { saveBlob } from "../play/files.js";

/** The properties of the style that the drawing uses. */
const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font",
  "text-anchor",
  "opacity",
  "paint-order",
];
const PIXELS = 3;

/** Save the tree in a panel. @param {Element | null} panel @param {"svg" | "png"} kind */
export async function savePicture(panel, kind) {
  const shown = panel?.querySelector(".canvas svg");
  if (!(shown instanceof SVGSVGElement)) return;
  const svg = new Blob([drawingOf(shown)], { type: "image/svg+xml" });
  saveBlob(kind === "svg" ? svg : await paint(shown, svg), `tree.${kind}`);
}

/** @param {SVGSVGElement} shown */
function drawingOf(shown) {
  const copy = /** @type {SVGSVGElement} */ (shown.cloneNode(true));
  const [before, after] = [shown, copy].map((svg) => /** @type {SVGElement[]} */ ([...svg.querySelectorAll("*")]));
  before.forEach((element, at) => copyStyle(element, after[at]));
  const { width, height } = shown.viewBox.baseVal;
  copy.removeAttribute("style");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** @param {SVGElement} from @param {SVGElement} to */
function copyStyle(from, to) {
  const style = getComputedStyle(from);
  for (const name of PROPERTIES) to.style.setProperty(name, style.getPropertyValue(name));
}

/** @param {SVGSVGElement} shown @param {Blob} svg @returns {Promise<Blob>} */
async function paint(shown, svg) {
  const { width, height } = shown.viewBox.baseVal;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [PIXELS * width, PIXELS * height];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = getComputedStyle(/** @type {Element} */ (shown.parentElement)).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await svg.text())}`;
  await image.decode();
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large for this browser")))),
  );
}
