import process from "node:process";

/** Variables by name. */
export type ProgramEnvironment = Readonly<Record<string, string | undefined>>;

let current: ProgramEnvironment = process.env;

/**
 * Environment of the running command. It is that of the process, except in simulated containers. Their environment is
 * data and never reaches Node.js.
 */
export function programEnvironment(): ProgramEnvironment {
  return current;
}

/** Replaces the environment of the command that this process runs. */
export function useProgramEnvironment(environment: ProgramEnvironment): void {
  current = environment;
}
