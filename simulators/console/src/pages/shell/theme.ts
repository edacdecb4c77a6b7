/** Follows the system's dark or light theme, including later changes. */
export function followSystemTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => document.documentElement.classList.toggle("pf-v6-theme-dark", dark.matches);
  dark.addEventListener("change", show);
  show();
}
