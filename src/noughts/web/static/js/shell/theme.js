// The chosen theme, before anything is drawn: a plain script, because modules run after the first paint.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("noughts.prefs") ?? "{}").theme ?? "auto";
} catch {
  // Storage is blocked: the theme of the system.
}
