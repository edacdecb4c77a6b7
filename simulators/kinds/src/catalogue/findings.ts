import { fieldError, maxCauses, type StatusCause } from "@keelson/apimachinery";
import { exactJson } from "@keelson/base";

type Segment = string | number;

/**
 * Validation errors of an object, and the path of the value under validation. A path is formatted only for an error, and the
 * number of errors is limited. Valid objects therefore cost almost no time.
 */
export class Findings {
  readonly causes: StatusCause[] = [];
  readonly #path: Segment[] = [];

  /** True if the number of errors has reached the limit. */
  get full(): boolean {
    return this.causes.length > maxCauses;
  }

  enter(segment: Segment): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  required(why = "", ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.required(this.#place(below), why));
  }

  invalid(value: unknown, why: string, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.invalid(this.#place(below), value, why));
  }

  /** Adds an error without a value. Used if other fields make the value invalid. */
  invalidAltogether(why: string, ...below: readonly Segment[]): void {
    if (this.full) return;
    const message = `Invalid value: ${why}`;
    this.causes.push({ reason: "FieldValueInvalid", message, field: this.#place(below) });
  }

  notSupported(value: unknown, supported: readonly unknown[], ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.notSupported(this.#place(below), value, supported));
  }

  forbidden(why: string, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.forbidden(this.#place(below), why));
  }

  duplicate(value: unknown, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.duplicate(this.#place(below), value));
  }

  notFound(value: unknown, ...below: readonly Segment[]): void {
    if (this.full) return;
    const message = `Not found: ${exactJson(value)}`;
    this.causes.push({ reason: "FieldValueNotFound", message, field: this.#place(below) });
  }

  tooLong(limit: number, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.tooLong(this.#place(below), limit));
  }

  tooMany(found: number, limit: number, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.tooMany(this.#place(below), found, limit));
  }

  #place(below: readonly Segment[]): string {
    let text = "";
    for (const segment of [...this.#path, ...below]) {
      if (typeof segment === "number") text += `[${segment}]`;
      else if (segment.startsWith("[")) text += segment;
      else text += text === "" ? segment : `.${segment}`;
    }
    return text;
  }
}
