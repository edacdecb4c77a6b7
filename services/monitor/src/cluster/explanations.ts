import { boundedText, type Logger } from "@keelson/base";

/** Maximum number of log lines per collector and collection. */
const maxLines = 100;
const maxStringLength = 1_024;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes log lines that explain the values of one collector. The number and the length of the lines are limited, because the
 * content comes from the cluster.
 */
export class Explanations {
  readonly #logger: Logger;
  #lines = 0;
  #omitted = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(fields: Fields): void {
    if (this.#lines === maxLines) {
      this.#omitted++;
      return;
    }
    this.#lines++;
    this.#logger.info(bounded(fields), "a value that is not as usual");
  }

  /** Logs the number of omitted lines. */
  end(fields: Fields): void {
    if (this.#omitted > 0)
      this.#logger.info({ ...fields, omitted: this.#omitted }, "further values that are not as usual");
    this.#omitted = 0;
  }
}

function bounded(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? boundedText(value, maxStringLength) : value,
    ]),
  );
}
