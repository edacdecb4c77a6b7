/** Downloads a blob as a file. */
export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function saveFile(name: string, mediaType: string, text: string): void {
  saveBlob(new Blob([text], { type: `${mediaType};charset=utf-8` }), name);
}
