import { messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import { sqlFailure } from "../drivers/driver.ts";

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
}

/**
 * SQLSTATEs with a cause in the server or connection, and not in the statement: connection exceptions, invalid credentials, a
 * missing database, missing resources, shutdowns, timeouts, and a former primary.
 */
const unavailableStates = /^(08...|28...|3D000|53...|57P..|57014|25P03|25006)$/;

/**
 * Converts connection failures and server failures to `StoreUnavailable`. Returns all other errors unchanged, such as the
 * rejection of a statement.
 */
export function translate(error: unknown, { host, port, database }: ServerAddress): unknown {
  const failure = sqlFailure(error);
  if (failure && !unavailableStates.test(failure.state)) return error;
  if (!failure && !isConnectionError(error)) return error;
  return errors.StoreUnavailable(
    `PostgreSQL at ${host}:${port}, database ${database ?? "(default)"}, is not available: ${reasonOf(error)}`,
    { cause: error },
  );
}

/** Operating system errors have a code and a system call. Errors of `pg` have only messages. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("syscall" in error || error instanceof AggregateError) return true;
  return /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout|Cannot use a pool after|The server does not support SSL|.*(SASL|certificate))/i.test(
    error.message,
  );
}

function reasonOf(error: unknown): string {
  // The aggregate error of a host with several addresses contains one error per address and no message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return messageOf(error);
}
