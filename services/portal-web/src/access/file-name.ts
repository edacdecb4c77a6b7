/** Returns the file name of a response. Default: the fallback, also for invalid names. */
export function fileNameOf(contentDisposition: string | null, fallback: string): string {
  const [, quoted, plain] = /filename=(?:"([^"]+)"|([^;\s]+))/i.exec(contentDisposition ?? "") ?? [];
  const name = quoted ?? plain ?? "";
  return /^[\w.-]+$/.test(name) ? name : fallback;
}
