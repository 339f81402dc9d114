/** The package in JavaScript, written when the site is built; Python has its own types. */
export const python: any;
