/** Uses the dark or light theme of the system, also after a change. */
export function followSystemTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => document.documentElement.classList.toggle("pf-v6-theme-dark", dark.matches);
  dark.addEventListener("change", show);
  show();
}
