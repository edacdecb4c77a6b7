/**
 * Path of a value in the schema of the variables, for example `self`, `spec`, `@items`. Paths behave like Go slices. If a path's
 * array has unused capacity, an extension of the path writes into the same array. Two extensions of the same path then overwrite
 * each other. Arrays grow by doubling. cel-go's estimates for nested loops depend on this behaviour.
 */
export class SchemaPath {
  /** Path of a value that is not in the schema. */
  static readonly none = new SchemaPath([], 0);
  readonly #room: string[];
  readonly #length: number;

  private constructor(room: string[], length: number) {
    this.#room = room;
    this.#length = length;
  }

  static of(variable: string): SchemaPath {
    return new SchemaPath([variable], 1);
  }

  get isNone(): boolean {
    return this.#length === 0;
  }

  extended(name: string): SchemaPath {
    const length = this.#length;
    const room =
      length < this.#room.length
        ? this.#room
        : [...this.#room, ...new Array<string>(Math.max(1, length)).fill("")];
    room[length] = name;
    return new SchemaPath(room, length + 1);
  }

  /** Returns the names after the variable. */
  belowVariable(): readonly string[] {
    return this.#room.slice(1, this.#length);
  }
}
