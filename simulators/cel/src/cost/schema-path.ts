/**
 * Where in the schema of the variables a value is: `self`, `spec`, `@items`. A path that ends where its array still has
 * room is extended in place, so that two extensions of one path overwrite each other, and arrays grow by doubling:
 * cel-go keeps paths in Go's slices, and its estimates for loops within loops depend on it.
 */
export class SchemaPath {
  /** Of a value that is in no schema. */
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

  /** The names below the variable. */
  belowVariable(): readonly string[] {
    return this.#room.slice(1, this.#length);
  }
}
