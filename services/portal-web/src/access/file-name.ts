/** Returns the file name in a `Content-Disposition` header. Returns `fallback` if the name is missing or invalid. */
export function fileNameOf(contentDisposition: string | null, fallback: string): string {
  const [, quoted, plain] = /filename=(?:"([^"]+)"|([^;\s]+))/i.exec(contentDisposition ?? "") ?? [];
  const name = quoted ?? plain ?? "";
  return /^[\w.-]+$/.test(name) ? name : fallback;
}
