/** The name of the file that an answer brings; the fallback where it says none that is one. */
export function fileNameOf(contentDisposition: string | null, fallback: string): string {
  const [, quoted, plain] = /filename=(?:"([^"]+)"|([^;\s]+))/i.exec(contentDisposition ?? "") ?? [];
  const name = quoted ?? plain ?? "";
  return /^[\w.-]+$/.test(name) ? name : fallback;
}
