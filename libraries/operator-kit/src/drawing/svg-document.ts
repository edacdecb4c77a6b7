export interface SvgDocument {
  readonly width: number;
  readonly height: number;
  /** Title of the drawing. Screen readers read it. */
  readonly title: string;
  readonly description: string;
  /** CSS of this drawing. `dark` applies if the viewer prefers a dark color scheme. */
  readonly style: { readonly light: string; readonly dark: string };
  /** SVG elements. Their text must already be escaped. */
  readonly elements: readonly string[];
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

/** Returns a complete SVG file. It has a title and a description for screen readers and supports light and dark color schemes. */
export function svgDocument({ width, height, title, description, style, elements }: SvgDocument): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapedXml(title)}</title>`,
    `<desc id="description">${escapedXml(description)}</desc>`,
    `<style>text{${font}}.page{fill:#fff}${style.light}@media (prefers-color-scheme:dark){.page{fill:#14181d}${style.dark}}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...elements,
    "</svg>\n",
  ].join("\n");
}

/** Escapes XML text and attribute values. Characters that XML does not allow are dropped. */
export function escapedXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
