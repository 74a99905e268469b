// Runs before the first paint: the chosen theme must not flash. The same key is written by shell/frame/theme.ts.
(() => {
  const theme = localStorage.getItem("office-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
})();
