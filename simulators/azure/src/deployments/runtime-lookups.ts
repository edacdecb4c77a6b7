import type { JsonValue } from "@keelson/base";
import type { ArmCalls, Deployer, ResourceCall } from "./arm-calls.ts";
import type { Fetch } from "./lookups.ts";

/** Error of an expression that depends on the response to a request. The request has not been sent yet. */
class ResponseNeeded extends Error {
  readonly call: ResourceCall;

  constructor(call: ResourceCall) {
    super(`${call.method} ${call.id}`);
    this.name = "AnswerNeeded";
    this.call = call;
  }
}

/**
 * Evaluates expressions of a running deployment. If an expression needs a response, sends the request and evaluates the
 * expression again. Each request is sent only once.
 */
export class RuntimeLookups {
  readonly #calls: ArmCalls;
  readonly #deployer: Deployer;
  readonly #responses = new Map<string, JsonValue>();

  constructor(calls: ArmCalls, deployer: Deployer) {
    this.#calls = calls;
    this.#deployer = deployer;
  }

  /**
   * Calls `run`. If `run` needs a response, sends the request and calls `run` again.
   * @throws ArmError for a failed request, and errors of `run`
   */
  async evaluate<Value>(run: (fetch: Fetch) => Value): Promise<Value> {
    const fetch: Fetch = (call) => {
      const response = this.#responses.get(JSON.stringify(call));
      if (response === undefined) throw new ResponseNeeded(call);
      return response;
    };
    for (;;) {
      try {
        return run(fetch);
      } catch (error) {
        if (!(error instanceof ResponseNeeded)) throw error;
        const { body } = await this.#calls.send(this.#deployer, error.call);
        this.#responses.set(JSON.stringify(error.call), body ?? null);
      }
    }
  }
}
