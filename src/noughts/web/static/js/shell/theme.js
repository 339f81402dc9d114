// Sets the chosen theme before the first paint. A plain script, because modules run later.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("noughts.prefs") ?? "{}").theme ?? "auto";
} catch {
  // Storage is blocked: use the theme of the system.
}
