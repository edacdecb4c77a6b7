import type { JsonValue } from "@keelson/base";
import type { ArmCalls, Deployer, ResourceCall } from "./arm-calls.ts";
import type { Fetch } from "./lookups.ts";

/** An expression needs an answer that is not there yet. */
class AnswerNeeded extends Error {
  readonly call: ResourceCall;

  constructor(call: ResourceCall) {
    super(`${call.method} ${call.id}`);
    this.name = "AnswerNeeded";
    this.call = call;
  }
}

/** Calls what expressions of a running deployment ask for, once each; the expressions are evaluated again then. */
export class RuntimeLookups {
  readonly #calls: ArmCalls;
  readonly #deployer: Deployer;
  readonly #answers = new Map<string, JsonValue>();

  constructor(calls: ArmCalls, deployer: Deployer) {
    this.#calls = calls;
    this.#deployer = deployer;
  }

  /** @throws ArmError for a call that fails; what `run` throws */
  async evaluate<Value>(run: (fetch: Fetch) => Value): Promise<Value> {
    const fetch: Fetch = (call) => {
      const answer = this.#answers.get(JSON.stringify(call));
      if (answer === undefined) throw new AnswerNeeded(call);
      return answer;
    };
    for (;;) {
      try {
        return run(fetch);
      } catch (error) {
        if (!(error instanceof AnswerNeeded)) throw error;
        const { body } = await this.#calls.send(this.#deployer, error.call);
        this.#answers.set(JSON.stringify(error.call), body ?? null);
      }
    }
  }
}
