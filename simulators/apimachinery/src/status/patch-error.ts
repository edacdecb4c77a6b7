/** Error of a patch. `status` is the HTTP status of the response. */
export class PatchError extends Error {
  readonly status: 400 | 413 | 415 | 422 | 500;

  constructor(status: 400 | 413 | 415 | 422 | 500, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PatchError";
    this.status = status;
  }
}
