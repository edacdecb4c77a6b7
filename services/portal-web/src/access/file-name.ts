/** Returns the file name in a `Content-Disposition` header. A missing or invalid name is replaced by `fallback`. */
export function fileNameOf(contentDisposition: string | null, fallback: string): string {
  const [, quoted, plain] = /filename=(?:"([^"]+)"|([^;\s]+))/i.exec(contentDisposition ?? "") ?? [];
  const name = quoted ?? plain ?? "";
  return /^[\w.-]+$/.test(name) ? name : fallback;
}
