import process from "node:process";

/** Environment variables by name. */
export type ProgramEnvironment = Readonly<Record<string, string | undefined>>;

let current: ProgramEnvironment = process.env;

/**
 * Returns the environment of the running command. Normally this is the process environment. In a simulated container, the
 * environment is a separate object that is not part of `process.env`.
 */
export function programEnvironment(): ProgramEnvironment {
  return current;
}

/** Sets the environment of the command that this process runs. */
export function useProgramEnvironment(environment: ProgramEnvironment): void {
  current = environment;
}
